// SPDX-License-Identifier: Apache-2.0
// The door of traverse/: two bodies' poses become one relative pose between their trees.
#pragma once

#include "realign/relative_pose.h"
#include "tree/tree.h"

#include <tumble/pose.h>

namespace tumble {

/// From the tree coordinates of `source` to those of `target`, with a margin that covers every rounding between them
/// and the world coordinates answers are decided on, and `near`, the distance within which bodies count as near (0:
/// contact).
RelativePose relate(const Frame& target, const Pose& target_pose, const Frame& source, const Pose& source_pose,
                    double near);

/// Whether the bodies are so far apart, measured by their frames alone, that no bound needs to be looked at. Otherwise
/// the translation is a few times the bodies' sizes, and single precision resolves it.
bool are_far_apart(const RelativePose& pose);

}  // namespace tumble
