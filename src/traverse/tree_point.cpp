// SPDX-License-Identifier: Apache-2.0
// Eight bounds against a point or a half-line, in double precision with room for its roundings.
#include "traverse/tree_point.h"

#include "bounds/dop.h"
#include "bounds/lanes.h"
#include "bounds/reach.h"
#include "math/rounding.h"

#include <algorithm>
#include <cmath>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "traverse/tree_point.cpp"
#include "simd/foreach_target.h"
#include "simd/vec3s-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tumble {
namespace HWY_NAMESPACE {

using Doubles = Lanes<double, node_lanes>;
using Vec3x8 = Vec3s<Doubles>;

/// a·w for axis i of each box of a node, and one w for each box, or for all.
HWY_INLINE Doubles along_axis(const float* rows, int i, const Vec3x8& w) {
  const auto axis = [&](int component) { return Doubles::load_floats(rows + ObbRows::axis(i, component)); };
  return mul_add(axis(2), w.z, mul_add(axis(1), w.y, axis(0) * w.x));
}

HWY_INLINE Vec3x8 same(const double* v) {
  return {Doubles::broadcast(v[0]), Doubles::broadcast(v[1]), Doubles::broadcast(v[2])};
}
HWY_INLINE Vec3x8 from_centers(const float* rows, const double* p) {
  const Vec3x8 point = same(p);
  const auto center = [&](int component) { return Doubles::load_floats(rows + ObbRows::center(component)); };
  return {point.x - center(0), point.y - center(1), point.z - center(2)};
}

/// Lanes whose boxes a half-line certainly misses: beyond a face and going away from it, or separated along the cross
/// product of the line and an edge. `ray` is origin, direction, how far boxes are widened, and what more roundings
/// could make of a cross product that is all but zero.
std::uint32_t obbs_missed(const float* rows, const double* ray) {
  const Vec3x8 w = from_centers(rows, ray), d = same(ray + 3);
  const Doubles wide = Doubles::broadcast(ray[6]), roundings = Doubles::broadcast(ray[7]);
  const Doubles zero = Doubles::broadcast(0);
  Doubles u[3], v[3], h[3], size[3];
  std::uint32_t missed = 0;
  for (int i = 0; i < 3; ++i) {
    u[i] = along_axis(rows, i, w);
    v[i] = along_axis(rows, i, d);
    h[i] = Doubles::load_floats(rows + ObbRows::half(i)) + wide;
    size[i] = abs(v[i]);
    missed |= greater(abs(u[i]), h[i]) & ~greater(zero, u[i] * v[i]);
  }
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const Doubles reach = mul_add(h[j], size[k], mul_add(h[k], size[j], roundings));
    missed |= greater(abs(u[j] * v[k] - u[k] * v[j]), reach);
  }
  return missed;
}

/// The same for DOPs, whose slabs cut an interval out of the line. Three numbers for each: see TreeRay::Slab.
std::uint32_t dops_missed(const float* rows, const double* slabs, int count) {
  Doubles from = Doubles::broadcast(0), to = Doubles::broadcast(1e30);
  for (int i = 0; i < count; ++i) {
    const Doubles at = Doubles::broadcast(slabs[3 * i]), inverse = Doubles::broadcast(slabs[3 * i + 1]);
    const Doubles wide = Doubles::broadcast(slabs[3 * i + 2]);
    const Doubles a = (Doubles::load_floats(rows + DopRows::lower(i)) - wide - at) * inverse;
    const Doubles b = (Doubles::load_floats(rows + DopRows::upper(i)) + wide - at) * inverse;
    from = max(from, min(a, b));
    to = min(to, max(a, b));
  }
  return greater(from, to);
}

/// The squared distance of a point from each box, in slab form.
void obb_distances_sq(const float* rows, const double* point, double* into) {
  const Vec3x8 w = from_centers(rows, point);
  const Doubles zero = Doubles::broadcast(0);
  Doubles sum = zero;
  for (int i = 0; i < 3; ++i) {
    const Doubles gap = max(zero, abs(along_axis(rows, i, w)) - Doubles::load_floats(rows + ObbRows::half(i)));
    sum = mul_add(gap, gap, sum);
  }
  sum.store(into);
}

