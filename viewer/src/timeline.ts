// SPDX-License-Identifier: Apache-2.0
// The timeline of a flight: a plot of each step as in Klosowski 1998, Fig. 3, a scrubber, a play button. Colliding steps
// have a band and a mark below the axis.
import { element } from "./dom";
import type { Motion } from "./payload";
import { barsOf, stretches, ticks, topOf } from "./series";
import type { Store } from "./store";
import { microseconds, number, whole } from "./words";

const stepsASecond = 30;
const margin = { left: 52, right: 12, top: 8, bottom: 16 };

export class Timeline {
  readonly #motion: Motion;
  readonly #store: Store;
  readonly #plot = element("canvas", { class: "plot", aria: { role: "img" } });
  #shown: "time" | "value" = "time";
  #lastFrame = 0;
  #share = 0; // of a step, while playing

  constructor(host: HTMLElement, motion: Motion, store: Store) {
    this.#motion = motion;
    this.#store = store;
    const last = motion.steps - 1;
    const play = element("button", { type: "button", class: "play", onclick: () => { this.toggle(); } });
    const scrubber = element("input", { type: "range", min: "0", max: String(last), step: "1", class: "scrubber", aria: { label: "Step of the flight" }, oninput: () => { this.goTo(scrubber.valueAsNumber); } });
    const words = element("output", { class: "step-words" });
    const series = element("select", { aria: { label: "What the plot shows" }, onchange: () => {
      this.#shown = series.value === "value" ? "value" : "time";
      this.#draw();
    } }, element("option", { value: "time" }, "time"));
    if (motion.value !== "") series.append(element("option", { value: "value" }, motion.value));
    host.append(element("div", { class: "timeline-head" }, play, scrubber, words, series), this.#plot);
    host.hidden = false;
    this.#plot.addEventListener("pointerdown", (event) => {
      this.#plot.setPointerCapture(event.pointerId);
      this.goTo(this.#stepAt(event.offsetX));
    });
    this.#plot.addEventListener("pointermove", (event) => { if (event.buttons & 1) this.goTo(this.#stepAt(event.offsetX)); });
    new ResizeObserver(() => { this.#draw(); }).observe(this.#plot);
    store.watch(["step"], ({ step }) => {
      scrubber.valueAsNumber = step;
      const value = motion.value === "" ? "" : `, ${motion.value} ${number(motion.values[step]!)}`;
      words.textContent = `step ${whole(step)} of ${whole(last)}: ${motion.colliding[step] === 1 ? "contact" : "free"}${value}, ${microseconds(motion.microseconds[step]!)}`;
      scrubber.setAttribute("aria-valuetext", words.textContent);
    });
    store.watch(["playing"], ({ playing }) => {
      play.textContent = playing ? "❚❚" : "▶";
      play.setAttribute("aria-label", playing ? "Pause" : "Play");
      play.title = playing ? "Pause (space)" : "Play (space)";
      if (playing) requestAnimationFrame((now) => { this.#lastFrame = now; this.#frame(now); });
    });
    store.watch(["step", "theme"], () => { this.#draw(); });
  }

  toggle(): void {
    const { playing, step } = this.#store.state;
    if (!playing && step === this.#motion.steps - 1) this.#store.set({ step: 0 });
    this.#share = 0;
    this.#store.set({ playing: !playing });
  }

  /** Ends playing. */
  goTo(step: number): void {
    this.#store.set({ playing: false, step: Math.min(Math.max(Math.round(step), 0), this.#motion.steps - 1) });
  }

  #frame(now: number): void {
    const { playing, step } = this.#store.state;
    if (!playing) return;
    this.#share += ((now - this.#lastFrame) / 1000) * stepsASecond;
    this.#lastFrame = now;
    const next = Math.min(step + Math.floor(this.#share), this.#motion.steps - 1);
    this.#share %= 1;
    this.#store.set({ step: next, playing: next < this.#motion.steps - 1 });
    requestAnimationFrame((later) => { this.#frame(later); });
  }

  #stepAt(x: number): number {
    const wide = this.#plot.clientWidth - margin.left - margin.right;
    return ((x - margin.left) / wide) * (this.#motion.steps - 1);
  }

  #draw(): void {
    const { clientWidth: width, clientHeight: height } = this.#plot;
    const context = this.#plot.getContext("2d");
    if (width === 0 || !context) return;
    const ratio = Math.min(window.devicePixelRatio, 2);
    [this.#plot.width, this.#plot.height] = [width * ratio, height * ratio];
    context.scale(ratio, ratio);
    const style = getComputedStyle(this.#plot);
    const colour = (name: string): string => style.getPropertyValue(name);
    const values = this.#shown === "value" ? this.#motion.values : this.#motion.microseconds;
    const wide = width - margin.left - margin.right;
    const high = height - margin.top - margin.bottom;
    const bars = barsOf(values, Math.max(2, Math.floor(wide)));
    const marks = ticks(topOf(values), 3);
    const top = marks.at(-1)!;
    const x = (step: number): number => margin.left + (step / Math.max(1, this.#motion.steps - 1)) * wide;
    const y = (value: number): number => margin.top + Math.max(0, 1 - value / top) * high;
    context.font = `11px ${style.fontFamily}`;
    for (const [first, last] of stretches(this.#motion.colliding)) {
      const [from, to] = [x(first) - 0.75, Math.max(x(last) + 0.75, x(first) + 1.5)];
      context.fillStyle = colour("--contact-band");
      context.fillRect(from, margin.top, to - from, high);
      context.fillStyle = colour("--contact");
      context.fillRect(from, margin.top + high + 2, to - from, 4);
    }
    context.textAlign = "right";
    context.textBaseline = "middle";
    for (const mark of marks) {
      context.fillStyle = colour("--line");
      context.fillRect(margin.left, y(mark), wide, 1);
      context.fillStyle = colour("--quiet");
      context.fillText(this.#shown === "value" ? number(mark) : microseconds(mark), margin.left - 6, y(mark));
    }
    context.fillStyle = colour("--plot");
    const thick = Math.max(1, wide / values.length / 1.5);
    for (const bar of bars) context.fillRect(margin.left + bar.column - thick / 2, y(bar.most), thick, Math.max(1.5, y(0) - y(bar.most)));
    context.textAlign = "center";
    for (const bar of bars) if (bar.most > top) context.fillText("▲", margin.left + bar.column, margin.top + 2); // leaves the picture
    context.fillStyle = colour("--text");
    context.fillRect(x(this.#store.state.step) - 1, margin.top - 6, 2, high + 12);
    const worst = bars.reduce((most, bar) => Math.max(most, bar.most), 0);
    this.#plot.setAttribute("aria-label", `${this.#shown === "value" ? this.#motion.value : "Time"} of each step, at most ${this.#shown === "value" ? number(worst) : microseconds(worst)}`);
  }
}
