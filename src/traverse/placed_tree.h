// SPDX-License-Identifier: Apache-2.0
// PlacedTree: a RayTarget that is asked about points of the world, too.
#pragma once

#include "geometry/distance.h"
#include "math/rounding.h"
#include "traverse/nearest_walk.h"
#include "traverse/ray_target.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace tumble {

/// A point of a body's surface near another point.
struct SurfacePoint {
  double distance_sq = std::numeric_limits<double>::infinity();
  std::uint32_t triangle = 0;
  Vec3 point{};
};

/// point_distance or exact_point_distance.
using MeasurePoint = PointDistance (*)(const Vec3&, const Corners&);

/// A ball of the world.
struct PlacedBall {
  Vec3 center;
  double radius = 0;
};

class PlacedTree : public RayTarget {
 public:
  explicit PlacedTree(const Body& body) : RayTarget(body), lengths_(to_tree().lengths()) {}

  /// A ball around what is below a lane of a node, or around everything; not rounded outward: see rounding().
  PlacedBall ball(NodeView node, std::size_t lane) const;
  PlacedBall whole() const { return ball(tree().node(0), 0); }
  /// Bounds the error of this body's world points, however computed: more than a thousand roundings.
  double rounding() const { return 1e-13 * to_tree().reach(); }

  /// The nearest point of the surface, or `best` if that is nearer; of several triangles at the same computed distance
  /// the first.
  SurfacePoint nearest(const Vec3& world, SurfacePoint best = {}, MeasurePoint measure = point_distance) const;
  /// The same without the triangles that are marked.
  SurfacePoint nearest_but(const std::vector<bool>& left_out, const Vec3& world, SurfacePoint best) const;
  /// The nearest point of one triangle.
  SurfacePoint on(std::uint32_t triangle, const Vec3& world) const;

  /// Calls use(triangle) for every triangle that meets a ball, and for others nearby, until it returns true. Returns
  /// whether it did.
  template <class Use>
  bool any_near(const Vec3& center, double radius, const Use& use) const;

 private:
  const Tree& tree() const { return body().model.tree; }
  /// Two points one unit of the tree apart are at least this far apart in the world.
  double least_unit() const { return power_of_two(tree().frame.exponent) * lengths_.least; }

  Lengths lengths_;
};

template <class Use>
bool PlacedTree::any_near(const Vec3& center, double radius, const Use& use) const {
  struct Each final : PointSink {
    explicit Each(const Use& each) : use(each) {}
    bool measure(std::uint32_t triangle) override { return ended = use(triangle); }
    const Use& use;
    bool ended = false;
  };
  Each each(use);
  each.limit = radius / least_unit() * (1 + 1e-11);
  each.underflow = std::numeric_limits<double>::infinity();  // what is near does not make others matter less
  walk_to_nearest(tree(), to_tree().at(center), each);
  return each.ended;
}

}  // namespace tumble
