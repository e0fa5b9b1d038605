// SPDX-License-Identifier: Apache-2.0
// The page: reads its data, makes the scene and the panes, and ties them together.
import "./style.css";
import { goWith, homeView, lookAt, otherSides, roomFor, zoom, type Vec, type View } from "./camera";
import { clashesPane } from "./clashes";
import { Controls } from "./controls";
import { byId, element, nameLabel } from "./dom";
import { fillHelp, listen, type Key } from "./keys";
import { focusOf, linkTo } from "./link";
import { partsPane } from "./parts";
import { bytesOf, decode, type Payload } from "./payload";
import type { Report } from "./report";
import { Scene } from "./scene";
import { Store, type Focus } from "./store";
import { Tabs } from "./tabs";
import { Timeline } from "./timeline";
import { toolsPane } from "./tools";
import { count, measure, spelt, whole } from "./words";

/** Of the places at which Scene.seen looks. */
const enoughSeen = 3;

function read(): Payload {
  const text = (id: string): string => document.getElementById(id)?.textContent ?? "";
  const report = JSON.parse(text("report"), (_, value: unknown) => (typeof value === "string" ? spelt(value) : value)) as Report;
  return decode(report, bytesOf(text("binary")));
}

function summary(report: Report): string {
  const words: string[] = [];
  const are = (verdict: string): number => report.clashes.filter((clash) => clash.verdict === verdict).length;
  if (report.command !== "view") words.push(count(are("fails"), "clash", "clashes"));
  for (const verdict of ["known", "allowed"]) if (are(verdict) > 0) words.push(`${whole(are(verdict))} ${verdict}`);
  if (are("passes") > 0) words.push(count(are("passes"), "other pair"));
  words.push(count(report.parts.length, "part"));
  if (report.motion) words.push(count(report.motion.steps, "step"));
  return words.join(" · ");
}

/** What a focus is, in words, for the label and for screen readers. */
function labelOf(report: Report, focus: Focus): HTMLElement[] {
  if (!focus) return [];
  const name = (part: number, side = ""): HTMLElement => nameLabel(report.parts[part]!.name, side);
  if (focus.kind === "part") return [name(focus.index)];
  const clash = report.clashes[focus.index]!;
  return [
    element("span", { class: "number" }, `Clash ${focus.index + 1}, ${clash.class}`), name(clash.a, "a"), name(clash.b, "b"),
    element("span", { class: "measure" }, measure(clash, report.units)[1]),
  ];
}

