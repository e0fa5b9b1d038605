// SPDX-License-Identifier: Apache-2.0
// The triangles, segments and projections of the geometry room: plain corners in world coordinates.
#pragma once

#include <tumble/vec.h>

#include <array>
#include <cstddef>

namespace tumble {

using Corners = std::array<Vec3, 3>;
using Segment = std::array<Vec3, 2>;

struct Vec2 {
  double x = 0, y = 0;
};

/// Drops coordinate `axis`; the two others follow it cyclically, so the area keeps the sign of normal[axis].
[[gnu::always_inline]] inline Vec2 project(const Vec3& p, int axis) {
  return axis == 0 ? Vec2{p.y, p.z} : axis == 1 ? Vec2{p.z, p.x} : Vec2{p.x, p.y};
}

/// By x, then y, then z. Along any line this order is the order of the points.
inline bool lexicographic_less(const Vec3& a, const Vec3& b) {
  if (a.x != b.x) return a.x < b.x;
  if (a.y != b.y) return a.y < b.y;
  return a.z < b.z;
}

inline constexpr std::size_t next_corner(std::size_t i) { return i == 2 ? 0 : i + 1; }

inline Vec3 centroid(const Corners& t) { return t[0] / 3 + t[1] / 3 + t[2] / 3; }

/// The segment between the lexicographically smallest and largest corner, for a triangle of dimension 1.
Segment segment_of(const Corners& t);

/// The same corners in lexicographic order: equal for every order in which they are given.
Corners sorted(const Corners& t);

}  // namespace tumble
