// SPDX-License-Identifier: Apache-2.0
// A contest: one flight through every entrant, each pose timed alone, every answer held against the exact contacts.
#pragma once

#include "lab/rivals/counted.h"
#include "lab/rivals/rival.h"

#include <functional>
#include <span>

namespace tumble::lab {

/// How often an entrant flies each query in a row when its turn comes. With one lap `any` was measured before an
/// entrant's trees were in the caches, `all` and whoever shares those trees afterwards.
inline constexpr int laps = 2;

struct ContestOptions {
  int passes = 3;        // through the whole field, one entrant after the other; a pose keeps its smallest time
  double seconds = 1.0;  // per entrant, query and pass: who needs longer for the whole flight gets fewer poses
  bool count = false;    // what those who count do for the whole flight, once times are taken
};

/// Of one query over the poses an entrant flew, in microseconds.
struct Times {
  std::size_t poses = 0;
  double mean = 0, median = 0, p99 = 0, max = 0;
  double ratio = 0;  // of the mean to the first entrant's on the same poses
};

struct Score {
  std::string id, name;
  bool exact = false;              // it must agree
  std::optional<double> build_ms;  // both models, processor time, smallest of up to three; none if another's
  double bytes_per_triangle = 0;
  bool bytes_counted = false;  // by the library itself; otherwise growth of the heap
  Times any, all;
  std::size_t hits = 0, contacts = 0;    // found
  std::size_t wrong_any = 0;             // poses answered wrongly by `any`
  std::size_t missed = 0, invented = 0;  // pairs of `all` that are not, or only, in its answer
  std::optional<Work> any_work{}, all_work{};
};

/// Told before each leg of a contest which share of them is done, from 0 to 1, and whose leg it is.
using OnLeg = std::function<void(double, const std::string&)>;

/// Scores in the entrants' order; the first one's answers are the exact ones, and it flies every pose. Entrants are
/// built here and cleared at the end.
std::vector<Score> contest(const Mesh& environment, const Mesh& object, std::span<const Pose> flight,
                           const Rivals& entrants, const ContestOptions& options, const OnLeg& on_leg = {});

}  // namespace tumble::lab
