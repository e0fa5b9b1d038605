// SPDX-License-Identifier: Apache-2.0
// Deadline: a budget as a query keeps it: how many node pairs in all, and until when.
#pragma once

#include <tumble/budget.h>

#include <chrono>
#include <cstdint>
#include <limits>

namespace tumble {

struct Deadline {
  std::uint64_t node_pairs = std::numeric_limits<std::uint64_t>::max();
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();

  Deadline() = default;
  /// From now on, `used` node pairs having been taken up before.
  Deadline(const Budget& budget, std::uint64_t used) {
    if (budget.node_pairs <= node_pairs - used) node_pairs = used + budget.node_pairs;
    if (budget.time < std::chrono::hours(24 * 365)) deadline = std::chrono::steady_clock::now() + budget.time;
  }

  bool is_used_up(std::uint64_t used) const { return used >= node_pairs || is_late(); }
  bool is_late() const {
    return deadline != std::chrono::steady_clock::time_point::max() && std::chrono::steady_clock::now() >= deadline;
  }
};

}  // namespace tumble
