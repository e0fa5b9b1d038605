// SPDX-License-Identifier: Apache-2.0
// Sink: receives the pairs of triangles a walk could not rule out, decides what is open, and steers early exit.
#pragma once

#include <cstdint>

namespace tumble {

/// Pairs of up to four triangles and four. Bit 4·i + j: slot target_first + i of the target tree against slot
/// source_first + j of the source.
struct LeafPairs {
  std::uint32_t open = 0;      // may touch
  std::uint32_t crossing = 0;  // certainly cross (docs/semantics.md, promise 1); not among the open ones
};

class Sink {
 public:
  virtual ~Sink() = default;

  /// Returns true to end the walk.
  virtual bool decide(std::uint32_t target_first, std::uint32_t source_first, LeafPairs pairs) = 0;
};

}  // namespace tumble
