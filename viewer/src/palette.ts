// SPDX-License-Identifier: Apache-2.0
// Colours that people with any kind of colour vision can tell apart: Okabe and Ito 2008, softened for large surfaces, and
// as light or dark as tests/unit/palette.test.ts needs. What matters is told by more than colour: ghosts, halos, words.
import type { Theme } from "./store";

export interface Palette {
  background: number;
  ghost: number;
  a: number; // the parts of a clash
  b: number;
  outline: number; // of contacts
  halo: number; // behind it
  cap: number; // cut surfaces
  volume: number;
  parts: number[];
}

/** What bounding volumes take of what is behind them. */
export const volumeOpacity = 0.45;

const parts = [0x8fb8d8, 0xe6c58f, 0x8fc9b4, 0xd9a6c2, 0xb4bcc6, 0xb9b3e0, 0xd4cb7c, 0xc2a48c];

const palettes: Record<Theme, Palette> = {
  light: { background: 0xf4f6f8, ghost: 0x6b7785, a: 0x4f9fdc, b: 0xf0a830, outline: 0xe00024, halo: 0xffffff, cap: 0x39424e, volume: 0x4b2fc0, parts },
  dark: { background: 0x11151b, ghost: 0x93a1b3, a: 0x56aef0, b: 0xf2b134, outline: 0xff2a3f, halo: 0xffffff, cap: 0xf2f5f8, volume: 0x6a4df0, parts },
};

export function palette(theme: Theme): Palette {
  return palettes[theme];
}

/** The colour of a part by itself. In a flight, what stands is grey and what flies is not. */
export function partColour(index: number, theme: Theme, stands: boolean): number {
  if (stands) return theme === "dark" ? 0xaab4c0 : 0xb4bcc6;
  return parts[index % parts.length]!;
}
