// SPDX-License-Identifier: Apache-2.0
// Numbers in words for people.

/** So many digits, with a factor of ten only where it is needed. */
export function number(value: number, digits = 4): string {
  if (Number.isNaN(value)) return "unknown";
  if (value !== 0 && (Math.abs(value) >= 1e6 || Math.abs(value) < 1e-3)) return value.toExponential(2);
  return String(Number(value.toPrecision(digits)));
}

export function whole(value: number): string {
  return value.toLocaleString("en-GB");
}

/** "1 part", "12 parts". */
export function count(n: number, noun: string, plural = `${noun}s`): string {
  return `${whole(n)} ${n === 1 ? noun : plural}`;
}

export function microseconds(value: number): string {
  return value >= 1000 ? `${number(value / 1000)} ms` : `${number(value)} µs`;
}
