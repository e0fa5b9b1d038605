// SPDX-License-Identifier: Apache-2.0
// The types of a page's data. Made from docs/schemas/report.schema.json by 'npm run types': change that instead.
export type Count = number;
export type Point = [number, number, number];
export type Outline = {
  offset: Count;
  segments: Count;
};
/** Offsets are bytes in the page's binary data. Its coordinates of the world are (x - origin) / scale, as 32-bit floats. */
export interface Report {
  /** Version of the program. */
  tumble: string;
  schema: "report/1";
  title: string;
  /** That made the page. */
  command: string;
  /** Of lengths; empty if unknown. */
  units: string;
  /** The middle of all parts. */
  origin: Point;
  /** Half the diagonal of their box. */
  scale: number;
  meshes: {
    vertices: Count;
    triangles: Count;
    /** Of the box, in the mesh's own coordinates. */
    lower: Point;
    upper: Point;
    offset: Count;
    bytes: Count;
  }[];
  parts: {
    name: string;
    /** Empty: none. */
    group: string;
    /** Index in meshes. */
    mesh: Count;
    /** Row-major [R|t]: takes the mesh into the world. */
    pose: number[];
  }[];
  clashes: {
    /** Index in parts. */
    a: Count;
    b: Count;
    class: string;
    /** Pairs of triangles. */
    contacts: number | null;
    gap: number | null;
    /** Lower and upper bound. */
    depth: [number, number] | null;
    /** In the world. */
    point: [number, number, number] | null;
    /** Whether it counts as a clash; if not: its class does not fail, it is intended, or the baseline lists it. */
    verdict: "fails" | "passes" | "allowed" | "known";
    /** The first and the last step of the motion it is true for. */
    steps: [Count, Count] | null;
    outline: Outline;
  }[];
  motion: {
    /** Indices in parts. */
    moved: Count[];
    steps: Count;
    /** Offset of 12 floats for each moved part, for each step. */
    poses: Count;
    /** What values are; empty: nothing. */
    value: string;
    /** Offset of a float for each step; NaN: unknown. */
    values: Count;
    /** Offset of a float for each step. */
    microseconds: Count;
    /** Offset of a byte for each step. */
    colliding: Count;
    /** Of all steps, one after the other. */
    outline: Outline;
    /** Offset of an unsigned 32-bit number for each step: where its segments end. */
    outline_ends: Count;
  } | null;
  /** Bounding volumes of the trees, by depth. */
  volumes: {
    /** The mesh whose tree it is, as an index in meshes. */
    mesh: Count;
    depth: Count;
    /** The volumes, as an index in meshes. */
    shape: Count;
  }[];
  /** What the page does not show. */
  notes: string[];
}
