// SPDX-License-Identifier: Apache-2.0
// RelativePose: the one map a query applies to the moving body's bounds. Leaves never see it: exact answers are decided
// on world coordinates.
#pragma once

#include "math/mat3.h"

namespace tumble {

/// target = linear * source + translation, from the tree coordinates of one body to those of the other.
struct RelativePose {
  Mat3 linear;  // a rotation times `scale`, up to `departure`
  Vec3 translation{};
  double scale = 1;      // a power of two: the source tree's unit in units of the target's
  double departure = 0;  // max|QᵀQ − I| of linear / scale
  /// Two points that the query counts as one point in the world may be this far apart by this map, in target units: the
  /// roundings of both bodies' world coordinates and of this map itself, plus the distance within which bodies count as
  /// near. Every realigned bound is widened by at least this.
  double margin = 0;
};

}  // namespace tumble
