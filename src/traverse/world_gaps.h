// SPDX-License-Identifier: Apache-2.0
// WorldGaps: distances of the world in the target tree's units and back, allowing for everything that lies between
// them.
#pragma once

#include "bounds/reach.h"
#include "math/mat3.h"
#include "math/relative_pose.h"
#include "math/rounding.h"
#include "math/sum_norm.h"
#include "traverse/far_line.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace tumble {

/// A gap of two bounds or triangles in single precision says of their distance, as the one distance routine computes it
/// (docs/semantics.md, promise 7), what follows. The routine errs by 1e-12 of the distance and 1e-14 of the pair's
/// size; gaps by 2^-19 of themselves beyond what margins hold; and the target's pose may stretch a little.
///
/// Gaps of bodies far apart are relative to the length of their FarLine. They hold without further allowance, and the
/// routine may not err by 1e-12 of the distance, which may be more than the bodies' size. It need not: the distance it
/// gives is that of two points of the triangles. So it is too small by no more than their roundings, less than 40u of
/// the pair's size, u = 2^-53. The line's length and its sums are off by less than 20u.
class WorldGaps {
 public:
  /// `to_units`: from the world's units to the target's. `to_world` turns the target's coordinates to the world's. A
  /// FarLine needs `radius`, infinite where there can be none.
  WorldGaps(const RelativePose& pose, double to_units, const Mat3& to_world, double radius) : to_units_(to_units) {
    // Points of both bodies, in the target's units, are no farther from each other; that four times the reach is more
    // than it takes costs nothing.
    const double size = sum_norm(pose.translation) + 4 * tree_reach * (pose.scale + 1);
    far_ = FarLine::of(pose, to_world, radius);
    if (far_) {
      base_ = far_->length;
      rounding_ = 2e-14 * size + lost_squares * to_units;
      return;
    }
    // |RᵀR − I| is at most 3·departure as a norm, and singular values are roots of 1 plus or minus that.
    const double stretch = 3 * departure_from_orthogonality(to_world);
    least_stretch_ = (1 - stretch) * (1 - 0x1p-18);
    most_stretch_ = (1 + stretch) * (1 + 0x1p-18);
    too_small_ = 1 + 1e-11;
    rounding_ = 1e-13 * size + lost_squares * to_units;
  }

  /// Squares of distances lose digits below 1e-154. The routine's distances may be too small by less than this.
  static constexpr double lost_squares = 1e-161;

  /// A distance less than this share of another is worth knowing. Of bodies so far apart that upper bounds of distances
  /// (`at_most`) are coarse beside their size, as little as lower bounds tell.
  double much_nearer() const { return far_ && 1e-11 * base_ > far_->slack ? 1 - 1e-13 : 0.999999; }

  /// What gaps are relative to, if bodies are far apart.
  const FarLine* far() const { return far_ ? &*far_ : nullptr; }

  /// Triangles or bounds with a greater gap than this are farther apart than `distance`.
  float limit(double distance) const {
    return float_above((distance * too_small_ * to_units_ + rounding_) / least_stretch_ - base_);
  }
  /// How far apart triangles are at least that have this gap, or whose bounds have.
  double at_least(float gap) const {
    const double distance = ((base_ + double{gap}) * least_stretch_ - rounding_) / (to_units_ * too_small_);
    return distance > 0 ? distance : 0;  // also for NaN
  }
  /// How far apart triangles are at most that have points so near to each other.
  double at_most(float reach) const {
    return ((base_ + double{reach}) * most_stretch_ + rounding_) / (to_units_ * too_large_);
  }
  /// Whether a distance between these is known to a hundredth; never of 0.
  bool know_well(float gap, float reach) const { return base_ + double{reach} <= (base_ + double{gap}) * 1.01; }
  /// A translation that separates bounds of this gap has at most this length.
  double separation(float gap) const {
    return far_ || gap > 0 ? 0 : (-double{gap} * most_stretch_ + rounding_) / (to_units_ * too_large_);
  }

 private:
  double to_units_, least_stretch_ = 1, most_stretch_ = 1, rounding_;
  double base_ = 0;                               // added to gaps
  double too_small_ = 1, too_large_ = 1 - 1e-11;  // the routine's distances may be by such a factor
  std::optional<FarLine> far_;
};

}  // namespace tumble
