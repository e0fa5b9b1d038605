// SPDX-License-Identifier: Apache-2.0
// Deadline: when a walk or a search has to stop: after so many node pairs in all, or at a point in time.
#pragma once

#include <chrono>
#include <cstdint>
#include <limits>

namespace tumble {

struct Deadline {
  std::uint64_t node_pairs = std::numeric_limits<std::uint64_t>::max();
  std::chrono::steady_clock::time_point time = std::chrono::steady_clock::time_point::max();

  bool has_time() const { return time != std::chrono::steady_clock::time_point::max(); }
  bool is_late() const { return has_time() && std::chrono::steady_clock::now() >= time; }
  bool has_passed(std::uint64_t used_node_pairs) const { return used_node_pairs >= node_pairs || is_late(); }
};

}  // namespace tumble
