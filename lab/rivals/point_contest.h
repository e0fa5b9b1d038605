// SPDX-License-Identifier: Apache-2.0
// A contest at one point of a scale: two bodies in one place, the same questions to every entrant, each with a limit
// on its time and held against the referee.
#pragma once

#include "lab/rivals/counted.h"
#include "lab/rivals/rival.h"
#include "scenes/placings.h"

#include <functional>

namespace tumble::lab {

enum class Question { any, all, distance };
const char* name(Question question);

/// One entrant's answer to one question.
struct PointScore {
  Question question{};
  std::string id, name;
  double limit = 0;            // seconds it was given
  std::optional<double> us;    // processor time; none: over the limit, or failed
  std::string failure;         // why it has no answer, if that was not the time
  std::string differs;         // from the truth, and how; empty if not
  std::optional<Work> work{};  // if it counts
};

struct PointResult {
  std::size_t env_triangles = 0, object_triangles = 0;
  std::optional<std::size_t> contacts;  // if any or all was asked and somebody answered
  bool refereed = false;                // compared with the referee; otherwise with the first entrant
  std::vector<PointScore> scores{};     // by question, then in the entrants' order
};

/// How many times the limit ours may take: a time is more telling than that it was long.
inline constexpr double ours_patience = 10;

struct PointOptions {
  double limit = 1;         // seconds of processor time for one question; see ours_patience
  double seconds = 0.05;    // for which a quick question is repeated
  double most_pairs = 1e9;  // of triangles, up to which the referee looks at them
  bool count = false;       // what those who count do for one answer, once times are taken
};

/// The first entrant, one of ours, is asked again at the end: its time is the better of the two visits. Entrants are
/// built here and cleared.
PointResult point_contest(const scenes::Placing& placing, const std::vector<Question>& questions,
                          const Rivals& entrants, const PointOptions& options,
                          const std::function<void(double)>& on_share = {});

}  // namespace tumble::lab
