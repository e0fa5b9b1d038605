// SPDX-License-Identifier: Apache-2.0
// The walk over two trees: pairs of volumes that overlap are opened until leaves meet, and leaves' triangles that may
// touch go to the sink. There is one, for every bound, descent and query.
#pragma once

#include "realign/realigner.h"
#include "traverse/front.h"
#include "traverse/realigned_nodes.h"
#include "traverse/sink.h"
#include "tree/tree.h"

#include <tumble/counters.h>
#include <tumble/pair_options.h>

#include <cstdint>
#include <vector>

namespace tumble {

/// What a walk needs beside the trees, kept between walks by whoever owns the pair.
struct WalkMemory {
  RealignedNodes realigned;
  std::vector<VolumePair> stack;
};

struct WalkTask {
  const Tree& target;
  const Tree& source;
  const RelativePose& pose;
  Realigner& realigner;  // the walk sets its pose
  WalkMemory& memory;
  Sink& sink;
  Counters* counters = nullptr;  // nothing is counted without
  Descend descend = Descend::larger_first;
  bool environment_is_target = true;
  bool remember = true;
  bool nearest_first = false;  // open what overlaps most first: finds a contact sooner where one is enough
  /// Where to start and what to leave behind; nothing is recorded without. Not with Descend::restart, which gives up
  /// pairs a front would count on.
  Front* front = nullptr;
};

/// Returns true if the sink ended it. Chooses the instruction set once.
bool walk(const WalkTask& task);

}  // namespace tumble
