// SPDX-License-Identifier: Apache-2.0
// Where parts are: from poses to the matrices that the scene draws with. All in numbers of about 1: the world's
// coordinates less the origin, divided by the scale.
import type { Vec } from "./camera";
import type { Geometry, Motion } from "./payload";
import type { Report } from "./report";

/** Row-major [R|t], t in the scene's coordinates. */
export type Rows = Float64Array;

export function stillRows(report: Report, part: number): Rows {
  const rows = Float64Array.from(report.parts[part]!.pose);
  for (let i = 0; i < 3; ++i) rows[4 * i + 3] = (rows[4 * i + 3]! - report.origin[i]!) / report.scale;
  return rows;
}

export function movedRows(motion: Motion, step: number, place: number): Rows {
  return Float64Array.from(motion.poses.subarray(12 * (step * motion.moved.length + place), 12 * (step * motion.moved.length + place + 1)));
}

/** The middle of a part's box and the radius of a ball around it. */
export function ballOf(report: Report, geometry: Geometry, rows: Rows): { centre: Vec; radius: number } {
  const middle = geometry.lower.map((x, i) => (x / 2 + geometry.upper[i]! / 2) / report.scale);
  const half = geometry.lower.map((x, i) => (geometry.upper[i]! / 2 - x / 2) / report.scale);
  const centre = [0, 1, 2].map((r) => rows[4 * r]! * middle[0]! + rows[4 * r + 1]! * middle[1]! + rows[4 * r + 2]! * middle[2]! + rows[4 * r + 3]!);
  return { centre: centre as Vec, radius: Math.hypot(...half) };
}

/** Column-major 4x4: takes the grid of a geometry, as numbers from 0 to 1, to the scene, moved by a shift. */
export function matrixOf(report: Report, geometry: Geometry, rows: Rows, shift: Vec, out: number[]): number[] {
  for (let r = 0; r < 3; ++r) {
    let origin = rows[4 * r + 3]! + shift[r]!;
    for (let c = 0; c < 3; ++c) {
      const turned = rows[4 * r + c]!;
      out[4 * c + r] = (turned * (geometry.upper[c]! - geometry.lower[c]!)) / report.scale;
      origin += (turned * geometry.lower[c]!) / report.scale;
    }
    out[12 + r] = origin;
    out[4 * r + 3] = 0;
  }
  out[15] = 1;
  return out;
}
