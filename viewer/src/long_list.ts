// SPDX-License-Identifier: Apache-2.0
// Long lists: only some hundred rows at first, and a button for more, so that ten thousand rows cost nothing.
import { element } from "./dom";
import { whole } from "./words";

const atOnce = 300;

/** Fills `body` with a row for each item, and puts the button after the element that scrolls with it. */
export class LongList {
  readonly #body: HTMLElement;
  readonly #makeRow: (item: number) => HTMLElement;
  readonly more = element("button", { type: "button", class: "more", hidden: true, onclick: () => { this.#add(); } });
  #items: number[] = [];
  #shown = 0;

  constructor(body: HTMLElement, makeRow: (item: number) => HTMLElement) {
    this.#body = body;
    this.#makeRow = makeRow;
  }

  show(items: number[]): void {
    this.#items = items;
    this.#shown = 0;
    this.#body.replaceChildren();
    this.#add();
  }

  /** The row of an item, which is added if it is not there yet. */
  reach(item: number): void {
    while (this.#items.indexOf(item) >= this.#shown) this.#add();
  }

  #add(): void {
    const next = this.#items.slice(this.#shown, this.#shown + atOnce);
    this.#body.append(...next.map((item) => this.#makeRow(item)));
    this.#shown += next.length;
    const left = this.#items.length - this.#shown;
    this.more.hidden = left <= 0;
    this.more.textContent = `${whole(left)} more`;
  }
}
