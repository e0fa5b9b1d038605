// SPDX-License-Identifier: Apache-2.0
// Measuring motion.
#include "traverse/front.h"

#include <cmath>

namespace tumble {

double motion_between(const RelativePose& from, const RelativePose& to) {
  double turn_sq = 0;
  for (std::size_t i = 0; i < 3; ++i) turn_sq += length_sq(to.linear.rows[i] - from.linear.rows[i]);
  // Tree coordinates are at most √3 from the centre, turned frames included; the rest outweighs rounding.
  const double motion = 1.7321 * std::sqrt(turn_sq) + length(to.translation - from.translation);
  return motion * (1 + 1e-6) + std::abs(to.margin - from.margin) + 1e-12 * (to.scale + length(to.translation));
}

}  // namespace tumble
