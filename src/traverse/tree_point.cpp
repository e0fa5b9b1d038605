// SPDX-License-Identifier: Apache-2.0
// In double precision, with room for its roundings.
#include "traverse/tree_point.h"

#include "bounds/dop.h"
#include "bounds/lanes.h"
#include "bounds/reach.h"
#include "math/max_norm.h"
#include "math/rounding.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tumble {
namespace {

double size(Vec3 v) { return std::abs(v.x) + std::abs(v.y) + std::abs(v.z); }

/// More than a thousand roundings of numbers of the size met here.
double roundings(const TreePoint& p) { return 1e-12 * (4 + size(p.at) + p.margin); }

/// Rays that cross a slab by less than this do not leave it.
constexpr double least_slope = 1e-16;

}  // namespace

double widening(const TreePoint& p) { return 1.01 * p.margin + roundings(p); }

bool TreePoint::bounds_serve() const { return margin <= largest_margin && size(at) <= 4 * largest_margin; }

// tree = Q·(R⁻¹·(world − t) − c)·2^-e, with the true inverse: poses need not be orthogonal to the last bit.
WorldToTree::WorldToTree(const Frame& frame, const Pose& pose)
    : translation_(pose.translation()), to_units_(power_of_two(-frame.exponent)) {
  const bool turns = !pose.is_identity() || frame.is_turned();  // the others are frequent, and quicker
  if (turns) linear_ = inverse({{pose.row(0), pose.row(1), pose.row(2)}});
  center_ = frame.center;
  if (frame.is_turned()) {
    linear_ = frame.rotation * linear_;
    center_ = frame.rotation * center_;
  }
  reach_ = size(frame.center) + std::ldexp(tree_reach_sum, frame.exponent) + size(translation_);
  // The norm of a matrix is at most three times its largest entry; 1e-4 is the most a pose may depart.
  const double departure = turns ? 3 * departure_from_orthogonality(linear_) : 0;
  least_length_ = 1 / std::sqrt(1 + departure) * (1 - 0x1p-40);
  most_length_ = 1 / std::sqrt(1 - departure) * (1 + 0x1p-40);
}

// The roundings are those of traverse/relate.cpp and fewer: 2^-46 = 128u of all sizes involved covers them.
TreePoint WorldToTree::at(const Vec3& world, double slack) const {
  return {(linear_ * (world - translation_) - center_) * to_units_,
          (2 * 0x1p-46 * (reach_ + size(world)) + 2 * slack) * to_units_};
}

bool is_far_outside(const TreePoint& point) {
  const double farthest = max_norm(point.at);
  return farthest > moved_reach + 2 * point.margin;  // false for NaN
}

TreeDirection WorldToTree::along(const Vec3& world) const {
  // Squares of smaller numbers would underflow.
  const bool is_tiny = max_norm(world) < 1e-100;
  const Vec3 in_tree = linear_ * (is_tiny ? world * 0x1p600 : world);
  const double size = length(in_tree), units = size * to_units_;
  return {in_tree * (1 / size), is_tiny ? units * 0x1p-600 : units};
}

double way_out(const Tree& tree, const TreePoint& origin, const Vec3& direction) {
  const NodeView root = tree.node(0);
  const double wide = widening(origin);
  double out = std::numeric_limits<double>::infinity();
  const auto leave = [&](double at, double slope, double lower, double upper) {
    if (std::abs(slope) < least_slope) return;
    out = std::min(out, ((slope > 0 ? upper : lower) - at) / slope);
  };
  if (tree.bound == Bound::dop) {
    const std::span<const Vec3> normals = directions(tree.k);
    const std::span<const double> lengths = direction_lengths(tree.k);
    for (std::size_t i = 0; i < normals.size(); ++i)
      leave(dot(normals[i], origin.at), dot(normals[i], direction), root.rows[DopRows::lower(i)] - wide * lengths[i],
            root.rows[DopRows::upper(i)] + wide * lengths[i]);
    return out;
  }
  const Obb box = lane_obb(root.rows, 0);
  const Vec3 w = origin.at - Vec3{box.center[0], box.center[1], box.center[2]};
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3 axis{box.axes[i][0], box.axes[i][1], box.axes[i][2]};
    leave(dot(axis, w), dot(axis, direction), -(box.half[i] + wide), box.half[i] + wide);
  }
  return out;
}

LaneBall lane_ball(const Tree& tree, NodeView node, std::size_t lane) {
  if (tree.bound == Bound::obb) {
    const Obb box = lane_obb(node.rows, lane);
    const Vec3 half{box.half[0], box.half[1], box.half[2]};
    return {{box.center[0], box.center[1], box.center[2]}, length(half) * (1 + 0x1p-20)};
  }
  const LaneSlabs slabs = lane_slabs(node.rows, tree.k, lane);
  const SlabCentre centre = slab_centre(slabs.lowers(), slabs.uppers(), tree.k);
  return {centre.point, centre.reach};
}

}  // namespace tumble
