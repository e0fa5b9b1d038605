// SPDX-License-Identifier: Apache-2.0
// Numbers in words for people.

/** So many digits, with a factor of ten only where it is needed: sooner if there shall be few, for narrow columns. */
export function number(value: number, digits = 4): string {
  if (Number.isNaN(value)) return "unknown";
  if (value !== 0 && (Math.abs(value) >= 1e6 || Math.abs(value) < (digits < 4 ? 1e-3 : 1e-4))) return value.toExponential(2);
  return String(Number(value.toPrecision(digits)));
}

/** A text from a file with what would turn the order of the letters round, or break lines, spelt out: \u202e and its like. */
export function spelt(text: string): string {
  return text.replace(/[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** The words of a part's name, each with what ends it: _, -, / and the like. The #2 of a second part is a word. */
export function wordsOf(name: string): string[] {
  return name.split(/(?<=[^\p{L}\p{N}#])(?=[\p{L}\p{N}])|(?<=[^#])(?=#)/u);
}

export function whole(value: number): string {
  return value.toLocaleString("en-GB");
}

/** "1 part", "12 parts". */
export function count(n: number, noun: string, plural = `${noun}s`): string {
  return `${whole(n)} ${n === 1 ? noun : plural}`;
}

/**
 * How deep two parts overlap or how far apart they are: in short, and in full. Both empty if they only touch. A depth
 * that is only roughly known is at most so much in short; a row of several steps has the least gap of all of them.
 */
export function measure(
  { class: kind, depth, gap, steps }: { class: string; depth: [number, number] | null; gap: number | null; steps?: number[] | null }, units: string,
): [short: string, full: string] {
  const unit = units === "" ? "" : ` ${units}`;
  if (depth) {
    const [least, most] = [number(depth[0]), number(depth[1])];
    const sign = depth[0] < depth[1] / 2 ? "≤" : "↧";
    return [`${sign} ${number(depth[1], 3)}`, `${least === most ? least : `${least} to ${most}`}${unit} deep`];
  }
  if (kind === "piercing") return ["?", "depth unknown: a part is not closed"];
  const [sign, word] = steps && steps[0] !== steps[1] ? ["≥ ", "at least "] : ["", ""];
  return gap === null ? ["", ""] : [`↔ ${sign}${number(gap, 3)}`, `${word}${number(gap)}${unit} apart`];
}

export function microseconds(value: number): string {
  return value >= 1000 ? `${number(value / 1000)} ms` : `${number(value)} µs`;
}
