// SPDX-License-Identifier: Apache-2.0
// The set of points two meeting triangles share: its corners, chosen exactly and placed to rounding.
#pragma once

#include "geometry/triangle.h"

#include <array>
#include <cstdint>
#include <span>

namespace tumble {

/// One point, the two ends of a segment, or three to six corners of a convex polygon in order.
struct CommonSet {
  std::array<Vec3, 6> points{};
  std::uint8_t count = 0;

  std::span<const Vec3> outline() const { return {points.data(), count}; }
  /// The mean of the corners.
  Vec3 middle() const;
};

/// Precondition: intersects(a, b). How many corners there are and which edges they come from is decided exactly; a
/// corner that is one of the triangles' own is copied bit by bit, any other lies within 1e-14 of the largest
/// coordinate difference of the pair, plus the rounding of its own coordinates, from its exact place.
CommonSet common_set(const Corners& a, const Corners& b);

}  // namespace tumble
