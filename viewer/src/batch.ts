// SPDX-License-Identifier: Apache-2.0
// Batch: many placed geometries drawn by one call. Geometries are stored once, however often they are placed.
import { BatchedMesh, BufferAttribute, BufferGeometry, Color, Matrix4, type ShaderMaterial } from "three";
import type { Vec } from "./camera";
import type { Geometry } from "./payload";
import { matrixOf, type Rows } from "./placing";
import type { Report } from "./report";

export class Batch {
  readonly mesh: BatchedMesh;
  readonly #report: Report;
  readonly #placed: { part: number; geometry: Geometry; id: number }[] = [];
  readonly #numbers: number[] = new Array<number>(16).fill(0);
  readonly #matrix = new Matrix4();
  readonly #colour = new Color();

  /** Places a geometry for each part that has one. */
  constructor(report: Report, geometryOf: (part: number) => Geometry | null, material: ShaderMaterial) {
    this.#report = report;
    const uses = report.parts.map((_, part) => geometryOf(part));
    const distinct = new Set(uses.filter((g) => g !== null && g.indices.length > 0)) as Set<Geometry>;
    const sum = (size: (g: Geometry) => number): number => [...distinct].reduce((total, g) => total + size(g), 0);
    const [vertices, indices] = [sum((g) => g.positions.length / 3), sum((g) => g.indices.length)];
    this.mesh = new BatchedMesh(Math.max(1, uses.length), Math.max(1, vertices), Math.max(1, indices), material);
    this.mesh.sortObjects = false;
    this.mesh.frustumCulled = false; // its parts are, one by one
    const ids = new Map<Geometry, number>();
    for (const g of distinct) {
      const buffer = new BufferGeometry();
      buffer.setAttribute("position", new BufferAttribute(g.positions, 3, true));
      buffer.setIndex(new BufferAttribute(g.indices, 1));
      ids.set(g, this.mesh.addGeometry(buffer));
    }
    uses.forEach((geometry, part) => {
      const id = geometry && ids.get(geometry);
      if (geometry && id !== undefined && id !== null) this.#placed.push({ part, geometry, id: this.mesh.addInstance(id) });
    });
    for (const { id } of this.#placed) this.mesh.setColorAt(id, this.#colour);
  }

  place(rowsOf: (part: number) => Rows, shiftOf: (part: number) => Vec, parts: (part: number) => boolean = () => true): void {
    for (const { part, geometry, id } of this.#placed)
      if (parts(part))
        this.mesh.setMatrixAt(id, this.#matrix.fromArray(matrixOf(this.#report, geometry, rowsOf(part), shiftOf(part), this.#numbers)));
  }

  colour(colourOf: (part: number) => number): void {
    for (const { part, id } of this.#placed) this.mesh.setColorAt(id, this.#colour.setHex(colourOf(part)));
  }

  /** Returns whether anything is visible. */
  show(isShown: (part: number) => boolean): boolean {
    let any = false;
    for (const { part, id } of this.#placed) {
      const shown = isShown(part);
      this.mesh.setVisibleAt(id, shown);
      any ||= shown;
    }
    return any;
  }
}
