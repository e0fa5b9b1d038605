// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";
import { bytesOf, decode, outlineAt } from "../../src/payload";
import type { Report } from "../../src/report";

/** Two triangles that share an edge, by hand: vertices (0,0,0) (65535,0,0) (0,65535,0) (65535,65535,0). */
function square(): { report: Report; bytes: Uint8Array } {
  const varints = (...values: number[]): number[] => values.flatMap((value) => {
    const bytes = [];
    for (; value >= 128; value = Math.floor(value / 128)) bytes.push((value % 128) + 128);
    return [...bytes, value];
  });
  const zigzag = (value: number): number => (value < 0 ? -2 * value - 1 : 2 * value);
  const mesh = varints(...[0, 0, 0, 65535, 0, 0, -65535, 65535, 0, 65535, 0, 0].map(zigzag), 0, 0, 0, 2, 0, 2);
  const bytes = new Uint8Array(64);
  bytes.set(mesh);
  new Float32Array(bytes.buffer, 40, 6).set([1, 2, 3, 4, 5, 6]);
  const report: Report = {
    tumble: "0", schema: "report/1", title: "t", command: "view", units: "", origin: [0, 0, 0], scale: 1,
    meshes: [{ vertices: 4, triangles: 2, lower: [0, 0, 0], upper: [1, 1, 0], offset: 0, bytes: mesh.length }],
    parts: [], clashes: [], motion: null, volumes: [], notes: [],
  };
  return { report, bytes };
}

test("triangles come back as they were packed", () => {
  const { report, bytes } = square();
  const geometry = decode(report, bytes).geometries[0]!;
  expect([...geometry.positions]).toEqual([0, 0, 0, 65535, 0, 0, 0, 65535, 0, 65535, 65535, 0]);
  expect([...geometry.indices]).toEqual([0, 1, 2, 1, 3, 2]);
});

test("data that is cut off or damaged is refused", () => {
  const { report, bytes } = square();
  report.meshes[0]!.bytes -= 1;
  expect(() => decode(report, bytes)).toThrow("cut off");
  report.meshes[0]!.bytes += 1;
  bytes[report.meshes[0]!.bytes - 1] = 127;
  expect(() => decode(report, bytes)).toThrow("damaged");
});

test("outlines of clashes are floats", () => {
  const { report, bytes } = square();
  report.clashes = [{ a: 0, b: 0, class: "contact", contacts: 1, gap: null, depth: null, point: null, verdict: "fails", steps: null, outline: { offset: 40, segments: 1 } }];
  expect([...decode(report, bytes).outlines[0]!]).toEqual([1, 2, 3, 4, 5, 6]);
});

test("each step has its own outlines", () => {
  const motion = {
    steps: 3, moved: [], poses: new Float32Array(), value: "", values: new Float32Array(3), microseconds: new Float32Array(3),
    colliding: new Uint8Array(3), outline: Float32Array.from({ length: 18 }, (_, i) => i), outlineEnds: Uint32Array.from([1, 1, 3]),
  };
  expect([...outlineAt(motion, 0)]).toEqual([0, 1, 2, 3, 4, 5]);
  expect(outlineAt(motion, 1)).toHaveLength(0);
  expect(outlineAt(motion, 2)).toHaveLength(12);
});

test("base64", () => {
  expect([...bytesOf(" AP+A\n")]).toEqual([0, 255, 128]);
});
