// SPDX-License-Identifier: Apache-2.0
// The outlines of contacts: red lines as in Klosowski 1998, Fig. 5, on a white halo that shows them on any colour.
import { Group } from "three";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import { LineSegments2 } from "three/examples/jsm/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/examples/jsm/lines/LineSegmentsGeometry.js";
import type { Vec } from "./camera";

export class OutlineLines {
  readonly object = new Group();
  readonly #materials = [6, 3].map((width) => new LineMaterial({ linewidth: width, depthTest: false, transparent: true }));
  #lines: LineSegments2[] = [];

  constructor() {
    this.#materials[0]!.opacity = 0.8;
  }

  colour(line: number, halo: number): void {
    this.#materials[0]!.color.setHex(halo);
    this.#materials[1]!.color.setHex(line);
  }

  resize(width: number, height: number): void {
    for (const material of this.#materials) material.resolution.set(width, height);
  }

  /** Six numbers a segment. */
  show(segments: Float32Array, shift: Vec): void {
    for (const line of this.#lines) line.geometry.dispose();
    this.object.clear();
    this.#lines = [];
    if (segments.length === 0) return;
    const geometry = new LineSegmentsGeometry().setPositions(segments);
    this.#lines = this.#materials.map((material, order) => {
      const line = new LineSegments2(geometry, material);
      line.frustumCulled = false;
      line.renderOrder = order;
      line.position.set(...shift);
      return line;
    });
    this.object.add(...this.#lines);
  }
}
