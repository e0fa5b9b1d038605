// SPDX-License-Identifier: Apache-2.0
// Decodes the binary data of a page, as src/report/packed.h and docs/schemas/report.schema.json define it.
import type { Outline, Point, Report } from "./report";

/** Triangles on a grid of 65536 steps along each side of a box. */
export interface Geometry {
  positions: Uint16Array;
  indices: Uint32Array;
  lower: Point;
  upper: Point;
}

/** What changes from step to step. */
export interface Motion {
  steps: number;
  moved: number[];
  poses: Float32Array;
  value: string;
  values: Float32Array;
  microseconds: Float32Array;
  colliding: Uint8Array;
  outline: Float32Array;
  outlineEnds: Uint32Array;
}

export interface Payload {
  report: Report;
  geometries: Geometry[];
  outlines: Float32Array[]; // of clashes
  motion: Motion | null;
}

export function bytesOf(base64: string): Uint8Array {
  const text = atob(base64.trim());
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  return bytes;
}

function decodeGeometry(bytes: Uint8Array, mesh: Report["meshes"][number]): Geometry {
  let at = mesh.offset;
  const end = mesh.offset + mesh.bytes;
  const varint = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      if (at >= end) throw new Error("the triangles of the report are cut off");
      const byte = bytes[at++]!;
      value |= (byte & 127) << shift;
      if (byte < 128) return value >>> 0;
    }
  };
  const positions = new Uint16Array(mesh.vertices * 3);
  const before = [0, 0, 0];
  for (let i = 0; i < positions.length; ++i) {
    const code = varint();
    before[i % 3]! += code & 1 ? -((code + 1) >>> 1) : code >>> 1;
    positions[i] = before[i % 3]!;
  }
  const indices = new Uint32Array(mesh.triangles * 3);
  for (let i = 0, newest = 0; i < indices.length; ++i) {
    const back = varint();
    if (back > newest || newest - back >= mesh.vertices) throw new Error("the triangles of the report are damaged");
    indices[i] = newest - back;
    if (back === 0) ++newest;
  }
  return { positions, indices, lower: mesh.lower, upper: mesh.upper };
}

export function decode(report: Report, bytes: Uint8Array): Payload {
  const floats = (offset: number, count: number): Float32Array => new Float32Array(bytes.buffer, offset, count);
  const segments = (outline: Outline): Float32Array => floats(outline.offset, outline.segments * 6);
  const m = report.motion;
  return {
    report,
    geometries: report.meshes.map((mesh) => decodeGeometry(bytes, mesh)),
    outlines: report.clashes.map((clash) => segments(clash.outline)),
    motion: m && {
      steps: m.steps,
      moved: m.moved,
      poses: floats(m.poses, m.steps * m.moved.length * 12),
      value: m.value,
      values: floats(m.values, m.steps),
      microseconds: floats(m.microseconds, m.steps),
      colliding: new Uint8Array(bytes.buffer, m.colliding, m.steps),
      outline: segments(m.outline),
      outlineEnds: new Uint32Array(bytes.buffer, m.outline_ends, m.steps),
    },
  };
}

/** The segments of one step. */
export function outlineAt(motion: Motion, step: number): Float32Array {
  const begin = step > 0 ? motion.outlineEnds[step - 1]! : 0;
  return motion.outline.subarray(begin * 6, motion.outlineEnds[step]! * 6);
}
