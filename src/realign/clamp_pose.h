// SPDX-License-Identifier: Apache-2.0
// Poses of bodies that are too far apart, or too different in size, for the range of single precision.
#pragma once

#include "bounds/reach.h"
#include "math/relative_pose.h"

#include <algorithm>
#include <cmath>

namespace tumble {

/// A pose under which every pair of bounds meets that meets under `pose`, with all numbers between 2^-250 and 2^60 in
/// magnitude, so that neither overflow nor lost digits need be thought of any further. Nearly always `pose` itself.
inline RelativePose clamp_pose(const RelativePose& pose) {
  constexpr double smallest = 0x1p-250, largest = 0x1p60;
  RelativePose tamed = pose;
  const Vec3 t = pose.translation;
  const double distance = std::max({std::abs(t.x), std::abs(t.y), std::abs(t.z)});
  if (pose.scale < smallest) [[unlikely]] {
    // The source is a point as far as the target can tell.
    tamed.linear = {{Vec3{smallest, 0, 0}, Vec3{0, smallest, 0}, Vec3{0, 0, smallest}}};
    tamed.scale = smallest;
    tamed.departure = 0;
    tamed.margin += 2 * tree_reach * smallest;
  }
  if (distance <= largest && tamed.scale <= largest && tamed.margin <= largest) [[likely]]
    return tamed;
  if (tamed.scale <= 0x1p50 && tamed.margin <= 0x1p50) {
    // Apart by at least 2^59 along a coordinate axis, before and after.
    for (int axis = 0; axis < 3; ++axis) tamed.translation[axis] = std::clamp(t[axis], -largest, largest);
    return tamed;
  }
  // Nothing can be said: every bound becomes larger than any target.
  return {.linear = {}, .translation = {}, .scale = 1, .departure = 0, .margin = largest};
}

}  // namespace tumble
