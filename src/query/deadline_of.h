// SPDX-License-Identifier: Apache-2.0
// From a budget to a deadline.
#pragma once

#include "traverse/deadline.h"

#include <tumble/budget.h>

#include <chrono>
#include <cstdint>

namespace tumble {

/// A budget from now on, after `used` node pairs.
inline Deadline deadline_of(const Budget& budget, std::uint64_t used) {
  Deadline deadline;
  if (budget.node_pairs <= deadline.node_pairs - used) deadline.node_pairs = used + budget.node_pairs;
  if (budget.time < std::chrono::hours(24 * 365)) deadline.time = std::chrono::steady_clock::now() + budget.time;
  return deadline;
}

}  // namespace tumble
