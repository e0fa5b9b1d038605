// SPDX-License-Identifier: Apache-2.0
// Measuring motion.
#include "traverse/front.h"

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
  const float* const rows = tree.node(0).rows;
  const auto row = [&](int i) { return std::abs(double{rows[8 * i]}); };
  if (tree.bound == Bound::obb) return length(Vec3{row(0), row(1), row(2)}) + length(Vec3{row(3), row(4), row(5)});
  return length(Vec3{std::max(row(0), row(1)), std::max(row(2), row(3)), std::max(row(4), row(5))});
}

}  // namespace tumble
