// SPDX-License-Identifier: Apache-2.0
// Links, sorting, placing, plots, words and the store.
import { expect, test } from "vitest";
import { focusOf, linkTo } from "../../src/link";
import { findParts } from "../../src/parts";
import { matrixOf, stillRows } from "../../src/placing";
import type { Report } from "../../src/report";
import { barsOf, stretches, ticks, topOf } from "../../src/series";
import { rowsOf } from "../../src/sorting";
import { Store, type State } from "../../src/store";
import { placeOf } from "../../src/tools";
import { count, measure, microseconds, number, spelt, wordsOf } from "../../src/words";

type Clash = Report["clashes"][number];
const clash = (a: number, b: number, kind: string, more: Partial<Clash> = {}): Clash =>
  ({ a, b, class: kind, contacts: null, gap: null, depth: null, point: null, verdict: "fails", steps: null, outline: { offset: 0, segments: 0 }, ...more });
const report: Report = {
  tumble: "0", schema: "report/1", title: "", command: "clash", units: "mm", origin: [10, 0, 0], scale: 2, meshes: [],
  parts: ["bolt", "bolt#10", "bolt#2", "plate"].map((name) => ({ name, group: name === "plate" ? "frame" : "", mesh: 0, pose: [1, 0, 0, 14, 0, 1, 0, 0, 0, 0, 1, 0] })),
  clashes: [
    clash(2, 3, "touching", { contacts: 5, gap: 0, verdict: "passes" }), clash(1, 3, "piercing", { contacts: 7, depth: [1, 2] }),
    clash(0, 3, "too close", { gap: 0.5, verdict: "allowed" }), clash(0, 1, "piercing", { contacts: 7, depth: [3, 3] }),
  ],
  motion: null, volumes: [], notes: [],
};

test("links go there and back, and others lead nowhere", () => {
  const sizes = { clash: 12, part: 3 };
  for (const focus of [{ kind: "clash", index: 11 }, { kind: "part", index: 0 }, null] as const) expect(focusOf(linkTo(focus), sizes)).toEqual(focus);
  for (const link of ["#clash-13", "#clash-0", "#clash--1", "#part-4", "#clash-1e1", "#<img>", "clash-1", "#clash-01"]) expect(focusOf(link, sizes)).toBeNull();
});

test("rows are sorted by any column, both ways, and equal ones by number", () => {
  const order = (column: Parameters<typeof rowsOf>[1]["column"], descending = false): number[] => rowsOf(report, { column, descending }, "");
  expect(order("number")).toEqual([0, 1, 2, 3]);
  expect(order("number", true)).toEqual([3, 2, 1, 0]);
  expect(order("class")).toEqual([3, 1, 0, 2]); // the deepest first; what does not fail comes last
  expect(order("parts")).toEqual([3, 2, 0, 1]); // numbers in names as numbers
  expect(order("contacts", true)).toEqual([3, 1, 0, 2]);
  expect(order("depth", true)).toEqual([3, 1, 0, 2]);
});

test("a search finds all words in any order", () => {
  const find = (search: string): number[] => rowsOf(report, { column: "number", descending: false }, search);
  expect(find("PLATE bolt#2")).toEqual([0]);
  expect(find("allowed")).toEqual([2]);
  expect(find("piercing bolt#10")).toEqual([1, 3]);
  expect(find("nothing")).toEqual([]);
  expect(findParts(report, "frame")).toEqual([3]);
  expect(findParts(report, " BOLT 1 ")).toEqual([1]);
});

test("matrices take the grid to the scene", () => {
  const geometry = { positions: new Uint16Array(), indices: new Uint32Array(), lower: [1, 0, 0] as [number, number, number], upper: [3, 4, 0] as [number, number, number] };
  const matrix = matrixOf(report, geometry, stillRows(report, 0), [0, 0, 1], []);
  // The corner (3, 4, 0) stands at (17, 4, 0) in the world.
  const corner = [0, 1, 2].map((r) => matrix[r]! + matrix[4 + r]! + matrix[8 + r]! + matrix[12 + r]!);
  expect(corner).toEqual([3.5, 2, 1]);
});

