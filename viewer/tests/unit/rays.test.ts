// SPDX-License-Identifier: Apache-2.0
// Rays against three.js's own test of every triangle.
import { Ray as Line, Vector3 } from "three";
import { expect, test } from "vitest";
import type { Vec } from "../../src/camera";
import type { Geometry } from "../../src/payload";
import { Target } from "../../src/rays";

/** From 0 to 1, the same in each run (Park and Miller 1988). */
let state = 7;
const random = (): number => (state = (state * 48271) % 2147483647) / 2147483647;
const place = (): Vec => [random(), random(), random()].map((x) => 2 * x - 1) as Vec;

const box = { lower: [-2, -1, 0] as Vec, upper: [2, 3, 2] as Vec };
/** Small triangles here and there. */
function dust(triangles: number): Geometry {
  const near = (x: number): number => Math.round(Math.min(65535, Math.max(0, x + 9000 * (random() - 0.5))));
  const positions = new Uint16Array(9 * triangles);
  for (let i = 0; i < positions.length; i += 9) {
    const middle = [random(), random(), random()].map((x) => 65535 * x);
    for (let k = 0; k < 9; ++k) positions[i + k] = near(middle[k % 3]!);
  }
  return { positions, indices: Uint32Array.from({ length: 3 * triangles }, (_, i) => i), ...box };
}
/** Turned by 0.6 and 0.8 about z and moved, in a scene of half the size. */
const rows = Float64Array.from([0.6, -0.8, 0, 0.3, 0.8, 0.6, 0, -0.2, 0, 0, 1, 0.1]);
const shift: Vec = [0.5, 0, -0.25];
const scale = 2;

function firstOfAll(geometry: Geometry, origin: Vec, direction: Vec, least: number, most: number): number {
  const corner = (i: number): Vector3 => {
    const [x, y, z] = [0, 1, 2].map((axis) => (box.lower[axis]! + (geometry.positions[3 * geometry.indices[i]! + axis]! / 65535) * (geometry.upper[axis]! - box.lower[axis]!)) / scale);
    return new Vector3(0.6 * x! - 0.8 * y! + 0.3, 0.8 * x! + 0.6 * y! - 0.2, z! + 0.1).add(new Vector3(...shift));
  };
  const line = new Line(new Vector3(...origin), new Vector3(...direction));
  const found = new Vector3();
  let first = Infinity;
  for (let i = 0; i < geometry.indices.length; i += 3) {
    if (!line.intersectTriangle(corner(i), corner(i + 1), corner(i + 2), false, found)) continue;
    const at = found.distanceTo(line.origin);
    if (at >= least && at < most) first = Math.min(first, at);
  }
  return first;
}

test("a ray finds what a look at every triangle finds", () => {
  const geometry = dust(1000);
  const target = new Target(geometry, scale);
  let hits = 0;
  for (let i = 0; i < 300; ++i) {
    const origin = place().map((x) => 3 * x) as Vec;
    const direction = new Vector3(...place()).sub(new Vector3(...origin)).normalize().toArray();
    for (const [least, most] of [[0, Infinity], [1, 2.5]] as const) {
      const [found, expected] = [target.first({ origin, direction, least, most }, rows, shift), firstOfAll(geometry, origin, direction, least, most)];
      if (expected === Infinity) expect(found).toBe(Infinity);
      else expect(found).toBeCloseTo(expected, 9);
      hits += Number(found < Infinity);
    }
  }
  expect(hits).toBeGreaterThan(100);
});

test("a flat part is met, along an axis too, and from both sides", () => {
  const still = Float64Array.from([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]);
  const flat: Geometry = { positions: Uint16Array.from([0, 0, 0, 65535, 0, 0, 0, 65535, 0]), indices: Uint32Array.from([0, 1, 2]), lower: [0, 0, 0.7], upper: [1, 1, 0.7] };
  const target = new Target(flat, 1);
  for (const sign of [-1, 1]) {
    expect(target.first({ origin: [0.2, 0.3, 0.7 + sign], direction: [0, 0, -sign], least: 0, most: Infinity }, still, [0, 0, 0])).toBeCloseTo(1);
    expect(target.first({ origin: [0.2, 0.3, 0.7 + sign], direction: [0, 0, sign], least: 0, most: Infinity }, still, [0, 0, 0])).toBe(Infinity);
    expect(target.first({ origin: [0.7, 0.7, 0.7 + sign], direction: [0, 0, -sign], least: 0, most: Infinity }, still, [0, 0, 0])).toBe(Infinity);
  }
});

test("a part of half a million triangles is met quickly", () => {
  const [rings, around] = [500, 500];
  const positions = new Uint16Array(3 * (rings + 1) * around);
  const indices = new Uint32Array(6 * rings * around);
  for (let i = 0; i <= rings; ++i)
    for (let j = 0; j < around; ++j) {
      const [theta, phi] = [(Math.PI * i) / rings, (2 * Math.PI * j) / around];
      [Math.sin(theta) * Math.cos(phi), Math.sin(theta) * Math.sin(phi), Math.cos(theta)].forEach((x, axis) => { positions[3 * (i * around + j) + axis] = Math.round(32767 * (1 + x)); });
    }
  for (let i = 0, at = 0; i < rings; ++i)
    for (let j = 0; j < around; ++j) {
      const [a, b] = [i * around + j, i * around + ((j + 1) % around)];
      for (const corner of [a, a + around, b, b, a + around, b + around]) indices[at++] = corner;
    }
  const target = new Target({ positions, indices, ...box }, scale);
  const start = performance.now();
  let hits = 0;
  for (let i = 0; i < 200; ++i) {
    const origin: Vec = [5, 4, 3];
    const direction = new Vector3(...place()).multiplyScalar(0.3).sub(new Vector3(...origin)).normalize().toArray();
    hits += Number(target.first({ origin, direction, least: 0, most: Infinity }, rows, shift) < Infinity);
  }
  expect(hits).toBeGreaterThan(100);
  expect(performance.now() - start).toBeLessThan(1000); // every triangle for every ray: several seconds
});
