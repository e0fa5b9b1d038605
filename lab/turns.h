// SPDX-License-Identifier: Apache-2.0
// Turns: several contestants timed in one run, round by round, so that all see the same of the machine's moods.
#pragma once

#include "lab/flown.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <vector>

namespace tumble::lab {

/// Seconds of processor time of each contestant's work: the median of the rounds. What `after` does is not timed; it
/// may be empty.
struct Contestant {
  std::function<void()> work, after{};
};
inline std::vector<double> in_turns(int rounds, const std::vector<Contestant>& contestants) {
  std::vector<std::vector<double>> seconds(contestants.size());
  for (int round = 0; round < rounds; ++round)
    for (std::size_t i = 0; i < contestants.size(); ++i) {
      const double start = thread_seconds();
      contestants[i].work();
      seconds[i].push_back(thread_seconds() - start);
      if (contestants[i].after) contestants[i].after();
    }
  std::vector<double> medians;
  for (std::vector<double>& all : seconds) {
    std::ranges::sort(all);
    medians.push_back(all.empty() ? std::numeric_limits<double>::quiet_NaN() : all[all.size() / 2]);
  }
  return medians;
}

}  // namespace tumble::lab
