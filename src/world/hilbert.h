// SPDX-License-Identifier: Apache-2.0
// Places along a Hilbert curve through cells of a cube. Unlike a Morton curve it never jumps: in a tree packed along
// it, the walk takes fewer tests.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace tumble {
namespace detail {

/// What one level of the curve does: for each of the 24 ways it may lie in a cube, and each of the cube's eight parts,
/// the part's place along the curve, and the way it lies in there times eight (Hamilton 2006, section 2: the corner
/// where the curve enters, and the direction in which it goes).
constexpr std::array<std::uint8_t, 192> hilbert_table() {
  const auto turned = [](unsigned part, unsigned by) { return (part << by | part >> (3 - by)) & 7U; };
  const auto gray = [](unsigned i) { return i ^ i >> 1; };
  std::array<std::uint8_t, 192> table{};
  for (unsigned enter = 0; enter < 8; ++enter)
    for (unsigned direction = 0; direction < 3; ++direction)
      for (unsigned place = 0; place < 8; ++place) {
        const unsigned way = enter * 3 + direction, turn = (direction + 1) % 3;
        const unsigned part = turned(gray(place), turn) ^ enter;
        const unsigned entered = place == 0 ? 0 : gray((place - 1) / 2 * 2);
        const unsigned odd = place == 0 ? 0 : place % 2 == 0 ? place - 1 : place;
        const unsigned along = static_cast<unsigned>(std::countr_one(odd)) % 3;
        const unsigned next = (enter ^ turned(entered, turn)) * 3 + (direction + along + 1) % 3;
        table[way * 8 + part] = static_cast<std::uint8_t>(next * 8 + place);
      }
  return table;
}
inline constexpr std::array<std::uint8_t, 192> hilbert_levels = hilbert_table();

}  // namespace detail

/// From a place along a Morton curve through a cube of 2^bits cells a side, three bits a level, to that along a Hilbert
/// curve.
inline std::uint32_t hilbert_from_morton(std::uint32_t morton, int bits) {
  std::uint32_t level = 0, place = 0;
  for (int shift = 3 * (bits - 1); shift >= 0; shift -= 3) {
    level = detail::hilbert_levels[(level & 0xf8U) | (morton >> shift & 7U)];
    place = place << 3 | (level & 7U);
  }
  return place;
}

}  // namespace tumble