test("plots: bars, ticks, tops, stretches", () => {
  expect(barsOf(Float32Array.from([1, 5, 2, Number.NaN, 3]), 2)).toEqual([{ column: 0, least: 1, most: 5 }, { column: 1, least: 2, most: 3 }]);
  expect(barsOf(new Float32Array(100000), 50)).toHaveLength(50);
  expect(ticks(37, 4)).toEqual([0, 10, 20, 30, 40]);
  expect(ticks(0.3, 3)).toEqual([0, 0.1, 0.2, 0.3]);
  expect(ticks(0, 3)).toEqual([0, 1]);
  expect(topOf(Float32Array.from([1, 2, 3]))).toBe(3);
  expect(topOf(Float32Array.from({ length: 1000 }, (_, i) => (i === 7 ? 1000 : 1)))).toBe(2);
  expect(stretches(Uint8Array.from([1, 1, 0, 1, 0, 0, 1]))).toEqual([[0, 1], [3, 3], [6, 6]]);
});

test("numbers in words", () => {
  expect(number(0.123456)).toBe("0.1235");
  expect(number(1e-9)).toBe("1.00e-9");
  expect(number(0)).toBe("0");
  expect(number(9.99e-4)).toBe("0.000999"); // beside 0.001
  expect(number(2.35e-4, 3)).toBe("2.35e-4");
  expect(count(1, "clash", "clashes")).toBe("1 clash");
  expect(count(1234, "part")).toBe("1,234 parts");
  expect(microseconds(1500)).toBe("1.5 ms");
  expect(measure({ class: "piercing", depth: [1.23456, 1.3], gap: null }, "mm")).toEqual(["↧ 1.3", "1.235 to 1.3 mm deep"]);
  expect(measure({ class: "piercing", depth: [0, 5.8], gap: null }, "")).toEqual(["≤ 5.8", "0 to 5.8 deep"]);
  expect(measure({ class: "contained", depth: [2, 2.00001], gap: null }, "")).toEqual(["↧ 2", "2 deep"]);
  expect(measure({ class: "near", depth: null, gap: 0.25 }, "m")).toEqual(["↔ 0.25", "0.25 m apart"]);
  expect(measure({ class: "near", depth: null, gap: 0.25, steps: [3, 3] }, "")).toEqual(["↔ 0.25", "0.25 apart"]);
  expect(measure({ class: "near", depth: null, gap: 0.25, steps: [3, 4] }, "")).toEqual(["↔ ≥ 0.25", "at least 0.25 apart"]);
  expect(measure({ class: "touching", depth: null, gap: null }, "m")).toEqual(["", ""]);
  expect(measure({ class: "piercing", depth: null, gap: null }, "m")).toEqual(["?", "depth unknown: a part is not closed"]);
  for (const [name, words] of [["a_b/c-d", ["a_", "b/", "c-", "d"]], ["bolt#2", ["bolt", "#2"]], ["a #1", ["a ", "#1"]], ["Größe 1", ["Größe ", "1"]], ["", [""]]] as const)
    expect(wordsOf(name)).toEqual(words);
});

test("a section plane stands at zero where the origin and its place cancel", () => {
  const symmetric = { origin: [9.71e-17, 5, -1] as [number, number, number], scale: 2 };
  expect(placeOf(symmetric, { axis: "x", at: 0 })).toBe(0);
  expect(placeOf(symmetric, { axis: "y", at: 0.5 })).toBe(6);
  expect(placeOf(symmetric, { axis: "z", at: 0.5 })).toBe(0);
  expect(placeOf({ origin: [1e-12, 0, 0], scale: 1e-12 }, { axis: "x", at: 0 })).toBe(1e-12);
});

test("the store tells those who asked, and only of changes", () => {
  const state: State = { focus: null, rows: [], hidden: new Set(), explode: 0, section: null, level: null, step: 0, playing: false, up: "z", theme: "light" };
  const store = new Store(state);
  const seen: number[] = [];
  store.watch(["step"], ({ step }) => { seen.push(step); });
  store.set({ step: 4 });
  store.set({ step: 4 });
  store.set({ explode: 1 });
  expect(seen).toEqual([0, 4]);
});

test("marks that turn the order of letters round are spelt out, letters of any script are not", () => {
  expect(spelt("bolt\u202egnp.step\u202c")).toBe("bolt\\u202egnp.step\\u202c");
  expect(spelt("\u061c\u200e\u200f\u2028\u2029\u202a\u2066\u2069")).toBe("\\u061c\\u200e\\u200f\\u2028\\u2029\\u202a\\u2066\\u2069");
  for (const name of ["bolt#2", "Schraube Größe 4", "\u05d1\u05d5\u05e8\u05d2", "\u200dx\u202f5"]) expect(spelt(name)).toBe(name);
});
