// SPDX-License-Identifier: Apache-2.0
// How far two triangles must be moved apart, for what a question with a budget says of contacts not found yet.
#pragma once

#include "geometry/triangle.h"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace tumble::testing {

/// The least translation along a normal or a cross product of edges that separates two triangles: an upper bound of
/// what separates them, and exact where neither is degenerate.
inline double separating_translation(const Corners& a, const Corners& b) {
  double least = std::numeric_limits<double>::infinity();
  const auto try_axis = [&](const Vec3& axis) {
    const double size = length(axis);
    if (size < 1e-12) return;
    double a_low = 1e300, a_high = -1e300, b_low = 1e300, b_high = -1e300;
    for (std::size_t i = 0; i < 3; ++i) {
      const double pa = dot(axis, a[i] - a[0]) / size, pb = dot(axis, b[i] - a[0]) / size;
      a_low = std::min(a_low, pa), a_high = std::max(a_high, pa);
      b_low = std::min(b_low, pb), b_high = std::max(b_high, pb);
    }
    least = std::min({least, std::max(a_high - b_low, 0.0), std::max(b_high - a_low, 0.0)});
  };
  try_axis(cross(a[1] - a[0], a[2] - a[0]));
  try_axis(cross(b[1] - b[0], b[2] - b[0]));
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) try_axis(cross(a[next_corner(i)] - a[i], b[next_corner(j)] - b[j]));
  return least;
}

}  // namespace tumble::testing
