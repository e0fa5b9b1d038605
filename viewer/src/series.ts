// SPDX-License-Identifier: Apache-2.0
// A series of values as a line in a picture: for each column of pixels the least and the largest value.

export interface Bar {
  column: number;
  least: number;
  most: number;
}

/** Values that are not finite leave gaps. There are never more bars than columns. */
export function barsOf(values: Float32Array, columns: number): Bar[] {
  const bars: Bar[] = [];
  for (let i = 0; i < values.length; ++i) {
    const value = values[i]!;
    if (!Number.isFinite(value)) continue;
    const column = values.length > 1 ? Math.round((i / (values.length - 1)) * (columns - 1)) : 0;
    const last = bars.at(-1);
    if (last?.column === column) {
      last.least = Math.min(last.least, value);
      last.most = Math.max(last.most, value);
    } else bars.push({ column, least: value, most: value });
  }
  return bars;
}

/** Up to `wanted` round numbers from 0 to at least `most`; the last is the top of the axis. */
export function ticks(most: number, wanted: number): number[] {
  if (!(most > 0)) return [0, 1];
  const rough = most / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find((s) => s * power >= rough)! * power;
  const n = Math.ceil(most / step - 1e-9);
  return Array.from({ length: n + 1 }, (_, i) => Number((i * step).toPrecision(12)));
}

/** The top of a plot: the largest value, unless a few stand far above all others. */
export function topOf(values: Float32Array): number {
  const sorted = values.filter((value) => Number.isFinite(value)).sort();
  const most = sorted.at(-1) ?? 0;
  const usual = 2 * (sorted[Math.floor((sorted.length - 1) * 0.99)] ?? 0);
  return usual > 0 && most > 2 * usual ? usual : most;
}

/** Stretches of steps that are true, first and last included. */
export function stretches(flags: Uint8Array): [number, number][] {
  const found: [number, number][] = [];
  for (let i = 0; i < flags.length; ++i) {
    if (flags[i] !== 1) continue;
    const last = found.at(-1);
    if (last && last[1] === i - 1) last[1] = i;
    else found.push([i, i]);
  }
  return found;
}
