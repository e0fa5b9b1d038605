// SPDX-License-Identifier: Apache-2.0
// How the scene is shown: cut by a plane, moved apart, with bounding volumes. And what the page holds.
import { element } from "./dom";
import type { Report } from "./report";
import type { Axis, State, Store } from "./store";
import { count, number } from "./words";

function field(title: string, ...controls: HTMLElement[]): HTMLElement {
  return element("fieldset", {}, element("legend", {}, title), ...controls);
}

/** Buttons of which one is pressed. */
function choice<T extends string>(store: Store, keys: (keyof State)[], options: [T, string][], chosen: (state: State) => T, choose: (value: T) => void): HTMLElement {
  const buttons = options.map(([value, title]) => element("button", { type: "button", data: { value }, onclick: () => { choose(value); } }, title));
  store.watch(keys, (state) => {
    for (const button of buttons) button.setAttribute("aria-pressed", String(button.dataset["value"] === chosen(state)));
  });
  return element("div", { class: "choice" }, ...buttons);
}

function slider(label: string, least: number, most: number, onInput: (value: number) => void): HTMLInputElement {
  return element("input", { type: "range", min: String(least), max: String(most), step: "0.005", aria: { label }, oninput: (event) => { onInput((event.target as HTMLInputElement).valueAsNumber); } });
}

/** Where a section plane is in the world, without what is left over of two numbers that cancel. */
export function placeOf(report: Pick<Report, "origin" | "scale">, { axis, at }: { axis: Axis; at: number }): number {
  const place = report.origin["xyz".indexOf(axis)]! + at * report.scale;
  return Math.abs(place) < 1e-9 * report.scale ? 0 : place;
}

function sectionField(report: Report, store: Store): HTMLElement {
  const at = slider("Place of the section plane", -1, 1, (value) => {
    const { section } = store.state;
    if (section) store.set({ section: { ...section, at: value } });
  });
  const place = element("output");
  const flip = element("button", { type: "button", onclick: () => {
    const { section } = store.state;
    if (section) store.set({ section: { ...section, flipped: !section.flipped } });
  } }, "Other side");
  const more = element("div", { class: "line" }, at, place, flip);
  store.watch(["section", "explode"], ({ section, explode }) => {
    more.hidden = section === null;
    // As far as parts are.
    const most = 1 + explode;
    [at.min, at.max] = [String(-most), String(most)];
    if (section && Math.abs(section.at) > most) {
      store.set({ section: { ...section, at: Math.sign(section.at) * most } });
      return;
    }
    if (!section) return;
    at.valueAsNumber = section.at;
    place.textContent = `${section.axis} = ${number(placeOf(report, section))}`;
    flip.setAttribute("aria-pressed", String(section.flipped));
  });
  const axes: ["none" | Axis, string][] = [["none", "None"], ["x", "X"], ["y", "Y"], ["z", "Z"]];
  return field("Section", choice(store, ["section"], axes, (state) => state.section?.axis ?? "none", (axis) => {
    store.set({ section: axis === "none" ? null : { at: 0, flipped: false, ...store.state.section, axis } });
  }), more);
}

function explodeField(store: Store): HTMLElement {
  const amount = slider("How far parts are moved apart", 0, 2, (value) => { store.set({ explode: value }); });
  const words = element("output");
  store.watch(["explode"], ({ explode }) => {
    amount.valueAsNumber = explode;
    words.textContent = `${Math.round(explode * 100)} %`;
  });
  return field("Explode", element("div", { class: "line" }, amount, words));
}

function volumesField(report: Report, store: Store): HTMLElement | null {
  const depths = [...new Set(report.volumes.map((v) => v.depth))];
  if (depths.length === 0) return null;
  const options: [string, string][] = [["none", "None"], ...depths.map((d): [string, string] => [String(d), String(d)])];
  return field("Bounding volumes, by depth of the tree", choice(store, ["level"], options, (state) => String(state.level ?? "none"), (value) => {
    store.set({ level: value === "none" ? null : Number(value) });
  }));
}

export function toolsPane(report: Report, store: Store): HTMLElement {
  const triangles = report.parts.reduce((sum, part) => sum + report.meshes[part.mesh]!.triangles, 0);
  const distinct = new Set(report.parts.map((part) => part.mesh)).size;
  const facts = [
    `${count(report.parts.length, "part")}, ${count(distinct, "mesh", "meshes")}, ${count(triangles, "triangle")}`,
    `Lengths are in ${report.units === "" ? "the units of the files" : report.units}.`,
    ...report.notes,
    `Made by tumble ${report.tumble}, ${report.command}.`,
  ];
  const volumes = volumesField(report, store);
  return element("div", { class: "pane-content scroll" },
    sectionField(report, store), explodeField(store), ...(volumes ? [volumes] : []),
    field("Up", choice<"y" | "z">(store, ["up"], [["z", "Z"], ["y", "Y"]], (state) => state.up, (up) => { store.set({ up }); })),
    field("About", ...facts.map((fact) => element("p", {}, fact)), element("p", { id: "drawn" })));
}
