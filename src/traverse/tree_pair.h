// SPDX-License-Identifier: Apache-2.0
// TreePair: two trees as a walk finds them, one standing and one placed beside it by a pose.
#pragma once

#include "realign/realigner.h"
#include "traverse/placed_pair.h"
#include "traverse/realigned_nodes.h"
#include "tree/tree.h"
#include "tree/volume_id.h"

#include <tumble/counters.h>
#include <tumble/pair_options.h>

#include <cstddef>

namespace tumble {

struct TreePair {
  const Tree& target;
  const Tree& source;
  const RelativePose& pose;
  const PlacedPair& bodies;  // the same in the world
  Realigner& realigner;      // walks set its pose
  RealignedNodes& realigned;
  Counters* counters = nullptr;  // nothing is counted without
  Descend descend = Descend::larger_first;
  bool environment_is_target = true;
  bool remember = true;
  bool all_box_axes = false;  // 15 instead of 9, where overlaps of boxes are looked for

  /// Before a walk: no node is realigned yet.
  void begin() const { realigned.begin(source.node_count, static_cast<std::size_t>(target.rows()) * Tree::lanes); }
};

/// Room for as many pairs to wait as most walks need, so that they ask for memory once.
constexpr std::size_t usually_waiting = 64;

/// Two volumes that wait to be opened.
struct VolumePair {
  VolumeId target, source;
  float target_size, source_size;
};

}  // namespace tumble
