// SPDX-License-Identifier: Apache-2.0
// The door of traverse/: two bodies' poses become one relative pose between their trees.
#pragma once

#include "math/relative_pose.h"
#include "tree/tree.h"

#include <tumble/pose.h>

namespace tumble {

/// Two trees' frames, to make relative poses with.
class Relation {
 public:
  Relation(const Frame& target, const Frame& source);

  /// From the tree coordinates of the source to those of the target, with a margin that covers every rounding between
  /// them and the world coordinates answers are decided on.
  RelativePose at(const Pose& target_pose, const Pose& source_pose) const;

  /// From the world's units to the target's.
  double to_units() const { return to_units_; }

 private:
  Frame target_, source_;
  bool target_is_turned_, source_is_turned_;
  double to_units_;
  double scale_;  // from the source's to the target's
  double reach_;  // of both bodies, from the world's origin
};

/// Whether the bodies are so far apart, measured by their frames alone, that no bound needs to be looked at. Otherwise
/// the translation is a few times the bodies' sizes, and single precision resolves it.
bool are_far_apart(const RelativePose& pose);

}  // namespace tumble
