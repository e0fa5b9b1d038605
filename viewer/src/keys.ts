// SPDX-License-Identifier: Apache-2.0
// The keys of the page, and the list of them that "?" shows.
import { element } from "./dom";

export interface Key {
  keys: string[];
  shown: string;
  meaning: string;
  act: () => void;
}

/** Keys that the scene itself takes when it has the focus. */
const ofScene: [string, string][] = [
  ["arrows", "turn the view (with the focus on the scene)"],
  ["Shift + arrows", "move the view"],
  ["+ and −", "zoom"],
];

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement ||
  (target instanceof HTMLInputElement && target.type !== "checkbox" && target.type !== "range");

const isBox = (target: EventTarget | null): boolean => target instanceof HTMLInputElement && target.type === "checkbox";

export function listen(keys: Key[]): void {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || (isTyping(event.target) && event.key !== "Escape")) return;
    if (document.querySelector("dialog[open]")) return; // which has its own
    // A button or a box that has the focus keeps the space bar.
    if (event.key === " " && (event.target instanceof HTMLButtonElement || isBox(event.target))) return;
    const key = keys.find((k) => k.keys.includes(event.key));
    if (!key) return;
    event.preventDefault();
    key.act();
  });
}

export function fillHelp(dialog: HTMLDialogElement, keys: Key[]): void {
  const rows = [...keys.map((k): [string, string] => [k.shown, k.meaning]), ...ofScene];
  dialog.append(
    element("h2", { id: "help-title" }, "Keys"),
    element("dl", {}, ...rows.flatMap(([shown, meaning]) => [element("dt", {}, element("kbd", {}, shown)), element("dd", {}, meaning)])),
    element("p", {}, "Mouse: drag turns, right drag or Shift moves, the wheel zooms, a click chooses a part. Touch: one finger turns, two move and zoom."),
    element("form", { method: "dialog" }, element("button", { type: "submit" }, "Close")));
}
