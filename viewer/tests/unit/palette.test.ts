// SPDX-License-Identifier: Apache-2.0
// Colours are told apart with any colour vision: by CIE76 after the simulation of Machado, Oliveira and Fernandes 2009,
// Table 1, severity 1, of linear light.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { palette, partColour, volumeOpacity } from "../../src/palette";

type Three = [number, number, number];
type Matrix = [Three, Three, Three];

const visions: Record<string, Matrix> = {
  normal: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  protanopia: [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
  deuteranopia: [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
  tritanopia: [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
};
/** From linear sRGB to CIE XYZ, each row divided by the white of D65. */
const toXyz: Matrix = [
  [0.4124564 / 0.95047, 0.3575761 / 0.95047, 0.1804375 / 0.95047], [0.2126729, 0.7151522, 0.072175],
  [0.0193339 / 1.08883, 0.119192 / 1.08883, 0.9503041 / 1.08883],
];

const times = (m: Matrix, v: Three): Three => m.map((row) => row[0] * v[0] + row[1] * v[1] + row[2] * v[2]) as Three;
const channels = (colour: number): Three => [colour >> 16, (colour >> 8) & 255, colour & 255];

function lab(colour: number, vision: Matrix): Three {
  const light = channels(colour).map((c) => (c <= 10 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4)) as Three;
  const seen = times(vision, light).map((c) => Math.min(1, Math.max(0, c))) as Three;
  const [x, y, z] = times(toXyz, seen).map((c) => (c > 216 / 24389 ? Math.cbrt(c) : ((24389 / 27) * c + 16) / 116)) as Three;
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

const difference = (a: number, b: number, vision: Matrix): number => {
  const [p, q] = [lab(a, vision), lab(b, vision)];
  return Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
};

/** One above the other. */
const mixed = (below: number, above: number, opacity: number): number => {
  const top = channels(above);
  return channels(below).reduce((sum, c, i) => sum * 256 + Math.round(c * (1 - opacity) + top[i]! * opacity), 0);
};

test("the simulation knows what is hard to tell apart", () => {
  expect(difference(0x000000, 0xffffff, visions["normal"]!)).toBeCloseTo(100, 1);
  expect(difference(0xffffff, 0xffffff, visions["protanopia"]!)).toBe(0);
  expect(difference(0xb00000, 0x606000, visions["normal"]!)).toBeGreaterThan(60);
  expect(difference(0xb00000, 0x606000, visions["deuteranopia"]!)).toBeLessThan(20);
});

for (const theme of ["light", "dark"] as const) {
  const { parts, ...colours } = palette(theme);
  const standing = partColour(0, theme, true);

  test(`colours that mean different things are told apart, ${theme}`, () => {
    const { a, b, ghost, outline, volume, background, cap } = colours;
    const named = { a, b, ghost, outline, volume, background, cap, standing };
    const all = Object.keys(named) as (keyof typeof named)[];
    for (const [i, one] of all.entries())
      for (const other of all.slice(i + 1)) {
        // What stands becomes a ghost itself, and a ghost is never cut open.
        if (one === "ghost" && (other === "standing" || other === "cap")) continue;
        for (const [vision, matrix] of Object.entries(visions))
          expect(difference(named[one], named[other], matrix), `${one} and ${other}, ${vision}`).toBeGreaterThan(20);
      }
    for (const [vision, matrix] of Object.entries(visions))
      for (const part of parts)
        for (const other of ["outline", "volume", "background"] as const)
          expect(difference(part, named[other], matrix), `part ${part.toString(16)} and ${other}, ${vision}`).toBeGreaterThan(20);
  });

  test(`what is in a bounding volume looks other than what is not, ${theme}`, () => {
    for (const [vision, matrix] of Object.entries(visions))
      for (const below of [colours.a, colours.b, standing, colours.background, ...parts])
        expect(difference(below, mixed(below, colours.volume, volumeOpacity), matrix), `${below.toString(16)}, ${vision}`).toBeGreaterThan(14);
  });

  test(`lists show the scene's colours, ${theme}`, () => {
    const style = readFileSync(new URL("../../src/style.css", import.meta.url), "utf8");
    const block = (theme === "dark" ? /\[data-theme="dark"\] \{([^}]*)/ : /:root \{([^}]*)/).exec(style)![1]!;
    for (const name of ["a", "b", "background"] as const)
      expect(new RegExp(`--${name}: #([0-9a-f]{6});`).exec(block)![1], name).toBe(colours[name].toString(16));
  });
}
