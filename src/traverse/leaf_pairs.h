// SPDX-License-Identifier: Apache-2.0
// LeafPairs: which pairs of up to four triangles and four a walk leaves over for a sink to decide.
#pragma once

#include "core/assert.h"

#include <cstdint>

namespace tumble {

/// Sets of pairs are bits. Bit 4·i + j: slot target_first + i of the target tree against slot source_first + j of the
/// source.
struct LeafPairs {
  std::uint32_t open = 0;      // may touch
  std::uint32_t crossing = 0;  // certainly cross (docs/semantics.md, promise 1); not among the open ones

  /// The bits of all pairs between the first `targets` triangles of four and the first `sources`.
  static constexpr std::uint32_t all(std::uint32_t targets, std::uint32_t sources) {
    TUMBLE_ASSERT(targets <= 4 && sources <= 4);
    const std::uint32_t row = (1u << sources) - 1, every_row = 0x1111u * row;
    return every_row & ((1u << (4 * targets)) - 1);
  }

  bool none() const { return (open | crossing) == 0; }
};

}  // namespace tumble
