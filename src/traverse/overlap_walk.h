// SPDX-License-Identifier: Apache-2.0
// The walk of queries about contact: pairs of volumes that overlap are opened until leaves meet, and their triangles
// that may touch go to the sink.
#pragma once

#include "traverse/front.h"
#include "traverse/sink.h"
#include "traverse/tree_pair.h"

#include <vector>

namespace tumble {

struct OverlapTask {
  TreePair trees;
  std::vector<VolumePair>& stack;  // scratch
  Sink& sink;
  bool nearest_first = false;  // open what overlaps most first: finds a contact sooner where one is enough
  bool test_roots = false;     // before anything is opened; of use where nothing is known of the bodies
  /// Where to start and what to leave behind; nothing is recorded without. Not with Descend::restart, which gives up
  /// pairs a front would count on.
  Front* front = nullptr;
};

/// Returns true if the sink ended it. Chooses the instruction set once.
bool overlap_walk(const OverlapTask& task);

}  // namespace tumble
