// SPDX-License-Identifier: Apache-2.0
// In double precision, with room for its roundings.
#include "traverse/tree_point.h"

#include "bounds/dop.h"
#include "bounds/lanes.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tumble {
namespace {

/// Rays that cross a slab by less than this do not leave it.
constexpr double least_slope = 1e-16;

}  // namespace

void WorldToTree::turn(const Pose& pose) { linear_ = linear_ * inverse({{pose.row(0), pose.row(1), pose.row(2)}}); }

Lengths WorldToTree::lengths() const {
  // The norm of a matrix is at most three times its largest entry; 1e-4 is the most a pose may depart.
  const double departure = 3 * departure_from_orthogonality(linear_);
  return {1 / std::sqrt(1 + departure) * (1 - 0x1p-40), 1 / std::sqrt(1 - departure) * (1 + 0x1p-40)};
}

bool is_far_outside(const TreePoint& point) {
  const double farthest = max_norm(point.at);
  return farthest > moved_reach + 2 * point.margin;  // false for NaN
}

double way_out(const Tree& tree, const TreePoint& origin, const Vec3& direction) {
  const NodeView root = tree.node(0);
  const double wide = origin.widening();
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
