// SPDX-License-Identifier: Apache-2.0
// Points and directions of the world seen from one body's tree.
#pragma once

#include "bounds/reach.h"
#include "math/mat3.h"
#include "math/max_norm.h"
#include "math/rounding.h"
#include "math/sum_norm.h"
#include "traverse/placed_pair.h"
#include "tree/tree.h"

#include <tumble/pose.h>

#include <cmath>
#include <cstddef>

namespace tumble {

/// A world point in tree coordinates. What is one point in the world, with all its roundings, is two points at most
/// `margin` apart here.
struct TreePoint {
  Vec3 at;
  double margin = 0;

  /// Whether bounds tell anything about it. They do not if the body is so far from the world's origin, or so small
  /// beside the point's coordinates, that the margin exceeds largest_margin (bounds/reach.h).
  bool bounds_serve() const { return margin <= largest_margin && sum_norm(at) <= 4 * largest_margin; }

  /// By how much bounds are widened for it: by its margin, and by more than a thousand roundings of numbers of the size
  /// met here.
  double widening() const { return 1.01 * margin + 1e-12 * (4 + sum_norm(at) + margin); }
};

/// A direction in tree coordinates.
struct TreeDirection {
  Vec3 unit;          // of length one
  double length = 0;  // of what it was made from, in tree units; 0 or infinite where no double holds it
};

/// Two points d apart in the tree are between least·d and most·d apart in the world, but for the tree's units.
struct Lengths {
  double least, most;
};

/// The way from the world into a tree, for one pose. Inline, as one ray takes little longer than making this.
class WorldToTree {
 public:
  // tree = Q·(R⁻¹·(world − t) − c)·2^-e, with the true inverse: poses need not be orthogonal to the last bit.
  WorldToTree(const Frame& frame, const Body& body)
      : linear_(frame.rotation),
        translation_(body.pose.translation()),
        center_(frame.rotation * frame.center),
        to_units_(power_of_two(-frame.exponent)),
        reach_(sum_norm(frame.center) + tree_reach_sum * power_of_two(frame.exponent) + sum_norm(translation_)) {
    if (!body.stands) turn(body.pose);
  }

  /// Of a point that is only known to `slack` in each coordinate.
  // The roundings are those of traverse/relate.cpp and fewer: 2^-46 = 128u of all sizes involved covers them.
  TreePoint at(const Vec3& world, double slack = 0) const {
    return {(linear_ * (world - translation_) - center_) * to_units_,
            (2 * 0x1p-46 * (reach_ + sum_norm(world)) + 2 * slack) * to_units_};
  }
  /// A direction of the world, not zero, in the tree.
  TreeDirection along(const Vec3& world) const {
    // Squares of smaller numbers would underflow.
    const bool is_tiny = max_norm(world) < 1e-100;
    const Vec3 in_tree = linear_ * (is_tiny ? world * 0x1p600 : world);
    const double size = length(in_tree), units = size * to_units_;
    return {in_tree * (1 / size), is_tiny ? units * 0x1p-600 : units};
  }
  Lengths lengths() const;
  /// Nothing of the body has a larger sum of world coordinates' magnitudes.
  double reach() const { return 1.001 * reach_; }

 private:
  void turn(const Pose& pose);

  Mat3 linear_;  // a rotation, up to the pose's departure
  Vec3 translation_, center_;
  double to_units_, reach_;
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
