// SPDX-License-Identifier: Apache-2.0
// FarLine: the line between the centres of two bodies that are small beside their distance. In single precision they
// would lose their shapes; so walks bring the trees together, centre on centre, and their gaps say how much more or
// less than the line's length two volumes are apart.
#pragma once

#include "math/mat3.h"
#include "math/relative_pose.h"

#include <optional>

namespace tumble {

struct FarLine {
  RelativePose pose;  // without the translation
  Vec3 direction;     // from the target's centre to the source's, of unit length, in the target's coordinates
  double length;      // of the line in the world, in the target's units
  double slack;       // gaps along the line are widened by it

  /// Of bodies far enough apart. `to_world` turns the target's coordinates to the world's, and may stretch a little;
  /// `radius` is that of both trees together, in the target's units.
  static std::optional<FarLine> of(const RelativePose& pose, const Mat3& to_world, double radius);
};

}  // namespace tumble
