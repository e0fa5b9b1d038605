// SPDX-License-Identifier: Apache-2.0
// PlacedTree: one body and the way from the world into its tree, asked about points and rays of the world.
#pragma once

#include "geometry/distance.h"
#include "geometry/ray_crossing.h"
#include "geometry/ray_hit.h"
#include "traverse/nearest_walk.h"
#include "traverse/placed_pair.h"
#include "traverse/ray_walk.h"
#include "traverse/tree_point.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace tumble {

/// Where a point is: on the surface, degenerate triangles included, or wound around so many times.
struct Location {
  bool on_surface = false;
  int winding = 0;

  bool is_outside() const { return !on_surface && winding == 0; }
};

/// A point of a body's surface near another point.
struct SurfacePoint {
  double distance_sq = std::numeric_limits<double>::infinity();
  std::uint32_t triangle = 0;
  Vec3 point{};
};

/// Where a ray meets a triangle; the order is along the ray, then by triangle.
struct RayHit {
  std::uint32_t triangle = 0;
  double t = 0;

  friend bool operator<(const RayHit& a, const RayHit& b) {
    return a.t < b.t || (a.t == b.t && a.triangle < b.triangle);
  }
};

/// point_distance or exact_point_distance.
using MeasurePoint = PointDistance (*)(const Vec3&, const Corners&);

/// A ball of the world.
struct PlacedBall {
  Vec3 center;
  double radius = 0;
};

class PlacedTree {
 public:
  explicit PlacedTree(const Body& body);

  const Body& body() const { return body_; }

  /// A ball around what is below a lane of a node, or around everything; not rounded outward: see rounding().
  PlacedBall ball(NodeView node, std::size_t lane) const;
  PlacedBall whole() const { return ball(body_.model.tree.node(0), 0); }
  /// Bounds the error of this body's world points, however computed: more than a thousand roundings.
  double rounding() const { return 1e-13 * to_tree_.reach(); }

  /// Decided exactly on world coordinates, whose magnitude is at most max_predicate_coordinate. The surface is that
  /// of a closed mesh: its edges balance in any coordinates, so rounding cannot open it. Triangles without area balance
  /// edges, too; one to which rounding gives some area in the world winds like any other.
  Location locate(const Vec3& world) const;

  /// The first hit by the computed t; of several the first triangle.
  std::optional<RayHit> first_hit(const RayPart& ray) const;
  /// All triangles hit, in order.
  void all_hits(const RayPart& ray, std::vector<RayHit>& into) const;

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
  /// The same for every triangle that a ray may meet, whose origin is only known to `slack` in each coordinate.
  template <class Use>
  bool any_on(const AxisRay& ray, double slack, const Use& use) const;
  /// How far a ray goes in the whole, in the tree's units; negative if that is behind.
  double way_out(const AxisRay& ray) const;

 private:
  void walk(const RayPart& ray, const TreeDirection& direction, RaySink& sink) const;
  void walk(const AxisRay& ray, double slack, RaySink& sink) const;
  /// Two points one unit of the tree apart are at least this far apart in the world.
  double least_unit() const { return power_of_two(body_.model.tree.frame.exponent) * to_tree_.least_length(); }

  Body body_;
  WorldToTree to_tree_;
  double unit_;  // of the tree, in the world, at most
};

template <class Use>
bool PlacedTree::any_near(const Vec3& center, double radius, const Use& use) const {
  struct Each final : PointSink {
    explicit Each(const Use& each) : use(each) {}
    void measure(std::uint32_t triangle) override {
      if (ended) return;
      ended = use(triangle);
      if (ended) limit = -1;
    }
    const Use& use;
    bool ended = false;
  };
  Each each(use);
  each.limit = radius / least_unit() * (1 + 1e-11);
  each.underflow = std::numeric_limits<double>::infinity();  // what is near does not make others matter less
  walk_to_nearest(body_.model.tree, to_tree_.at(center), each);
  return each.ended;
}

template <class Use>
bool PlacedTree::any_on(const AxisRay& ray, double slack, const Use& use) const {
  struct Each final : RaySink {
    explicit Each(const Use& each) : use(each) {}
    bool meet(std::uint32_t triangle) override { return ended = use(triangle); }
    const Use& use;
    bool ended = false;
  };
  Each each(use);
  walk(ray, slack, each);
  return each.ended;
}

}  // namespace tumble
