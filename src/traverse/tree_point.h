// SPDX-License-Identifier: Apache-2.0
// Points of the world seen from one body's tree: which bounds a ray from there may meet, how near others can be.
#pragma once

#include "bounds/directions.h"
#include "math/mat3.h"
#include "tree/tree.h"

#include <tumble/pose.h>

#include <array>
#include <cstdint>

namespace tumble {

/// A world point in tree coordinates. What is one point in the world, with all its roundings, is two points at most
/// `margin` apart here.
struct TreePoint {
  Vec3 at;
  double margin = 0;

  /// Whether bounds tell anything about it. They do not if the body is so far from the world's origin, or so small
  /// beside the point's coordinates, that the margin exceeds largest_margin (bounds/reach.h).
  bool bounds_serve() const;
};

/// The way from the world into a tree, for one pose.
class WorldToTree {
 public:
  WorldToTree(const Frame& frame, const Pose& pose);

  TreePoint at(const Vec3& world) const;
  /// The tree direction of a world axis; of length one, up to the pose's departure from orthogonality.
  Vec3 axis(int i) const { return linear_.column(i); }
  /// Two points d apart in the tree are at least d times this apart in the world.
  double least_length() const { return least_length_; }
  /// At most d times this.
  double most_length() const { return most_length_; }
  /// Nothing of the body has a larger sum of world coordinates' magnitudes.
  double reach() const { return 1.001 * reach_; }

 private:
  Mat3 linear_;  // a rotation, up to the pose's departure
  Vec3 translation_, center_;
  double to_units_, reach_, least_length_, most_length_;
};

/// Whether the point is so far from the whole tree, by its frame alone, that it is outside of everything.
bool is_far_outside(const TreePoint& point);

/// A half-line in tree coordinates, `direction` of length about one, as a tree's bounds need it.
class TreeRay {
 public:
  TreeRay(const Tree& tree, const TreePoint& origin, const Vec3& direction);

  /// Bit l is set unless the bound of lane l of a node, widened by the margin, is certainly missed.
  std::uint32_t meets(NodeView node) const;
  /// How far the ray goes in the bound of the whole tree, widened likewise; negative if that is behind.
  double way_out() const;

 private:
  /// A slab of a DOP along the ray: origin and one over the direction along its normal, and how far it is widened.
  struct Slab {
    double at, inverse, wide;
  };

  const Tree& tree_;
  Vec3 origin_, direction_;
  double wide_, roundings_;
  std::array<Slab, max_k / 2> slabs_;
};

/// A lower bound, in tree units, of the distance from each lane's bound to the point, less the margin; of lanes in use.
void measure_lanes(const Tree& tree, NodeView node, const TreePoint& point, std::array<double, Tree::lanes>& into);

/// A ball around a lane's bound.
struct LaneBall {
  Vec3 center;
  double radius = 0;
};
LaneBall lane_ball(const Tree& tree, NodeView node, std::size_t lane);

}  // namespace tumble
