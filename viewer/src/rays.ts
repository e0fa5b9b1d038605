// SPDX-License-Identifier: Apache-2.0
// Rays: where one first meets a part. Triangles come in Morton order (src/report/packed.h), so that boxes around each so
// many of them, one after the other, are small: an index that takes one pass to make, and no sorting.
import type { Vec } from "./camera";
import type { Geometry } from "./payload";
import type { Rows } from "./placing";

/** In the scene's coordinates, from least to most times the direction. */
export interface Ray {
  origin: Vec;
  direction: Vec;
  least: number;
  most: number;
}

/** Triangles in a box; from 32 to 512 it hardly matters (tests/unit/rays.test.ts). */
const run = 128;

export class Target {
  readonly #geometry: Geometry;
  readonly #lower: Vec;
  readonly #step: Vec; // of the grid
  readonly #boxes: Uint16Array; // lower and upper corner on the grid, for each run

  constructor(geometry: Geometry, scale: number) {
    this.#geometry = geometry;
    this.#lower = geometry.lower.map((x) => x / scale) as Vec;
    this.#step = geometry.lower.map((x, i) => (geometry.upper[i]! - x) / scale / 65535) as Vec;
    const { positions, indices } = geometry;
    this.#boxes = new Uint16Array(6 * Math.ceil(indices.length / (3 * run)));
    for (let first = 0, at = 0; first < indices.length; first += 3 * run, at += 6) {
      const box = [65535, 65535, 65535, 0, 0, 0];
      const end = Math.min(indices.length, first + 3 * run);
      for (let i = first; i < end; ++i)
        for (let axis = 0; axis < 3; ++axis) {
          const x = positions[3 * indices[i]! + axis]!;
          if (x < box[axis]!) box[axis] = x;
          if (x > box[3 + axis]!) box[3 + axis] = x;
        }
      this.#boxes.set(box, at);
    }
  }

  /** How many times the direction away a ray first meets the part that stands so, from either side; Infinity: nowhere. */
  first(ray: Ray, rows: Rows, shift: Vec): number {
    const own = ownRay(ray, rows, shift);
    const { origin: o, direction: d } = own;
    const [lower, step, boxes, upper] = [this.#lower, this.#step, this.#boxes, this.#boxes.subarray(3)];
    const { positions, indices } = this.#geometry;
    const corner = (i: number): Vec => {
      const at = 3 * indices[i]!;
      return [lower[0] + step[0] * positions[at]!, lower[1] + step[1] * positions[at + 1]!, lower[2] + step[2] * positions[at + 2]!];
    };
    /** Whether the ray passes a box, given on the grid, before where it is known to end. */
    const passes = (least: ArrayLike<number>, most: ArrayLike<number>, at: number): boolean => {
      let [from, to] = [own.least, own.most];
      for (let axis = 0; axis < 3; ++axis) {
        // A step more on each side: a flat box must not be missed for a rounding.
        const a = lower[axis]! + step[axis]! * (least[at + axis]! - 1) - o[axis]!;
        const b = lower[axis]! + step[axis]! * (most[at + axis]! + 1) - o[axis]!;
        if (d[axis] === 0) {
          if (a > 0 || b < 0) return false;
          continue;
        }
        from = Math.max(from, Math.min(a / d[axis]!, b / d[axis]!));
        to = Math.min(to, Math.max(a / d[axis]!, b / d[axis]!));
      }
      return from <= to + 1e-9 * Math.abs(to); // a face along an axis has no thickness
    };
    if (!passes([0, 0, 0], [65535, 65535, 65535], 0)) return Infinity;
    let found = Infinity;
    for (let at = 0, first = 0; at < boxes.length; at += 6, first += 3 * run) {
      if (!passes(boxes, upper, at)) continue;
      for (let i = first; i < Math.min(indices.length, first + 3 * run); i += 3) {
        const t = meets(own, corner(i), corner(i + 1), corner(i + 2));
        if (t === null) continue;
        found = t;
        own.most = t;
      }
    }
    return found;
  }
}

/** The same ray in the coordinates of a part, whose pose is rigid. */
function ownRay({ origin, direction, least, most }: Ray, rows: Rows, shift: Vec): Ray {
  const from = origin.map((x, r) => x - rows[4 * r + 3]! - shift[r]!);
  const turned = (v: number[]): Vec => [0, 1, 2].map((c) => rows[c]! * v[0]! + rows[4 + c]! * v[1]! + rows[8 + c]! * v[2]!) as Vec;
  return { origin: turned(from), direction: turned(direction), least, most };
}

const minus = (a: Vec, b: Vec): Vec => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const cross = (a: Vec, b: Vec): Vec => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const dot = (a: Vec, b: Vec): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

/** Where a ray meets a triangle (Möller and Trumbore 1997); null: nowhere between its ends, or along the triangle. */
function meets({ origin, direction, least, most }: Ray, a: Vec, b: Vec, c: Vec): number | null {
  const [ab, ac] = [minus(b, a), minus(c, a)];
  const across = cross(direction, ac);
  const volume = dot(ab, across);
  if (volume === 0) return null;
  const from = minus(origin, a);
  const u = dot(from, across) / volume;
  if (u < 0 || u > 1) return null;
  const other = cross(from, ab);
  const v = dot(direction, other) / volume;
  if (v < 0 || u + v > 1) return null;
  const t = dot(ac, other) / volume;
  return t >= least && t < most ? t : null;
}
