// SPDX-License-Identifier: Apache-2.0
// Exact tests of rays along the coordinate axes against triangles, from which winding numbers are counted.
#pragma once

#include "geometry/triangle.h"

#include <optional>

namespace tumble {

/// From `origin` along a coordinate axis, or against it.
struct AxisRay {
  Vec3 origin;
  int axis = 0;
  bool forward = true;
};

/// What a triangle adds to the winding number of a ray's origin: 1 if the ray leaves through its front, so that the
/// triangle winds around the origin counter-clockwise; -1 if it passes the other way; 0 if it misses; nothing if the
/// origin lies on the triangle. A ray through an edge or a corner crosses as if moved aside infinitesimally, the same
/// way for all triangles. Over a closed surface the sum is the winding number.
std::optional<int> crossing(const AxisRay& ray, const Corners& triangle);

/// The side of the line from a to b on which a point of that line is once moved by (ε, ε²), ε > 0 small enough: the
/// first nonzero coefficient of ε in the determinant, which is linear in x and y.
int side_when_moved(const Vec2& a, const Vec2& b);

}  // namespace tumble
