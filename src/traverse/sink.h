// SPDX-License-Identifier: Apache-2.0
// Sink: receives the pairs of triangles a walk could not rule out, decides them, and steers early exit.
#pragma once

#include <cstdint>

namespace tumble {

class Sink {
 public:
  virtual ~Sink() = default;

  /// Bit 4·i + j of `pairs`: slot target_first + i of the target tree against slot source_first + j of the source.
  /// Returns true to end the walk.
  virtual bool decide(std::uint32_t target_first, std::uint32_t source_first, std::uint32_t pairs) = 0;
};

}  // namespace tumble
