// SPDX-License-Identifier: Apache-2.0
// Links into a page: #clash-12 and #part-3. The address is where a focus comes from, so that every one can be sent on.
import type { Focus } from "./store";

/** Rows of the table and parts count from 1 for people. */
export function linkTo(focus: Focus): string {
  return focus ? `#${focus.kind}-${focus.index + 1}` : "#";
}

/** Goes to a link; also to where the page is already, from which the view may have moved away. */
export function follow(link: string): void {
  if (location.hash === link) dispatchEvent(new HashChangeEvent("hashchange"));
  else location.hash = link;
}

/** What a link names; null if there is no such thing. */
export function focusOf(link: string, sizes: Record<"clash" | "part", number>): Focus {
  const match = /^#(clash|part)-([1-9]\d{0,8})$/.exec(link);
  if (!match) return null;
  const kind = match[1] as "clash" | "part";
  const index = Number(match[2]) - 1;
  return index < sizes[kind] ? { kind, index } : null;
}
