// SPDX-License-Identifier: Apache-2.0
// The list of parts: searched, shown and hidden, and each a link to itself in the scene.
import { element } from "./dom";
import { follow, linkTo } from "./link";
import { LongList } from "./long_list";
import { partColour } from "./palette";
import type { Report } from "./report";
import type { Store } from "./store";
import { count, whole } from "./words";

/** The parts whose name or group contains all words. */
export function findParts(report: Report, search: string): number[] {
  const words = search.toLowerCase().split(/\s+/).filter((word) => word !== "");
  return [...report.parts.keys()].filter((part) => {
    const text = `${report.parts[part]!.name} ${report.parts[part]!.group}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

export function partsPane(report: Report, store: Store): HTMLElement {
  const moved = new Set(report.motion?.moved ?? []);
  let items: number[] = [];
  const rows = new Map<number, { row: HTMLElement; box: HTMLInputElement }>();
  const search = element("input", { type: "search", placeholder: "Search parts", aria: { label: "Search parts" }, data: { search: "" }, oninput: () => { fill(); } });
  const status = element("p", { class: "found", aria: { role: "status" } });
  const body = element("ul", { class: "parts" });

  const setHidden = (change: (hidden: Set<number>) => void): void => {
    const hidden = new Set(store.state.hidden);
    change(hidden);
    store.set({ hidden });
  };
  const row = (part: number): HTMLElement => {
    const { name, mesh } = report.parts[part]!;
    const link = linkTo({ kind: "part", index: part });
    const box = element("input", { type: "checkbox", aria: { label: `Show ${name}` }, onchange: () => { setHidden((hidden) => { if (box.checked) hidden.delete(part); else hidden.add(part); }); } });
    const swatch = element("span", { class: "swatch" });
    const [a, b] = moved.size > 0 && moved.has(part) ? ["", ""] : [partColour(part, "light", moved.size > 0), ""];
    swatch.style.background = a === "" ? "var(--a)" : `#${a.toString(16).padStart(6, "0")}${b}`;
    const made = element("li", {}, box, swatch,
      element("a", { href: link, class: "name", title: name, onclick: () => { follow(link); } }, name),
      element("span", { class: "figure" }, whole(report.meshes[mesh]!.triangles)));
    rows.set(part, { row: made, box });
    mark(part);
    return made;
  };
  const mark = (part: number): void => {
    const { focus, hidden } = store.state;
    const at = rows.get(part)!;
    at.box.checked = !hidden.has(part);
    if (focus?.kind === "part" && focus.index === part) at.row.setAttribute("aria-current", "true");
    else at.row.removeAttribute("aria-current");
  };
  const list = new LongList(body, row);
  const fill = (): void => {
    rows.clear();
    items = findParts(report, search.value);
    list.show(items);
    tell();
  };
  const tell = (): void => {
    const { hidden } = store.state;
    const words = search.value.trim() === "" ? [] : [`${count(items.length, "part")} found`];
    if (hidden.size > 0) words.push(`${whole(hidden.size)} hidden`);
    status.textContent = words.join(", ");
  };
  const button = (title: string, meaning: string, change: (hidden: Set<number>) => void): HTMLElement =>
    element("button", { type: "button", title: meaning, onclick: () => { setHidden(change); } }, title);
  fill();
  store.watch(["hidden", "focus"], ({ focus }) => {
    if (focus?.kind === "part") list.reach(focus.index);
    for (const part of rows.keys()) mark(part);
    if (focus?.kind === "part") rows.get(focus.index)?.row.scrollIntoView({ block: "nearest" });
    tell();
  });
  return element("div", { class: "pane-content" },
    element("div", { class: "tools" }, search,
      element("div", { class: "buttons" },
        button("Show", "Show the parts in the list", (hidden) => { for (const part of items) hidden.delete(part); }),
        button("Hide", "Hide the parts in the list", (hidden) => { for (const part of items) hidden.add(part); }),
        button("Only these", "Show the parts in the list and hide all others", (hidden) => {
          for (const part of report.parts.keys()) hidden.add(part);
          for (const part of items) hidden.delete(part);
        })),
      status),
    element("div", { class: "scroll" }, body, list.more));
}
