// SPDX-License-Identifier: Apache-2.0
// Points and directions of the world seen from one body's tree.
#pragma once

#include "math/mat3.h"
#include "tree/tree.h"

#include <tumble/pose.h>

#include <cstddef>

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

/// By how much bounds are widened for a point: by its margin, and for roundings in double precision.
double widening(const TreePoint& point);

/// A direction in tree coordinates.
struct TreeDirection {
  Vec3 unit;          // of length one
  double length = 0;  // of what it was made from, in tree units; 0 or infinite where no double holds it
};

/// The way from the world into a tree, for one pose.
class WorldToTree {
 public:
  WorldToTree(const Frame& frame, const Pose& pose);

  /// Of a point that is only known to `slack` in each coordinate.
  TreePoint at(const Vec3& world, double slack = 0) const;
  /// A direction of the world, not zero, in the tree.
  TreeDirection along(const Vec3& world) const;
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

/// How far a ray goes in the bound of the whole tree, which is widened; negative if that is behind.
double way_out(const Tree& tree, const TreePoint& origin, const Vec3& direction);

/// A ball around a lane's bound.
struct LaneBall {
  Vec3 center;
  double radius = 0;
};
LaneBall lane_ball(const Tree& tree, NodeView node, std::size_t lane);

}  // namespace tumble
