// SPDX-License-Identifier: Apache-2.0
// Sink: receives the pairs of triangles a walk could not rule out, decides what is open, and steers early exit.
#pragma once

#include "traverse/leaf_pairs.h"

#include <cstdint>

namespace tumble {

class Sink {
 public:
  virtual ~Sink() = default;

  /// Returns true to end the walk.
  virtual bool decide(std::uint32_t target_first, std::uint32_t source_first, LeafPairs pairs) = 0;
};

}  // namespace tumble
