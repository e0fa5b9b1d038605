// SPDX-License-Identifier: Apache-2.0
// Scene: draws what the store says, when something has changed. It knows three.js, and no other module but
// shading, batch and outline does.
import {
  Color, ColorManagement, LinearSRGBColorSpace, Matrix4, PerspectiveCamera, Scene as Root, Vector3, Vector4, WebGLRenderer,
} from "three";
import { Batch } from "./batch";
import { axesOf, halfAngle, type Vec, type View } from "./camera";
import { OutlineLines } from "./outline";
import { palette, partColour } from "./palette";
import { outlineAt, type Payload } from "./payload";
import { ballOf, movedRows, stillRows, type Rows } from "./placing";
import { Target, type Ray } from "./rays";
import { material, type Cuts } from "./shading";
import type { State, Store } from "./store";

ColorManagement.enabled = false; // colours are those of the palette, with no conversion

const none: Vec = [0, 0, 0];

export interface Drawn {
  calls: number;
  triangles: number;
}

export class Scene {
  readonly #payload: Payload;
  readonly #store: Store;
  readonly #renderer: WebGLRenderer;
  readonly #camera = new PerspectiveCamera((2 * halfAngle * 180) / Math.PI, 1, 0.001, 100);
  readonly #cuts: Cuts = { hole: { value: new Vector4() }, plane: { value: new Vector4(0, 0, 0, 1) }, cap: { value: new Color() } };
  readonly #solid = material("solid", this.#cuts);
  readonly #ghost = material("ghost", this.#cuts);
  readonly #holed = material("holed", this.#cuts);
  readonly #parts: Batch;
  readonly #volumes = new Map<number, Batch>();
  readonly #root = new Root();
  readonly #overlay = new Root(); // drawn last
  readonly #outline = new OutlineLines();
  readonly #rows: Rows[];
  readonly #standing: ReadonlySet<number>;
  readonly #targets: (Target | undefined)[] = []; // of meshes, made when a ray first asks
  #shifts: Vec[];
  #waiting = false;
  view: View;
  afterDrawing: (drawn: Drawn) => void = () => undefined;

