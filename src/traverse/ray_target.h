// SPDX-License-Identifier: Apache-2.0
// RayTarget: one body and the way from the world into its tree, asked about rays of the world. It is quickly made: a
// ray that misses takes little longer.
#pragma once

#include "geometry/ray_crossing.h"
#include "geometry/ray_hit.h"
#include "traverse/placed_pair.h"
#include "traverse/ray_walk.h"
#include "traverse/tree_point.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace tumble {

/// Where a point is: on the surface, degenerate triangles included, or wound around so many times.
struct Location {
  bool on_surface = false;
  int winding = 0;

  bool is_outside() const { return !on_surface && winding == 0; }
};

/// Where a ray meets a triangle; the order is along the ray, then by triangle.
struct RayHit {
  std::uint32_t triangle = 0;
  double t = 0;

  friend bool operator<(const RayHit& a, const RayHit& b) {
    return a.t < b.t || (a.t == b.t && a.triangle < b.triangle);
  }
};

class RayTarget {
 public:
  explicit RayTarget(const Body& body) : body_(body), to_tree_(body.model.tree.frame, body) {}

  const Body& body() const { return body_; }

  /// Decided exactly on world coordinates, whose magnitude is at most max_predicate_coordinate. The surface is that
  /// of a closed mesh: its edges balance in any coordinates, so rounding cannot open it. Triangles without area balance
  /// edges, too; one to which rounding gives some area in the world winds like any other.
  Location locate(const Vec3& world) const;

  /// The first hit by the computed t; of several the first triangle.
  std::optional<RayHit> first_hit(const RayPart& ray) const;
  /// All triangles hit, in order.
  void all_hits(const RayPart& ray, std::vector<RayHit>& into) const;

  /// Calls use(triangle) for every triangle that a ray may meet, whose origin is only known to `slack` in each
  /// coordinate, until it returns true. Returns whether it did.
  template <class Use>
  bool any_on(const AxisRay& ray, double slack, const Use& use) const;
  /// How far a ray goes in the whole, in the tree's units; negative if that is behind.
  double way_out(const AxisRay& ray) const;

 protected:
  const WorldToTree& to_tree() const { return to_tree_; }

 private:
  void walk(const RayPart& ray, const TreeDirection& direction, RaySink& sink) const;
  void walk(const AxisRay& ray, double slack, RaySink& sink) const;

  Body body_;
  WorldToTree to_tree_;
};

template <class Use>
bool RayTarget::any_on(const AxisRay& ray, double slack, const Use& use) const {
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
