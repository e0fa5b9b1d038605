// SPDX-License-Identifier: Apache-2.0
// PlacedTree: one body and the way from the world into its tree, asked about points of the world.
#pragma once

#include "traverse/placed_pair.h"
#include "traverse/tree_point.h"

#include <cstdint>
#include <limits>

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

  /// The nearest point of the surface, or `best` if that is nearer; of several triangles at the same computed distance
  /// the first. The distance is that of geometry/distance.h for points.
  SurfacePoint nearest(const Vec3& world, SurfacePoint best = {}) const;
  /// The nearest point of one triangle.
  SurfacePoint on(std::uint32_t triangle, const Vec3& world) const;

 private:
  Body body_;
  WorldToTree to_tree_;
  double unit_;  // of the tree, in the world, at most
};

}  // namespace tumble
