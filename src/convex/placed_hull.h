// SPDX-License-Identifier: Apache-2.0
// PlacedHull: a hull at a pose. Vertices are those of the world (docs/semantics.md, promise 2), times a power of two;
// climbing is done in the hull's own coordinates, with the direction brought there.
#pragma once

#include "convex/convex_data.h"
#include "geometry/triangle.h"
#include "math/power_of_two.h"
#include "math/transform.h"

#include <algorithm>
#include <cmath>

namespace tumble {

struct PlacedHull {
  const ConvexData& data;
  const Pose& pose;
  double scale = 1;

  Vec3 vertex(std::uint32_t v) const { return to_world(pose, data.hull.vertices[v]) * scale; }
  Corners corners(std::uint32_t triangle) const {
    const auto& t = data.hull.triangles[triangle];
    return {vertex(t[0]), vertex(t[1]), vertex(t[2])};
  }
  /// For which local·x and direction·(R x) are the same for every x, whether R is quite rigid or not.
  Vec3 local(Vec3 direction) const {
    return pose.row(0) * direction.x + pose.row(1) * direction.y + pose.row(2) * direction.z;
  }
  std::uint32_t farthest(Vec3 direction) const { return data.farthest(local(direction)); }
  std::uint32_t farthest(Vec3 direction, std::uint32_t start) const {
    return data.hull.farthest(local(direction), start);
  }
};

/// What a certificate must exceed: the hulls' faces may be this far off, climbs may miss this much, and the roundings
/// of world coordinates and of sums of a few of them.
inline double slack(const PlacedHull& a, const PlacedHull& b) {
  const auto one = [](const PlacedHull& hull) {
    const Vec3& t = hull.pose.translation();
    return 1.001 * hull.data.hull.margin +
           16 * 0x1p-52 * (2 * hull.data.reach + (std::abs(t.x) + std::abs(t.y) + std::abs(t.z)));
  };
  return (one(a) + one(b)) * a.scale;
}

/// A power of two that keeps products of six lengths from overflow and underflow; 1 for all usual sizes.
inline double scale_of(const ConvexData& a, const Pose& pose_a, const ConvexData& b, const Pose& pose_b) {
  const Vec3 apart = pose_b.translation() - pose_a.translation();
  const double size = std::max({a.reach, b.reach, std::abs(apart.x), std::abs(apart.y), std::abs(apart.z)});
  return size > 1e-30 && size < 1e30 ? 1 : times_power_of_two(1, std::min(-fraction_of(size).exponent, 1000));
}

}  // namespace tumble
