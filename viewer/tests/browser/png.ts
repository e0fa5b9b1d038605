// SPDX-License-Identifier: Apache-2.0
// Reads PNGs as browsers write them (8 bits, RGB or RGBA, not interlaced), to compare pictures.
import { inflateSync } from "node:zlib";

export interface Picture {
  width: number;
  height: number;
  pixels: Uint8Array; // RGB
}

export function readPng(file: Buffer): Picture {
  const [width, height, depth, kind] = [file.readUInt32BE(16), file.readUInt32BE(20), file[24], file[25]];
  const channels = { 2: 3, 6: 4 }[kind!];
  if (depth !== 8 || channels === undefined || file[28] !== 0) throw new Error("this kind of PNG is not expected");
  const blocks: Buffer[] = [];
  for (let at = 8; at < file.length; at += 12 + file.readUInt32BE(at))
    if (file.toString("latin1", at + 4, at + 8) === "IDAT") blocks.push(file.subarray(at + 8, at + 8 + file.readUInt32BE(at)));
  const data = inflateSync(Buffer.concat(blocks));
  const stride = width * channels;
  const rows = new Uint8Array(height * stride);
  for (let y = 0; y < height; ++y) {
    const filter = data[y * (stride + 1)];
    for (let x = 0; x < stride; ++x) {
      const left = x >= channels ? rows[y * stride + x - channels]! : 0;
      const above = y > 0 ? rows[(y - 1) * stride + x]! : 0;
      const corner = y > 0 && x >= channels ? rows[(y - 1) * stride + x - channels]! : 0;
      const guess = left + above - corner;
      const [toLeft, toAbove, toCorner] = [Math.abs(guess - left), Math.abs(guess - above), Math.abs(guess - corner)];
      const paeth = toLeft <= toAbove && toLeft <= toCorner ? left : toAbove <= toCorner ? above : corner;
      rows[y * stride + x] = data[y * (stride + 1) + 1 + x]! + [0, left, above, (left + above) >> 1, paeth][filter!]!;
    }
  }
  const pixels = new Uint8Array(width * height * 3);
  for (let i = 0; i < width * height; ++i) for (let c = 0; c < 3; ++c) pixels[3 * i + c] = rows[i * channels + c]!;
  return { width, height, pixels };
}

/** The share of pixels that differ by more than roundings of a renderer. */
export function differingShare(a: Picture, b: Picture): number {
  if (a.width !== b.width || a.height !== b.height) return 1;
  let different = 0;
  for (let i = 0; i < a.pixels.length; i += 3)
    if ([0, 1, 2].some((c) => Math.abs(a.pixels[i + c]! - b.pixels[i + c]!) > 24)) ++different;
  return different / (a.width * a.height);
}
