// SPDX-License-Identifier: Apache-2.0
// The order of the rows of the table of clashes, and which of them a search finds.
import type { Report } from "./report";

export type Clash = Report["clashes"][number];
export type Column = "number" | "class" | "parts" | "contacts" | "depth";
export interface Order {
  column: Column;
  descending: boolean;
}

/** How serious a class is: the worst first. Others come after, and those that do not fail last of all. */
const seriousness = ["duplicate", "contained", "piercing", "contact", "touching", "too close", "near"];

/** Of two parts that overlap their depth, of others their gap below zero: deep ones are largest, far ones least. */
export function depthOf(clash: Clash): number {
  if (clash.depth) return clash.depth[1];
  return clash.gap === null ? Number.NEGATIVE_INFINITY : -clash.gap;
}

function rank(clash: Clash): number {
  const at = seriousness.indexOf(clash.class);
  return (at < 0 ? seriousness.length : at) + (clash.verdict === "fails" ? 0 : 100);
}

/** The indices of the rows that contain all words, in order; equal ones by their numbers. */
export function rowsOf(report: Report, order: Order, search: string): number[] {
  const names = (clash: Clash): string => `${report.parts[clash.a]!.name} ${report.parts[clash.b]!.name}`;
  const words = search.toLowerCase().split(/\s+/).filter((word) => word !== "");
  const rows = [...report.clashes.keys()].filter((row) => {
    const clash = report.clashes[row]!;
    const text = `${names(clash)} ${clash.class} ${clash.verdict}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const compare: Record<Column, (a: Clash, b: Clash) => number> = {
    number: () => 0,
    class: (a, b) => rank(a) - rank(b) || a.class.localeCompare(b.class) || depthOf(b) - depthOf(a) || 0,
    parts: (a, b) => names(a).localeCompare(names(b), "en", { numeric: true }),
    contacts: (a, b) => (a.contacts ?? -1) - (b.contacts ?? -1),
    depth: (a, b) => depthOf(a) - depthOf(b) || 0,
  };
  const sign = order.descending ? -1 : 1;
  return rows.sort((a, b) => sign * (compare[order.column](report.clashes[a]!, report.clashes[b]!) || a - b));
}
