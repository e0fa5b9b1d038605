// SPDX-License-Identifier: Apache-2.0
// Mouse, touch and keys on the scene become changes of the view; a flight takes the view somewhere by itself.
import { between, pan, turn, zoom, type View } from "./camera";
import type { Scene } from "./scene";
import type { Store } from "./store";

const flightMilliseconds = 700;
const stillMilliseconds = 400; // a press that is shorter and does not move is a click

export class Controls {
  readonly #scene: Scene;
  readonly #store: Store;
  #flight = 0; // the number of the one under way
  onClick: (x: number, y: number) => void = () => undefined;

  constructor(canvas: HTMLCanvasElement, scene: Scene, store: Store) {
    this.#scene = scene;
    this.#store = store;
    this.#listenToPointers(canvas);
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.#change(zoom(scene.view, Math.exp(event.deltaY * (event.deltaMode === 1 ? 0.05 : 0.0015))));
    }, { passive: false });
    canvas.addEventListener("contextmenu", (event) => { event.preventDefault(); });
    canvas.addEventListener("keydown", (event) => {
      const view = this.#afterKey(event);
      if (!view) return;
      event.preventDefault();
      this.#change(view);
    });
  }

  /** At once for those who asked their system for less motion. */
  flyTo(view: View): void {
    const from = this.#scene.view;
    const number = ++this.#flight;
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
      this.#show(view);
      return;
    }
    const start = performance.now();
    const frame = (now: number): void => {
      if (number !== this.#flight) return;
      const at = Math.min(1, Math.max(0, (now - start) / flightMilliseconds));
      this.#show(at < 1 ? between(from, view, at) : view);
      if (at < 1) requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }

  #change(view: View): void {
    ++this.#flight; // whoever takes hold of the view ends a flight
    this.#show(view);
  }

  #show(view: View): void {
    this.#scene.view = view;
    this.#scene.draw();
  }

  #afterKey(event: KeyboardEvent): View | null {
    if (event.ctrlKey || event.metaKey || event.altKey) return null;
    const { view } = this.#scene;
    const arrows: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    const arrow = arrows[event.key];
    if (arrow) return event.shiftKey ? pan(view, this.#store.state.up, arrow[0] * 0.05, arrow[1] * 0.05) : turn(view, arrow[0] * 0.12, arrow[1] * 0.12);
    if (event.key === "+" || event.key === "=") return zoom(view, 1 / 1.15);
    if (event.key === "-") return zoom(view, 1.15);
    return null;
  }

  #listenToPointers(canvas: HTMLCanvasElement): void {
    const held = new Map<number, { x: number; y: number }>();
    let pressed: { x: number; y: number; time: number } | null = null;
    const middle = (): { x: number; y: number; spread: number } => {
      const [a, b] = [...held.values()];
      if (!a || !b) return { x: a?.x ?? 0, y: a?.y ?? 0, spread: 0 };
      return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, spread: Math.hypot(a.x - b.x, a.y - b.y) };
    };
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      held.set(event.pointerId, { x: event.clientX, y: event.clientY });
      pressed = held.size === 1 ? { x: event.clientX, y: event.clientY, time: event.timeStamp } : null;
    });
    canvas.addEventListener("pointermove", (event) => {
      if (!held.has(event.pointerId)) return;
      const before = middle();
      held.set(event.pointerId, { x: event.clientX, y: event.clientY });
      const after = middle();
      if (pressed && Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) > 4) pressed = null;
      if (pressed) return;
      const height = canvas.clientHeight;
      const [right, down] = [(after.x - before.x) / height, (after.y - before.y) / height];
      let view = this.#scene.view;
      if (held.size > 1 || event.shiftKey || event.ctrlKey || (event.buttons & 6) !== 0) {
        view = pan(view, this.#store.state.up, -right, down);
        if (before.spread > 0 && after.spread > 0) view = zoom(view, before.spread / after.spread);
      } else {
        view = turn(view, -right * 3.5, down * 3.5);
      }
      this.#change(view);
    });
    const release = (event: PointerEvent): void => {
      held.delete(event.pointerId);
      const isClick = pressed && event.type === "pointerup" && event.button === 0 && event.timeStamp - pressed.time < stillMilliseconds;
      pressed = null;
      if (!isClick) return;
      const box = canvas.getBoundingClientRect();
      this.onClick((event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height);
    };
    canvas.addEventListener("pointerup", release);
    canvas.addEventListener("pointercancel", release);
  }
}
