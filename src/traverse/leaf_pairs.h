// SPDX-License-Identifier: Apache-2.0
// LeafPairs: pairs of up to four triangles of one tree and four of the other, as a walk hands them to a sink.
#pragma once

#include "tree/tree.h"

#include <cstdint>

namespace tumble {

/// Pairs of up to four triangles and four as bits: bit 4·i + j stands for triangle i of the target's group against
/// triangle j of the source's. Small enough for a register.
struct PairBits {
  std::uint32_t open = 0;      // may touch, or be near enough
  std::uint32_t crossing = 0;  // certainly cross (docs/semantics.md, promise 1); not among the open ones

  bool is_empty() const { return (open | crossing) == 0; }

  /// All pairs of so many triangles of the target and so many of the source.
  static constexpr std::uint32_t all(std::uint32_t of_target, std::uint32_t of_source) {
    constexpr std::uint32_t first_column = 0x1111;
    const std::uint32_t one_row = (1u << of_source) - 1;
    return (one_row * first_column) & ((1u << (Tree::group_size * of_target)) - 1);
  }
};

/// The same with the slots the groups begin at in their trees.
struct LeafPairs {
  std::uint32_t target_first = 0, source_first = 0;
  PairBits bits;
  /// Where the walk measured: open pair 4·i + j is at least gaps[4·i + j] and at most reaches[4·i + j] apart, in the
  /// target's units and single precision.
  const float *gaps = nullptr, *reaches = nullptr;
};

}  // namespace tumble
