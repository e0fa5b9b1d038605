// SPDX-License-Identifier: Apache-2.0
// The table of clashes: sorted by any column, searched, and each row a link to its place in the scene.
import { element, nameLabel } from "./dom";
import { follow, linkTo } from "./link";
import { LongList } from "./long_list";
import type { Report } from "./report";
import { rowsOf, type Column, type Order } from "./sorting";
import type { Store } from "./store";
import { count, measure, whole } from "./words";

const titles: [Column, string, string][] = [
  ["number", "#", "in the order they were found"],
  ["class", "Class", "the most serious first"],
  ["parts", "Parts", "by name"],
  ["contacts", "Contacts", "pairs of triangles that touch"],
  ["depth", "Depth or gap", "how deep they overlap, or how far apart they are"],
];

/** A row of several steps has the most contacts of all of them. */
const isLong = ({ steps }: Report["clashes"][number]): boolean => steps !== null && steps[0] !== steps[1];

export function clashesPane(report: Report, store: Store): HTMLElement {
  const measured = report.clashes.some((clash) => measure(clash, "")[0] !== "");
  // Pairs of an assembly have no order of their own, and steps do.
  let order: Order = { column: report.command === "clash" ? "class" : "number", descending: false };
  const search = element("input", { type: "search", placeholder: "Search clashes", aria: { label: "Search clashes" }, data: { search: "" }, oninput: () => { fill(); } });
  const found = element("p", { class: "found", aria: { role: "status" } });
  const body = element("tbody");
  const rows = new Map<number, HTMLElement>();

  const row = (index: number): HTMLElement => {
    const clash = report.clashes[index]!;
    const link = linkTo({ kind: "clash", index });
    const [short, full] = measure(clash, report.units);
    const steps = clash.steps && (clash.steps[0] === clash.steps[1] ? `step ${clash.steps[0]}` : `steps ${clash.steps[0]}–${clash.steps[1]}`);
    const made = element("tr", { data: { verdict: clash.verdict }, onclick: () => { follow(link); } },
      element("td", {}, element("a", { href: link, aria: { label: `Clash ${index + 1}: ${report.parts[clash.a]!.name} and ${report.parts[clash.b]!.name}` } }, String(index + 1))),
      element("td", {}, element("span", { class: "badge" }, clash.class), ...(clash.verdict === "allowed" || clash.verdict === "known" ? [element("span", { class: "pardon" }, clash.verdict)] : [])),
      element("td", { class: "names" },
        ...[clash.a, clash.b].map((part, i) => nameLabel(report.parts[part]!.name, "ab"[i]!)),
        ...(steps ? [element("span", { class: "steps" }, steps)] : [])),
      element("td", { class: "figure" }, clash.contacts === null ? "" : `${isLong(clash) ? "≤ " : ""}${whole(clash.contacts)}`),
      ...(measured ? [element("td", { class: "figure", title: full }, short)] : []));
    rows.set(index, made);
    mark(index, made);
    return made;
  };
  const mark = (index: number, made: HTMLElement): void => {
    const { focus } = store.state;
    if (focus?.kind === "clash" && focus.index === index) made.setAttribute("aria-current", "true");
    else made.removeAttribute("aria-current");
  };
  const list = new LongList(body, row);

  const heads = titles.filter(([column]) => measured || column !== "depth").map(([column, title, meaning]) => {
    const sort = (): void => {
      // What is most interesting comes first: the serious, the many, the deep.
      const largestFirst = column === "contacts" || column === "depth";
      order = { column, descending: order.column === column ? !order.descending : largestFirst };
      fill();
    };
    return element("th", { scope: "col", data: { column } }, element("button", { type: "button", title: `Sort ${meaning}`, onclick: sort }, column === "depth" && report.units !== "" ? `${title}, ${report.units}` : title));
  });
  const fill = (): void => {
    rows.clear();
    const items = rowsOf(report, order, search.value);
    list.show(items);
    store.set({ rows: items });
    found.textContent = search.value.trim() === "" ? "" : `${count(items.length, "clash", "clashes")} found`;
    for (const head of heads) {
      if (head.dataset["column"] === order.column) head.setAttribute("aria-sort", order.descending ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    }
  };
  fill();
  store.watch(["focus"], ({ focus }) => {
    if (focus?.kind === "clash") list.reach(focus.index);
    for (const [index, made] of rows) mark(index, made);
    if (focus?.kind === "clash") rows.get(focus.index)?.scrollIntoView({ block: "nearest" });
  });
  return element("div", { class: "pane-content" }, element("div", { class: "tools" }, search, found),
    element("div", { class: "scroll" }, element("table", {}, element("thead", {}, element("tr", {}, ...heads)), body), list.more));
}
