// SPDX-License-Identifier: Apache-2.0
// Slabs against points and lines, in double precision with room for its roundings.
#include "traverse/tree_point.h"

#include "bounds/dop.h"
#include "math/rounding.h"
#include "tree/lanes.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tumble {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Beyond this margin bounds tell nothing apart (as in query/pair.cpp).
constexpr double largest_margin = 0x1p40;

double size(Vec3 v) { return std::abs(v.x) + std::abs(v.y) + std::abs(v.z); }

/// By how much slabs are widened: the margin, and for the arithmetic here, on numbers of this size, more than a
/// thousand roundings.
double widening(const TreePoint& p) { return 1.01 * p.margin + 1e-12 * (4 + size(p.at)); }

/// Narrows an interval to where |u + s·v| <= h. Where v is zero the ends are infinities of the right signs.
void clip(double u, double v, double h, double& from, double& to) {
  const double a = (-h - u) / v, b = (h - u) / v;
  const double near = v < 0 ? b : a, far = v < 0 ? a : b;
  if (v == 0) {
    if (std::abs(u) > h) to = -infinity;
    return;
  }
  from = near > from ? near : from;
  to = far < to ? far : to;
}

}  // namespace

bool TreePoint::is_tame() const { return margin <= largest_margin && size(at) <= 4 * largest_margin; }

// tree = Q·(R⁻¹·(world − t) − c)·2^-e, with the true inverse: poses need not be orthogonal to the last bit.
WorldToTree::WorldToTree(const Frame& frame, const Pose& pose)
    : translation_(pose.translation()), to_units_(power_of_two(-frame.exponent)) {
  const Vec3 &x = pose.row(0), &y = pose.row(1), &z = pose.row(2);
  const Vec3 a = cross(y, z), b = cross(z, x), c = cross(x, y);
  const double d = 1 / dot(x, a);
  linear_ = transpose(Mat3{{a * d, b * d, c * d}});
  center_ = frame.center;
  if (frame.is_turned()) {
    linear_ = frame.rotation * linear_;
    center_ = frame.rotation * center_;
  }
  // A body's vertices are at most √3 units from the centre along each axis of its frame.
  reach_ = size(frame.center) + std::ldexp(6.0, frame.exponent) + size(translation_);
  // The norm of a matrix is at most three times its largest entry; 1e-4 is the most a pose may depart.
  const double departure = 3 * departure_from_orthogonality(linear_);
  least_length_ = 1 / std::sqrt(1 + departure) * (1 - 0x1p-40);
  most_length_ = 1 / std::sqrt(1 - departure) * (1 + 0x1p-40);
}

// The roundings are those of traverse/relate.cpp and fewer: 2^-46 = 128u of all sizes involved covers them.
TreePoint WorldToTree::at(const Vec3& world) const {
  return {(linear_ * (world - translation_) - center_) * to_units_, 2 * 0x1p-46 * (reach_ + size(world)) * to_units_};
}

bool is_far_outside(const TreePoint& point) {
  const double farthest = std::max({std::abs(point.at.x), std::abs(point.at.y), std::abs(point.at.z)});
  return farthest > 1.8 + 2 * point.margin;  // false for NaN
}

void meet_lanes(const Tree& tree, NodeView node, int used, const TreeRay& ray, LaneIntervals& into) {
  const Vec3 &p = ray.origin.at, &d = ray.direction;
  const double wide = widening(ray.origin);
  into.from.fill(-infinity);
  into.to.fill(infinity);
  const auto lanes = static_cast<std::size_t>(used);
  const float* const rows = node.rows;
  if (tree.bound == Bound::obb) {
    for (std::size_t l = 0; l < lanes; ++l) {
      const Vec3 w{p.x - rows[l], p.y - rows[8 + l], p.z - rows[16 + l]};
      for (std::size_t i = 0; i < 3; ++i) {
        const float* const axis = rows + 8 * (6 + 3 * i) + l;
        const Vec3 a{axis[0], axis[8], axis[16]};
        clip(dot(a, w), dot(a, d), rows[8 * (3 + i) + l] + wide, into.from[l], into.to[l]);
      }
    }
    return;
  }
  const std::span<const Vec3> normals = directions(tree.k);
  const std::span<const double> lengths = direction_lengths(tree.k);
  for (std::size_t i = 0; i < normals.size(); ++i) {
    const double u = dot(normals[i], p), v = dot(normals[i], d);
    for (std::size_t l = 0; l < lanes; ++l) {
      const double lower = rows[16 * i + l], upper = rows[16 * i + 8 + l];
      clip(u - 0.5 * (lower + upper), v, 0.5 * (upper - lower) + wide * lengths[i], into.from[l], into.to[l]);
    }
  }
}

void measure_lanes(const Tree& tree, NodeView node, int used, const TreePoint& point,
                   std::array<double, Tree::lanes>& into) {
  // Axes of a box are floats, their matrix's norm below 1 + 2^-21.
  constexpr double shorter = 1 - 0x1p-20;
  const Vec3& p = point.at;
  const double wide = widening(point);
  const auto lanes = static_cast<std::size_t>(used);
  const float* const rows = node.rows;
  if (tree.bound == Bound::obb) {
    for (std::size_t l = 0; l < lanes; ++l) {
      const Vec3 w{p.x - rows[l], p.y - rows[8 + l], p.z - rows[16 + l]};
      double sum = 0;
      for (std::size_t i = 0; i < 3; ++i) {
        const float* const axis = rows + 8 * (6 + 3 * i) + l;
        const double gap = std::max(0.0, std::abs(dot({axis[0], axis[8], axis[16]}, w)) - rows[8 * (3 + i) + l]);
        sum += gap * gap;
      }
      into[l] = std::sqrt(sum) * shorter - wide;
    }
    return;
  }
  const std::span<const Vec3> normals = directions(tree.k);
  const std::span<const double> lengths = direction_lengths(tree.k);
  std::array<double, Tree::lanes> box{}, slab{};
  for (std::size_t i = 0; i < normals.size(); ++i) {
    const double u = dot(normals[i], p);
    const bool is_axis = has_axes(tree.k) && i < 3;
    for (std::size_t l = 0; l < lanes; ++l) {
      const double gap = std::max({0.0, rows[16 * i + l] - u, u - rows[16 * i + 8 + l]});
      if (is_axis)
        box[l] += gap * gap;
      else
        slab[l] = std::max(slab[l], gap / lengths[i]);
    }
  }
  for (std::size_t l = 0; l < lanes; ++l) into[l] = std::max(std::sqrt(box[l]), slab[l]) * shorter - wide;
}

LaneBall lane_ball(const Tree& tree, NodeView node, std::size_t lane) {
  if (tree.bound == Bound::obb) {
    const Obb box = lane_obb(node, lane);
    const Vec3 half{box.half[0], box.half[1], box.half[2]};
    return {{box.center[0], box.center[1], box.center[2]}, length(half) * (1 + 0x1p-20)};
  }
  const LaneSlabs slabs = lane_slabs(tree, node, lane);
  const SlabCentre centre = slab_centre(slabs.lowers(), slabs.uppers(), tree.k);
  return {centre.point, centre.reach};
}

}  // namespace tumble
