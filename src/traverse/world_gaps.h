// SPDX-License-Identifier: Apache-2.0
// WorldGaps: distances of the world in the target tree's units and back, allowing for everything that lies between
// them.
#pragma once

#include "bounds/reach.h"
#include "math/mat3.h"
#include "math/relative_pose.h"
#include "math/rounding.h"

#include <algorithm>
#include <cmath>

namespace tumble {

/// A gap of two bounds or triangles in single precision says of their distance, as the one distance routine computes it
/// (docs/semantics.md, promise 7), what follows. The routine errs by 1e-12 of the distance and 1e-14 of the pair's
/// size; gaps by 2^-19 of themselves beyond what margins hold; and the target's pose may stretch a little.
class WorldGaps {
 public:
  /// `to_units`: from the world's units to the target's.
  WorldGaps(const RelativePose& pose, double to_units, double target_departure)
      : to_units_(to_units),
        // |RᵀR − I| is at most 3·departure as a norm, and singular values are roots of 1 plus or minus that.
        least_stretch_((1 - 3 * target_departure) * (1 - 0x1p-18)),
        most_stretch_((1 + 3 * target_departure) * (1 + 0x1p-18)) {
    const Vec3 t = pose.translation;
    // Points of both bodies, in the target's units, are no farther from each other; that four times the reach is more
    // than it takes costs nothing.
    const double size = std::abs(t.x) + std::abs(t.y) + std::abs(t.z) + 4 * tree_reach * (pose.scale + 1);
    rounding_ = 1e-13 * size;
  }

  /// Triangles or bounds with a greater gap than this are farther apart than `distance`.
  float limit(double distance) const {
    return float_above((distance * (1 + 1e-11) * to_units_ + rounding_) / least_stretch_);
  }
  /// How far apart triangles are at least that have this gap, or whose bounds have.
  double at_least(float gap) const {
    const double distance = (double{gap} * least_stretch_ - rounding_) / (to_units_ * (1 + 1e-11));
    return distance > 0 ? distance : 0;  // also for NaN
  }
  /// How far apart triangles are at most that have points so near to each other.
  double at_most(float reach) const { return (double{reach} * most_stretch_ + rounding_) / (to_units_ * (1 - 1e-11)); }
  /// A translation that separates bounds of this gap has at most this length.
  double separation(float gap) const {
    return gap > 0 ? 0 : (-double{gap} * most_stretch_ + rounding_) / (to_units_ * (1 - 1e-11));
  }

 private:
  double to_units_, least_stretch_, most_stretch_, rounding_;
};

}  // namespace tumble
