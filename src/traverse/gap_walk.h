// SPDX-License-Identifier: Apache-2.0
// The walk of queries about distance: pairs of volumes that are near enough are opened, the nearest first, until leaves
// meet and their triangles go to the sink, which says how near is near enough. It can stop at any pair and go on later.
#pragma once

#include "traverse/deadline.h"
#include "traverse/far_line.h"
#include "traverse/sink.h"
#include "traverse/tree_pair.h"
#include "traverse/walk_end.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace tumble {

/// Two volumes that wait, and how far apart they are.
struct GapPair : VolumePair {
  float gap;  // NaN: unknown
};

/// Children are at least as far apart as their parents; their bounds need not be, since they may stick out of them.
/// The parents' gap may be unknown.
inline float larger(float gap, float parents_gap) { return gap < parents_gap ? parents_gap : gap; }

/// A gap that is certain.
inline float known(float gap) { return std::isnan(gap) ? -std::numeric_limits<float>::infinity() : gap; }

/// What a walk needs to go on: pairs that wait (the last is next), pairs put off to a later round, what was passed
/// over.
struct GapProgress {
  std::vector<GapPair> waiting, postponed;
  int round = 0;
  float least_passed = std::numeric_limits<float>::infinity();   // gap; where asked for
  double least_apart = std::numeric_limits<double>::infinity();  // distance in the world; passed over by a fine look
  std::uint64_t node_pairs = 0;                                  // taken up so far
};

struct GapTask {
  TreePair trees;  // Descend::restart means environment_first here
  GapProgress& progress;
  Sink& sink;
  bool note_passed = false;      // fill in least_passed
  const FarLine* far = nullptr;  // if given, gaps are relative to its length, and the trees' pose is its own
  Deadline deadline = {};
};

/// Starts at the roots.
WalkEnd gap_walk(const GapTask& task);
/// Goes on with what waits; the pose and the realigned nodes must be those of the walk that left it.
WalkEnd go_on(const GapTask& task);

}  // namespace tumble
