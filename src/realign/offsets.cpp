// SPDX-License-Identifier: Apache-2.0
// Rounding of offset sums, outward.
#include "realign/offsets.h"

#include "math/rounding.h"
#include "realign/tame_pose.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tumble {

OffsetSum offset_sum(const Triple& triple) {
  OffsetSum sum;
  for (std::size_t i = 0; i < 3; ++i) {
    const auto lower = static_cast<std::uint16_t>(16 * triple.slabs[i]), upper = static_cast<std::uint16_t>(lower + 8);
    const auto weight = static_cast<float>(triple.weights[i]);
    sum.weights[i] = triple.flipped[i] ? -weight : weight;
    sum.upper_from[i] = triple.flipped[i] ? lower : upper;
    sum.lower_from[i] = triple.flipped[i] ? upper : lower;
  }
  return sum;
}

// With float weights w_j, u = Lᵀn = Σ w_j b_j + r, and n·(Lx + t) <= Σ w_j d_j + r·x + n·t, where |x| <= tree_reach.
// The kernel adds three products to the shift, in any order of roundings at most four on any term, each relative to no
// more than S = Σ w_j |d_j| + |shift| with |d_j| <= tree_reach·|b_j|; 6·2^-24·S leaves room for the roundings of S and
// of r. Products that underflow are wrong by less than the smallest normal number.
SlabShift slab_shift(const RelativePose& pose, Vec3 normal, double normal_length, Vec3 direction,
                     std::span<const Triple> triples, std::span<const Vec3> source_normals) {
  double unexplained = 0, size = 0;
  for (const Triple& triple : triples) {
    Vec3 rest = direction;
    double sum = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      const double weight = static_cast<float>(triple.weights[i]);
      const Vec3& b = source_normals[triple.slabs[i]];
      rest -= b * (triple.flipped[i] ? -weight : weight);
      sum += weight * length(b);
    }
    unexplained = std::max(unexplained, length(rest));
    size = std::max(size, sum);
  }
  const double along = dot(normal, pose.translation);
  const double of_translation = std::abs(normal.x * pose.translation.x) + std::abs(normal.y * pose.translation.y) +
                                std::abs(normal.z * pose.translation.z);
  const double widen = normal_length * pose.margin * (1 + 0x1p-40) + tree_reach * unexplained +
                       6 * 0x1p-24 * (tree_reach * size + std::abs(along)) + 0x1p-49 * (of_translation + size) +
                       static_cast<double>(std::numeric_limits<float>::min());
  return {float_below(along - widen), float_above(along + widen)};
}

}  // namespace tumble
