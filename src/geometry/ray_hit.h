// SPDX-License-Identifier: Apache-2.0
// Whether and where a ray or a segment meets a closed triangle. Whether is decided exactly, degenerate triangles and
// rays in a triangle's plane included; where is rounded.
#pragma once

#include "geometry/triangle.h"

#include <optional>

namespace tumble {

/// The points origin + t·direction with t >= 0, or those from origin (t = 0) to end (t = 1).
struct RayPart {
  Vec3 origin, direction;  // not zero; the direction of a segment is end - origin, rounded
  std::optional<Vec3> end;
};

/// The least t of the points in common, if there are any. Within 1e-12 of its value; 0 and 1 exactly where the origin
/// and the end of a segment are on the triangle. The same for every order of the corners. No magnitude exceeds
/// max_predicate_coordinate.
std::optional<double> meets_at(const RayPart& ray, const Corners& triangle);

}  // namespace tumble