/// The squared distance of a point from each DOP: from the box where the first three slabs are the axes', or along the
/// normal of any slab. Two numbers for each slab: the point along the normal, and one over the normal's length.
void dop_distances_sq(const float* rows, const double* slabs, int count, bool has_axes, double* into) {
  const Doubles zero = Doubles::broadcast(0);
  Doubles box = zero, farthest = zero;
  for (int i = 0; i < count; ++i) {
    const Doubles at = Doubles::broadcast(slabs[2 * i]);
    const Doubles gap = max(zero, max(Doubles::load_floats(rows + DopRows::lower(i)) - at,
                                      at - Doubles::load_floats(rows + DopRows::upper(i)))) *
                        Doubles::broadcast(slabs[2 * i + 1]);
    if (has_axes && i < 3)
      box = mul_add(gap, gap, box);
    else
      farthest = max(farthest, gap);
  }
  max(box, farthest * farthest).store(into);
}

}  // namespace HWY_NAMESPACE
}  // namespace tumble
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tumble {
namespace {

HWY_EXPORT(obbs_missed);
HWY_EXPORT(dops_missed);
HWY_EXPORT(obb_distances_sq);
HWY_EXPORT(dop_distances_sq);

double size(Vec3 v) { return std::abs(v.x) + std::abs(v.y) + std::abs(v.z); }

/// More than a thousand roundings of numbers of the size met here.
double roundings(const TreePoint& p) { return 1e-12 * (4 + size(p.at) + p.margin); }

/// By how much slabs are widened.
double widening(const TreePoint& p) { return 1.01 * p.margin + roundings(p); }

/// A line parallel to a slab is made to cross it by this much. As long as it is in reach, it strays by less than a
/// thousandth of the roundings allowed for.
constexpr double least_slope = 1e-16;

std::uint32_t used_lanes(NodeView node) { return (1u << node.used_lanes()) - 1; }

}  // namespace

bool TreePoint::bounds_serve() const { return margin <= largest_margin && size(at) <= 4 * largest_margin; }

// tree = Q·(R⁻¹·(world − t) − c)·2^-e, with the true inverse: poses need not be orthogonal to the last bit.
WorldToTree::WorldToTree(const Frame& frame, const Pose& pose)
    : translation_(pose.translation()), to_units_(power_of_two(-frame.exponent)) {
  linear_ = inverse({{pose.row(0), pose.row(1), pose.row(2)}});
  center_ = frame.center;
  if (frame.is_turned()) {
    linear_ = frame.rotation * linear_;
    center_ = frame.rotation * center_;
  }
  reach_ = size(frame.center) + std::ldexp(tree_reach_sum, frame.exponent) + size(translation_);
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
  return farthest > moved_reach + 2 * point.margin;  // false for NaN
}

TreeRay::TreeRay(const Tree& tree, const TreePoint& origin, const Vec3& direction)
    : tree_(tree), origin_(origin.at), direction_(direction), wide_(widening(origin)), roundings_(roundings(origin)) {
  if (tree.bound == Bound::obb) return;
  const std::span<const Vec3> normals = directions(tree.k);
  const std::span<const double> lengths = direction_lengths(tree.k);
  for (std::size_t i = 0; i < normals.size(); ++i) {
    const double slope = dot(normals[i], direction);
    slabs_[i] = {dot(normals[i], origin.at), 1 / std::copysign(std::max(std::abs(slope), least_slope), slope),
                 wide_ * lengths[i]};
  }
}

std::uint32_t TreeRay::meets(NodeView node) const {
  if (tree_.bound == Bound::dop)
    return ~HWY_DYNAMIC_DISPATCH(dops_missed)(node.rows, &slabs_[0].at, tree_.k / 2) & used_lanes(node);
  const double ray[8] = {origin_.x, origin_.y, origin_.z, direction_.x, direction_.y, direction_.z, wide_, roundings_};
  return ~HWY_DYNAMIC_DISPATCH(obbs_missed)(node.rows, ray) & used_lanes(node);
}

double TreeRay::way_out() const {
  const NodeView root = tree_.node(0);
  double out = std::numeric_limits<double>::infinity();
  const auto leave = [&](double at, double slope, double lower, double upper) {
    if (std::abs(slope) < least_slope) return;
    out = std::min(out, ((slope > 0 ? upper : lower) - at) / slope);
  };
  if (tree_.bound == Bound::dop) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(tree_.k) / 2; ++i)
      leave(slabs_[i].at, 1 / slabs_[i].inverse, root.rows[DopRows::lower(i)] - slabs_[i].wide,
            root.rows[DopRows::upper(i)] + slabs_[i].wide);
    return out;
  }
  const Obb box = lane_obb(root.rows, 0);
  const Vec3 w = origin_ - Vec3{box.center[0], box.center[1], box.center[2]};
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3 axis{box.axes[i][0], box.axes[i][1], box.axes[i][2]};
    leave(dot(axis, w), dot(axis, direction_), -(box.half[i] + wide_), box.half[i] + wide_);
  }
  return out;
}

void measure_lanes(const Tree& tree, NodeView node, const TreePoint& point, std::array<double, Tree::lanes>& into) {
  // Axes of a box are floats, their matrix's norm below 1 + 2^-21.
  constexpr double shorter = 1 - 0x1p-20;
  if (tree.bound == Bound::dop) {
    const std::span<const Vec3> normals = directions(tree.k);
    const std::span<const double> lengths = direction_lengths(tree.k);
    std::array<double, max_k> slabs;
    for (std::size_t i = 0; i < normals.size(); ++i) {
      slabs[2 * i] = dot(normals[i], point.at);
      slabs[2 * i + 1] = 1 / lengths[i];
    }
    HWY_DYNAMIC_DISPATCH(dop_distances_sq)(node.rows, slabs.data(), tree.k / 2, has_axes(tree.k), into.data());
  } else {
    const double at[3] = {point.at.x, point.at.y, point.at.z};
    HWY_DYNAMIC_DISPATCH(obb_distances_sq)(node.rows, at, into.data());
  }
  const double wide = widening(point);
  for (double& distance : into) distance = std::sqrt(distance) * shorter - wide;
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
#endif
