// SPDX-License-Identifier: Apache-2.0
// Colours that people with any kind of colour vision can tell apart: Okabe and Ito 2008, softened for large surfaces.
// What matters is told by more than colour: ghosts, halos, words.
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

const parts = [0x8fb8d8, 0xe6c58f, 0x8fc9b4, 0xd9a6c2, 0xc3c9d1, 0xb9b3e0, 0xe0d98f, 0xc2a48c];

const palettes: Record<Theme, Palette> = {
  light: { background: 0xf4f6f8, ghost: 0x6b7785, a: 0x4f9fdc, b: 0xf0a830, outline: 0xe00024, halo: 0xffffff, cap: 0x39424e, volume: 0x6a55c2, parts },
  dark: { background: 0x11151b, ghost: 0x93a1b3, a: 0x56aef0, b: 0xf2b134, outline: 0xff2a3f, halo: 0xffffff, cap: 0xdfe5ec, volume: 0xb3a4ff, parts },
};

export function palette(theme: Theme): Palette {
  return palettes[theme];
}

/** The colour of a part by itself. In a flight, what stands is grey and what flies is not. */
export function partColour(index: number, theme: Theme, stands: boolean): number {
  if (stands) return theme === "dark" ? 0xaab4c0 : 0xc9d0d8;
  return parts[index % parts.length]!;
}
