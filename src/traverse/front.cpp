// SPDX-License-Identifier: Apache-2.0
// Measuring motion.
#include "traverse/front.h"

#include "bounds/lanes.h"

#include <algorithm>
#include <cmath>

namespace tumble {

double motion_between(const RelativePose& from, const RelativePose& to, double radius) {
  double turn_sq = 0;
  for (std::size_t i = 0; i < 3; ++i) turn_sq += length_sq(to.linear.rows[i] - from.linear.rows[i]);
  // The difference of two rotations has two equal singular values and one that is 0: it stretches by 1/√2 of its
  // Frobenius norm. Matrices with a departure e from orthogonality are within 1.5·e of a rotation.
  const double frobenius = std::sqrt(turn_sq);
  const double turn = std::min(frobenius, 0.70711 * frobenius + 4 * (from.departure + to.departure) * to.scale);
  const double motion = radius * turn + length(to.translation - from.translation);
  // The rest outweighs rounding.
  return motion * (1 + 1e-6) + std::abs(to.margin - from.margin) + 1e-12 * (to.scale + length(to.translation));
}

double radius_of(const Tree& tree) {
  const float* const rows = tree.node(0).rows;  // lane 0 is the whole object
  if (tree.bound == Bound::obb) {
    const Obb box = lane_obb(rows, 0);
    return length(Vec3{box.center[0], box.center[1], box.center[2]}) +
           length(Vec3{box.half[0], box.half[1], box.half[2]});
  }
  const LaneSlabs slabs = lane_slabs(rows, tree.k, 0);
  const auto farthest = [&](std::size_t i) {
    return std::max(std::abs(double{slabs.lower[i]}), std::abs(double{slabs.upper[i]}));
  };
  return length(Vec3{farthest(0), farthest(1), farthest(2)});
}

}  // namespace tumble
