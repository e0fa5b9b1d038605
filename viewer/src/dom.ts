// SPDX-License-Identifier: Apache-2.0
// Small helpers for elements. Text from files only ever becomes text nodes and attributes, never markup.
import { wordsOf } from "./words";

type Child = Node | string;
type Properties<T> = { [K in keyof T]?: T[K] | undefined } & { class?: string; aria?: Record<string, string>; data?: Record<string, string> };

export function element<K extends keyof HTMLElementTagNameMap>(
  name: K, properties: Properties<HTMLElementTagNameMap[K]> = {}, ...children: Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  const { class: className, aria, data, ...rest } = properties;
  Object.assign(made, rest);
  if (className !== undefined) made.className = className;
  for (const [key, value] of Object.entries(aria ?? {})) made.setAttribute(key === "role" ? key : `aria-${key}`, value);
  for (const [key, value] of Object.entries(data ?? {})) made.dataset[key] = value;
  made.append(...children);
  return made;
}

/** The name of a part, with the mark of its side in a clash if it has one. Lines break where words end; a very long name is cut, and whole in its title. */
export function nameLabel(name: string, side: string): HTMLElement {
  const text = wordsOf(name).flatMap((word, i) => (i > 0 ? [element("wbr"), word] : [word]));
  return element("span", { class: `name ${side}` }, element("span", { title: name }, ...text));
}

/** The element of the page with this id. */
export function byId<T extends HTMLElement>(id: string, type: new () => T): T {
  const found = document.getElementById(id);
  if (!(found instanceof type)) throw new Error(`the page has no ${type.name} named ${id}`);
  return found;
}
