// SPDX-License-Identifier: Apache-2.0
// Numbers in words for people.

/** So many digits, with a factor of ten only where it is needed. */
export function number(value: number, digits = 4): string {
  if (Number.isNaN(value)) return "unknown";
  if (value !== 0 && (Math.abs(value) >= 1e6 || Math.abs(value) < 1e-3)) return value.toExponential(2);
  return String(Number(value.toPrecision(digits)));
}

/** The words of a part's name, each with what ends it: _, -, / and the like. */
export function wordsOf(name: string): string[] {
  return name.split(/(?<=[^\p{L}\p{N}])(?=[\p{L}\p{N}])/u);
}

export function whole(value: number): string {
  return value.toLocaleString("en-GB");
}

/** "1 part", "12 parts". */
export function count(n: number, noun: string, plural = `${noun}s`): string {
  return `${whole(n)} ${n === 1 ? noun : plural}`;
}

/** How deep two parts overlap or how far apart they are: in short, and in full. Both empty if they only touch. */
export function measure({ class: kind, depth, gap }: { class: string; depth: [number, number] | null; gap: number | null }, units: string): [short: string, full: string] {
  const unit = units === "" ? "" : ` ${units}`;
  if (depth) {
    const [least, most] = [number(depth[0]), number(depth[1])];
    return [`↧ ${number(depth[1], 3)}`, `${least === most ? least : `${least} to ${most}`}${unit} deep`];
  }
  if (kind === "piercing") return ["?", "depth unknown: a part is not closed"];
  return gap === null ? ["", ""] : [`↔ ${number(gap, 3)}`, `${number(gap)}${unit} apart`];
}

export function microseconds(value: number): string {
  return value >= 1000 ? `${number(value / 1000)} ms` : `${number(value)} µs`;
}
