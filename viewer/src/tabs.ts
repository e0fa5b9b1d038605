// SPDX-License-Identifier: Apache-2.0
// Tabs: panes of which one is seen, by mouse or by arrow keys (WAI-ARIA's pattern of tabs).
import { element } from "./dom";

export class Tabs {
  readonly #tabs: { name: string; tab: HTMLButtonElement; pane: HTMLElement }[];

  constructor(list: HTMLElement, panes: HTMLElement, contents: { name: string; title: string; content: HTMLElement }[]) {
    this.#tabs = contents.map(({ name, title, content }) => ({
      name,
      tab: element("button", { type: "button", id: `tab-${name}`, aria: { role: "tab", controls: `pane-${name}` }, onclick: () => { this.choose(name); } }, title),
      pane: element("div", { id: `pane-${name}`, class: "pane", aria: { role: "tabpanel", labelledby: `tab-${name}` } }, content),
    }));
    list.append(...this.#tabs.map(({ tab }) => tab));
    panes.append(...this.#tabs.map(({ pane }) => pane));
    list.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (step === undefined) return;
      const at = this.#tabs.findIndex(({ tab }) => tab.getAttribute("aria-selected") === "true");
      const next = this.#tabs.at((at + step) % this.#tabs.length)!;
      this.choose(next.name);
      next.tab.focus();
    });
    this.choose(contents[0]!.name);
  }

  choose(name: string): void {
    for (const { name: own, tab, pane } of this.#tabs) {
      tab.setAttribute("aria-selected", String(own === name));
      tab.tabIndex = own === name ? 0 : -1;
      pane.hidden = own !== name;
    }
  }
}