  constructor(canvas: HTMLCanvasElement, payload: Payload, store: Store, view: View) {
    this.#payload = payload;
    this.#store = store;
    this.view = view;
    const { report, geometries, motion } = payload;
    this.#renderer = new WebGLRenderer({ canvas, antialias: true, powerPreference: "high-performance" });
    this.#renderer.outputColorSpace = LinearSRGBColorSpace;
    this.#renderer.autoClear = false;
    this.#renderer.info.autoReset = false;
    this.#rows = report.parts.map((_, part) => stillRows(report, part));
    this.#shifts = report.parts.map(() => none);
    const moved = new Set(motion?.moved ?? []);
    this.#standing = new Set(motion ? [...report.parts.keys()].filter((part) => !moved.has(part)) : []);
    this.#parts = new Batch(report, (part) => geometries[report.parts[part]!.mesh]!, this.#solid);
    this.#parts.place((part) => this.#rows[part]!, () => none);
    this.#root.add(this.#parts.mesh);
    this.#overlay.add(this.#outline.object);
    canvas.addEventListener("webglcontextrestored", () => { this.#colour(store.state); }); // the driver began anew, without our background
    store.watch(["step"], (state) => { this.#move(state); });
    store.watch(["explode"], (state) => { this.#explode(state); });
    store.watch(["section"], (state) => { this.#cut(state); });
    store.watch(["level"], (state) => { this.#chooseLevel(state); });
    store.watch(["focus", "theme", "step"], (state) => { this.#colour(state); });
    store.watch(["focus", "theme", "step", "explode"], (state) => { this.#drawOutline(state); });
    store.watch(["hidden", "up"], () => { this.draw(); });
  }

  /** Where a part is now, with the explosion. */
  ballOf(part: number): { centre: Vec; radius: number } {
    const { report, geometries } = this.#payload;
    const ball = ballOf(report, geometries[report.parts[part]!.mesh]!, this.#rows[part]!);
    return { centre: ball.centre.map((x, i) => x + this.#shifts[part]![i]!) as Vec, radius: ball.radius };
  }

  shiftOf(part: number): Vec {
    return this.#shifts[part]!;
  }

  get aspect(): number {
    return this.#camera.aspect;
  }

  resize(width: number, height: number): void {
    this.#renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.#renderer.setSize(width, height, false);
    this.#camera.aspect = width / Math.max(1, height);
    this.#outline.resize(width, height);
    this.draw();
  }

  /** Soon, once. */
  draw(): void {
    if (this.#waiting) return;
    this.#waiting = true;
    requestAnimationFrame(() => {
      this.#waiting = false;
      this.#drawNow();
    });
  }

  /** From 0 to 1 across the picture and down it; null: behind the camera. */
  project(point: Vec): [number, number] | null {
    this.#aim();
    const seen = new Vector3(...point).project(this.#camera);
    return seen.z < 1 ? [(seen.x + 1) / 2, (1 - seen.y) / 2] : null;
  }

  /** The part at a place of the picture. */
  pick(x: number, y: number): number | null {
    this.#aim();
    const towards = new Vector3(2 * x - 1, 1 - 2 * y, 0.5).unproject(this.#camera).sub(this.#camera.position);
    const ray = this.#rayTo(towards.normalize());
    // What the section has cut away is not there.
    const { x: nx, y: ny, z: nz, w } = this.#cuts.plane.value;
    const along = nx * ray.direction[0] + ny * ray.direction[1] + nz * ray.direction[2];
    const above = nx * ray.origin[0] + ny * ray.origin[1] + nz * ray.origin[2] + w;
    if (along === 0 && above < 0) return null;
    if (along > 0) ray.least = Math.max(ray.least, -above / along);
    if (along < 0) ray.most = -above / along;
    let nearest: number | null = null;
    for (const part of this.#payload.report.parts.keys()) {
      const at = this.#isShown(part) ? this.#first(part, ray) : Infinity;
      if (at >= ray.most) continue;
      ray.most = at;
      nearest = part;
    }
    return nearest;
  }

  /** At how many of seven places of a part it is seen, with only another part in the way. */
  seen(view: View, part: number, other: number): number {
    this.#aim(view);
    const { centre, radius } = this.ballOf(part);
    const places = [none, ...[-1, 1].flatMap((sign) => [0, 1, 2].map((axis) => none.map((_, i) => (i === axis ? 0.4 * sign * radius : 0)) as Vec))];
    return places.filter((place) => {
      const towards = new Vector3(...centre).add(new Vector3(...place)).sub(this.#camera.position).normalize();
      const ray = this.#rayTo(towards);
      ray.most = this.#first(part, ray);
      return ray.most < Infinity && this.#first(other, ray) === Infinity;
    }).length;
  }

  #rayTo(direction: Vector3): Ray {
    return { origin: this.#camera.position.toArray(), direction: direction.toArray(), least: 0, most: Infinity };
  }

  /** Where a ray first meets a part. */
  #first(part: number, ray: Ray): number {
    const { report, geometries } = this.#payload;
    const { mesh } = report.parts[part]!;
    const target = this.#targets[mesh] ??= new Target(geometries[mesh]!, report.scale);
    return target.first(ray, this.#rows[part]!, this.#shifts[part]!);
  }

  #isShown(part: number): boolean {
    return !this.#store.state.hidden.has(part);
  }

  /** Parts that the focus is not about are ghosts. */
  #isGhost(part: number): boolean {
    const { focus } = this.#store.state;
    if (focus === null) return false;
    if (focus.kind === "part") return focus.index !== part;
    const clash = this.#payload.report.clashes[focus.index]!;
    return clash.a !== part && clash.b !== part;
  }

  #aim(view = this.view): void {
    const { right, above, back } = axesOf(view, this.#store.state.up);
    const { target, distance } = view;
    this.#camera.position.set(...(target.map((t, i) => t + distance * back[i]!) as Vec));
    this.#camera.quaternion.setFromRotationMatrix(new Matrix4().makeBasis(new Vector3(...right), new Vector3(...above), new Vector3(...back)));
    this.#camera.near = Math.max(1e-5, distance * 0.01);
    this.#camera.far = distance + 10 + 10 * this.#store.state.explode;
    this.#camera.updateProjectionMatrix();
    this.#camera.updateMatrixWorld();
  }

  #drawNow(): void {
    const { level, focus } = this.#store.state;
    this.#aim();
    this.#renderer.info.reset();
    this.#renderer.clear();
    const volumes = level === null ? undefined : this.#volumes.get(level);
    for (const batch of this.#volumes.values()) batch.mesh.visible = false;
    const holed = this.#makeHole();
    this.#pass(this.#parts, this.#solid, (part) => !this.#isGhost(part) && part !== holed);
    if (holed !== null) this.#pass(this.#parts, this.#holed, (part) => part === holed);
    if (focus !== null) this.#pass(this.#parts, this.#ghost, (part) => this.#isGhost(part));
    this.#parts.mesh.visible = false;
    if (volumes) this.#pass(volumes, null, (part) => !this.#isGhost(part));
    this.#parts.mesh.visible = true;
    this.#renderer.render(this.#overlay, this.#camera);
    this.afterDrawing({ calls: this.#renderer.info.render.calls, triangles: this.#renderer.info.render.triangles });
  }

  /** So that a small part is seen in a large one: the clash's smaller part, or the only one that flies. Returns the large. */
  #makeHole(): number | null {
    const { report, motion } = this.#payload;
    const { focus } = this.#store.state;
    let pair: number[] = [];
    if (focus?.kind === "clash") pair = [report.clashes[focus.index]!.a, report.clashes[focus.index]!.b];
    else if (focus === null && motion?.moved.length === 1 && report.parts.length === 2) pair = [0, 1];
    if (pair.length === 0) return null;
    const balls = pair.map((part) => this.ballOf(part));
    const small = balls[0]!.radius < balls[1]!.radius ? 0 : 1;
    if (balls[1 - small]!.radius < 1.5 * balls[small]!.radius || !this.#isShown(pair[small]!)) return null;
    this.#cuts.hole.value.set(...balls[small]!.centre, 1.2 * balls[small]!.radius);
    return pair[1 - small]!;
  }

  #pass(batch: Batch, look: Batch["mesh"]["material"] | null, isIn: (part: number) => boolean): void {
    if (!batch.show((part) => this.#isShown(part) && isIn(part))) return;
    batch.mesh.visible = true;
    if (look) batch.mesh.material = look;
    this.#renderer.render(this.#root, this.#camera);
  }

  #move({ step, level }: State): void {
    const { motion } = this.#payload;
    if (!motion) return;
    motion.moved.forEach((part, place) => { this.#rows[part] = movedRows(motion, step, place); });
    const moved = new Set(motion.moved);
    for (const batch of this.#batches(level)) batch.place((part) => this.#rows[part]!, (part) => this.#shifts[part]!, (part) => moved.has(part));
    this.draw();
  }

  #explode({ explode, level }: State): void {
    // Away from the middle of all parts. Those in the middle stay.
    const { report, geometries } = this.#payload;
    this.#shifts = report.parts.map((part, i) =>
      ballOf(report, geometries[part.mesh]!, this.#rows[i]!).centre.map((x) => x * explode) as Vec);
    for (const batch of this.#batches(level)) batch.place((part) => this.#rows[part]!, (part) => this.#shifts[part]!);
    this.draw();
  }

  #batches(level: number | null): Batch[] {
    const volumes = level === null ? undefined : this.#volumes.get(level);
    return volumes ? [this.#parts, volumes] : [this.#parts];
  }

  #cut({ section }: State): void {
    const normal = [0, 0, 0];
    const sign = section?.flipped ? -1 : 1;
    if (section) normal["xyz".indexOf(section.axis)] = -sign;
    this.#cuts.plane.value.set(normal[0]!, normal[1]!, normal[2]!, section ? sign * section.at : 1);
    this.draw();
  }

  #chooseLevel(state: State): void {
    const { report, geometries } = this.#payload;
    const { level } = state;
    if (level !== null && !this.#volumes.has(level)) {
      const shapes = new Map(report.volumes.filter((v) => v.depth === level).map((v) => [v.mesh, geometries[v.shape]!]));
      const batch = new Batch(report, (part) => shapes.get(report.parts[part]!.mesh) ?? null, material("volume", this.#cuts));
      batch.colour(() => palette(state.theme).volume);
      this.#root.add(batch.mesh);
      this.#volumes.set(level, batch);
    }
    if (level !== null) this.#volumes.get(level)!.place((part) => this.#rows[part]!, (part) => this.#shifts[part]!);
    this.draw();
  }

  #colour({ focus, theme, step }: State): void {
    const colours = palette(theme);
    const { report, motion } = this.#payload;
    const clash = focus?.kind === "clash" ? report.clashes[focus.index]! : null;
    const touches = motion?.colliding[step] === 1;
    this.#renderer.setClearColor(colours.background);
    this.#cuts.cap.value.setHex(colours.cap);
    this.#outline.colour(colours.outline, colours.halo);
    this.#parts.colour((part) => {
      if (this.#isGhost(part)) return colours.ghost;
      if (clash) return part === clash.a ? colours.a : colours.b;
      if (motion && !this.#standing.has(part)) return touches ? colours.b : colours.a;
      return partColour(part, theme, this.#standing.has(part));
    });
    for (const batch of this.#volumes.values()) batch.colour(() => colours.volume);
    this.draw();
  }

  /** Of the clash in focus, else of the step; it goes with the first of the two parts if they are moved apart. */
  #drawOutline({ focus, step }: State): void {
    const { report, outlines, motion } = this.#payload;
    let segments: Float32Array = new Float32Array();
    let shift = none;
    if (focus?.kind === "clash") {
      segments = outlines[focus.index]!;
      shift = this.#shifts[report.clashes[focus.index]!.a]!;
    }
    if (motion && segments.length === 0) segments = outlineAt(motion, step);
    this.#outline.show(segments, shift);
    this.draw();
  }
}