function start(payload: Payload): void {
  const { report, motion } = payload;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const store = new Store({
    focus: null, rows: [], hidden: new Set(), explode: 0, section: null, level: null, step: 0, playing: false, up: "z",
    theme: dark.matches ? "dark" : "light",
  });
  document.title = `${report.title} – tumble`;
  byId("title", HTMLHeadingElement).textContent = report.title;
  byId("summary", HTMLParagraphElement).textContent = summary(report);
  store.watch(["theme"], ({ theme }) => {
    document.documentElement.dataset["theme"] = theme;
    byId("theme-button", HTMLButtonElement).textContent = theme === "dark" ? "Light" : "Dark";
  });
  const toggleTheme = (): void => { store.set({ theme: store.state.theme === "dark" ? "light" : "dark" }); };
  byId("theme-button", HTMLButtonElement).addEventListener("click", toggleTheme);
  dark.addEventListener("change", () => { store.set({ theme: dark.matches ? "dark" : "light" }); });

  const timeline = motion && new Timeline(byId("timeline", HTMLElement), motion, store);
  const canvas = byId("scene", HTMLCanvasElement);
  const scene = new Scene(canvas, payload, store, homeView);
  const controls = new Controls(canvas, scene, store);

  const tabs = new Tabs(byId("tabs", HTMLDivElement), byId("panes", HTMLDivElement), [
    ...(report.clashes.length > 0 ? [{ name: "clashes", title: "Clashes", content: clashesPane(report, store) }] : []),
    { name: "parts", title: "Parts", content: partsPane(report, store) },
    { name: "view", title: "View", content: toolsPane(report, store) },
  ]);

  // The focus comes from the address and goes there, so that it can be sent on as a link.
  const linked = (): Focus => focusOf(location.hash, { clash: report.clashes.length, part: report.parts.length });
  const goTo = (focus: Focus): void => {
    if (linkTo(focus) !== location.hash) location.hash = linkTo(focus);
  };
  const readLink = (): void => {
    const focus = linked();
    if (focus !== null || store.state.focus !== null) store.set({ focus, playing: false });
  };
  addEventListener("hashchange", readLink);

  const everything = (): View => lookAt(scene.view, [0, 0, 0], 1 + store.state.explode, scene.aspect);
  /** How far an explosion has moved what a focus is about, and its two parts from each other. */
  const spreadOf = (focus: Focus): { way: Vec; apart: number } => {
    if (!focus) return { way: [0, 0, 0], apart: 0 };
    const parts = focus.kind === "clash" ? report.clashes[focus.index]! : { a: focus.index, b: focus.index };
    const [a, b] = [scene.shiftOf(parts.a), scene.shiftOf(parts.b)];
    return { way: a.map((x, i) => (x + b[i]!) / 2) as Vec, apart: Math.hypot(...a.map((x, i) => x - b[i]!)) };
  };
  // What moves apart stays in the picture.
  let [explodedBefore, spreadBefore] = [0, spreadOf(null)];
  store.watch(["explode"], ({ explode, focus }) => {
    const { way, apart } = spreadOf(focus);
    if (focus === null) scene.view = zoom(scene.view, (1 + explode) / (1 + explodedBefore));
    else scene.view = goWith(scene.view, way.map((x, i) => x - spreadBefore.way[i]!) as Vec, apart - spreadBefore.apart, scene.aspect);
    [explodedBefore, spreadBefore] = [explode, { way, apart }];
  });
  const pointOf = (focus: Focus): Vec | null => {
    if (focus?.kind !== "clash") return null;
    const { point, a } = report.clashes[focus.index]!;
    const shift = scene.shiftOf(a);
    return point && (point.map((x, i) => (x - report.origin[i]!) / report.scale + shift[i]!) as Vec);
  };
  const viewOf = (focus: NonNullable<Focus>): View => {
    if (focus.kind === "part") {
      const ball = scene.ballOf(focus.index);
      return lookAt(scene.view, ball.centre, Math.max(ball.radius, 1e-3), scene.aspect);
    }
    const clash = report.clashes[focus.index]!;
    const [a, b] = [scene.ballOf(clash.a), scene.ballOf(clash.b)];
    const [small, large] = a.radius < b.radius ? [clash.a, clash.b] : [clash.b, clash.a];
    const point = pointOf(focus) ?? a.centre;
    // Near enough to see the place, far enough to see both parts of it; from a side on which the other one does not hide the smaller.
    const shift = scene.shiftOf(clash.a);
    const { centre, radius } = small === clash.a ? a : b;
    const unspread = centre.map((x, i) => x - scene.shiftOf(small)[i]! + shift[i]!) as Vec;
    const close = lookAt(scene.view, point, roomFor(point, { centre: unspread, radius }, (clash.gap ?? 0) / report.scale), scene.aspect);
    const { way, apart } = spreadOf(focus);
    const toMiddle = way.map((x, i) => x - shift[i]!) as Vec;
    const view = goWith(close, toMiddle, apart, scene.aspect);
    const seen = scene.seen(view, small, large);
    if (seen >= enoughSeen) return view;
    return otherSides(view).map((side) => ({ side, seen: scene.seen(side, small, large) }))
      .reduce((best, other) => (other.seen > best.seen ? other : best), { side: view, seen }).side;
  };
  store.watch(["focus"], ({ focus }) => {
    byId("focus-label", HTMLDivElement).replaceChildren(...labelOf(report, focus));
    byId("clear-button", HTMLButtonElement).hidden = focus === null;
    spreadBefore = spreadOf(focus);
    if (focus === null) return;
    tabs.choose(focus.kind === "clash" ? "clashes" : "parts");
    const hidden = new Set(store.state.hidden);
    const clash = focus.kind === "clash" ? report.clashes[focus.index]! : null;
    for (const part of clash ? [clash.a, clash.b] : [focus.index]) hidden.delete(part);
    const step = clash?.steps?.[0] ?? store.state.step;
    store.set(hidden.size === store.state.hidden.size ? { step } : { step, hidden });
    controls.flyTo(viewOf(focus));
  });
  // A clash is over where its steps are: another step shows something else.
  store.watch(["step"], ({ focus, step }) => {
    const steps = focus?.kind === "clash" ? report.clashes[focus.index]!.steps : null;
    if (!steps || (step >= steps[0] && step <= steps[1])) return;
    store.set({ focus: null });
    goTo(null);
  });
  controls.onClick = (x, y) => {
    const part = scene.pick(x, y);
    goTo(part === null ? null : { kind: "part", index: part });
  };
  byId("fit-button", HTMLButtonElement).addEventListener("click", () => { controls.flyTo(everything()); });
  byId("clear-button", HTMLButtonElement).addEventListener("click", () => { goTo(null); });

  const marker = byId("marker", HTMLDivElement);
  scene.afterDrawing = (drawn) => {
    const point = pointOf(store.state.focus);
    const at = point && scene.project(point);
    marker.hidden = at === null;
    if (at) marker.style.transform = `translate(${at[0] * canvas.clientWidth}px, ${at[1] * canvas.clientHeight}px)`;
    byId("drawn", HTMLParagraphElement).textContent = `Drawn now: ${count(drawn.triangles, "triangle")} in ${count(drawn.calls, "call")}.`;
    document.body.dataset["calls"] = String(drawn.calls);
    document.body.dataset["triangles"] = String(drawn.triangles);
  };

  const nextClash = (by: number): void => {
    const { rows } = store.state;
    if (rows.length === 0) return;
    const focus = linked(); // the store hears of a new address later than a second key
    const now = focus?.kind === "clash" ? rows.indexOf(focus.index) : -1;
    goTo({ kind: "clash", index: rows.at(now < 0 && by < 0 ? -1 : (now + by) % rows.length)! });
  };
  const help = byId("help", HTMLDialogElement);
  const keys: Key[] = [
    { keys: ["f", "F"], shown: "F", meaning: "show everything", act: () => { controls.flyTo(everything()); } },
    { keys: ["n"], shown: "N", meaning: "next clash", act: () => { nextClash(1); } },
    { keys: ["p"], shown: "P", meaning: "previous clash", act: () => { nextClash(-1); } },
    { keys: ["Escape"], shown: "Escape", meaning: "leave the clash or part", act: () => { goTo(null); } },
    { keys: ["/"], shown: "/", meaning: "search", act: () => { document.querySelector<HTMLElement>(".pane:not([hidden]) [data-search]")?.focus(); } },
    { keys: ["t"], shown: "T", meaning: "dark or light", act: toggleTheme },
    { keys: ["?"], shown: "?", meaning: "this list", act: () => { help.showModal(); } },
    ...(timeline ? [
      { keys: [" "], shown: "space", meaning: "play or pause", act: () => { timeline.toggle(); } },
      { keys: [",", "["], shown: ",", meaning: "a step back", act: () => { timeline.goTo(store.state.step - 1); } },
      { keys: [".", "]"], shown: ".", meaning: "a step on", act: () => { timeline.goTo(store.state.step + 1); } },
    ] : []),
  ];
  listen(keys);
  fillHelp(help, keys);
  byId("help-button", HTMLButtonElement).addEventListener("click", () => { help.showModal(); });

  const stage = byId("stage", HTMLElement);
  let first = true;
  new ResizeObserver(() => {
    scene.resize(stage.clientWidth, stage.clientHeight);
    if (!first) return;
    first = false;
    scene.view = everything();
    readLink();
    document.body.dataset["ready"] = "";
  }).observe(stage);
}

try {
  start(read());
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  byId("stage", HTMLElement).replaceChildren(element("p", { class: "failure", aria: { role: "alert" } },
    `This report cannot be shown: ${message}. Its browser must have WebGL 2.`));
}
