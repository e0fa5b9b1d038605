// SPDX-License-Identifier: Apache-2.0
// The set of points two meeting triangles share: its corners, chosen exactly, with rounded coordinates.
#pragma once

#include "geometry/predicates.h"
#include "geometry/triangle.h"

#include <array>
#include <cstdint>
#include <optional>
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

/// The corners of one triangle over the plane of another, for as long as both are there: on which side at once, how
/// high when somebody asks.
class CornerHeights {
 public:
  CornerHeights(const Corners& of, const Corners& over) : CornerHeights(of, over, tumble::sides(over, of)) {}
  /// If the sides are known.
  CornerHeights(const Corners& of, const Corners& over, const Sides& known) : sides(known), of_(of), over_(over) {}

  const std::array<Scaled, 3>& values() {
    if (!values_) values_ = height_values(over_, of_);
    return *values_;
  }

  const Sides sides;

 private:
  const Corners &of_, &over_;
  std::optional<std::array<Scaled, 3>> values_;
};

/// Precondition: intersects(a, b). The number of corners and the edges they come from are exact. A corner of a triangle
/// is copied bit by bit. Any other lies within 1e-14 of the largest coordinate difference of the pair, plus the
/// rounding of its own coordinates, from its exact place.
CommonSet common_set(const Corners& a, const Corners& b);

/// The same if each one's heights over the other are known already.
CommonSet common_set(const Corners& a, const Corners& b, CornerHeights& of_a, CornerHeights& of_b);

}  // namespace tumble
