// SPDX-License-Identifier: Apache-2.0
// clamp_pose: brings poses of bodies too far apart, or too different in size, into the range of single precision.
#pragma once

#include "bounds/reach.h"
#include "math/max_norm.h"
#include "math/relative_pose.h"

#include <algorithm>
#include <cmath>

namespace tumble {

/// A pose whose numbers are all between 2^-250 and 2^60 in magnitude, so that realigners need not handle overflow or
/// lost digits. Every pair of bounds that meets under `pose` also meets under this one. Nearly always `pose` itself.
inline RelativePose clamp_pose(const RelativePose& pose) {
  constexpr double smallest = 0x1p-250, largest = 0x1p60;
  RelativePose clamped = pose;
  const Vec3 t = pose.translation;
  const double distance = max_norm(t);
  if (pose.scale < smallest) [[unlikely]] {
    // To the target the source is a point: it gets the smallest size, and the margin covers the rest.
    clamped.linear = {{Vec3{smallest, 0, 0}, Vec3{0, smallest, 0}, Vec3{0, 0, smallest}}};
    clamped.scale = smallest;
    clamped.departure = 0;
    clamped.margin += 2 * tree_reach * smallest;
  }
  if (distance <= largest && clamped.scale <= largest && clamped.margin <= largest) [[likely]]
    return clamped;
  if (clamped.scale <= 0x1p50 && clamped.margin <= 0x1p50) {
    // Only the distance is too large. Moved nearer, the bodies are still 2^59 apart along a coordinate axis.
    for (int axis = 0; axis < 3; ++axis) clamped.translation[axis] = std::clamp(t[axis], -largest, largest);
    return clamped;
  }
  // Nothing is known: every bound becomes larger than any target.
  return {.linear = {}, .translation = {}, .scale = 1, .departure = 0, .margin = largest};
}

}  // namespace tumble
