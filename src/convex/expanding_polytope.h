// SPDX-License-Identifier: Apache-2.0
// The least translation that separates two overlapping hulls: the point nearest to the origin on the boundary of their
// difference, by a polytope inside it that grows toward that point (van den Bergen 2001).
#pragma once

#include "convex/first_steps.h"

namespace tumble {

struct Depth {
  double lower = 0, upper = 0;  // of the least translation, up to roundings and the hulls' margins
  Vec3 direction{};             // unit; moving b by `upper` along it separates the hulls
};

/// Needs a simplex that holds the origin, if only on its boundary; one of fewer than four points is completed. If the
/// hulls have no common inside along some direction, or roundings are in the way, `upper` may be infinite.
Depth least_translation(const PlacedHull& a, const PlacedHull& b, Simplex simplex);

/// How far b must move along a unit direction.
double depth_along(const PlacedHull& a, const PlacedHull& b, Vec3 direction);

}  // namespace tumble
