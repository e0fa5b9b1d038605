// SPDX-License-Identifier: Apache-2.0
// A contest in measuring distances: the same separated poses through every entrant that can.
#pragma once

#include "lab/rivals/counted.h"
#include "lab/rivals/rival.h"

#include <functional>
#include <span>

namespace tumble::lab {

struct DistanceScore {
  std::string id, name;
  double mean = 0, median = 0, p99 = 0, max = 0;  // microseconds
  double ratio = 0;                               // of the mean to the first entrant's
  std::size_t wrong = 0;  // poses at which it differs from the first by more than 1e-6 of the distance and the size
  std::optional<Work> work{};  // if it counts
};

/// Each pose is timed alone and keeps its smallest time of `passes` through the field, of which none begins after so
/// many seconds; entrants are built here and cleared at the end. The poses are flown in order, so that those who
/// remember can. With `count`, those who count fly once more after that.
std::vector<DistanceScore> distance_contest(const Mesh& environment, const Mesh& object, std::span<const Pose> poses,
                                            const Rivals& entrants, int passes, double seconds, bool count,
                                            const std::function<void(double)>& on_share);

}  // namespace tumble::lab
