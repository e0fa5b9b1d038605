// SPDX-License-Identifier: Apache-2.0
// Two boxes are looked at along the normals of their faces, which tell nearly as much as all fifteen axes (van den
// Bergen 1997, section 4.2) and need no right angles: poses and boxes have them nearly.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tree/turned_box.cpp"
#include "simd/foreach_target.h"

#include "tree/turned_box.h"

#include "core/assert.h"
#include "math/pose_stretch.h"
#include "math/sum_norm.h"
#include "simd/lanes-inl.h"

#include <algorithm>
#include <bit>
#include <cmath>

HWY_BEFORE_NAMESPACE();
namespace tumble {
namespace HWY_NAMESPACE {

using Double4 = Lanes<double, 4>;

/// By how much a pose that is not quite rigid changes a product of two vectors of unit length, at most: the norm of
/// RᵀR − I, which is at most three times its largest entry.
HWY_INLINE double change_of_products(const Pose& pose) {
  const Vec3 &p = pose.row(0), &q = pose.row(1), &r = pose.row(2);
  const double xx = std::abs(((p.x * p.x + q.x * q.x) + r.x * r.x) - 1),
               yy = std::abs(((p.y * p.y + q.y * q.y) + r.y * r.y) - 1),
               zz = std::abs(((p.z * p.z + q.z * q.z) + r.z * r.z) - 1);
  const double xy = std::abs((p.x * p.y + q.x * q.y) + r.x * r.y), xz = std::abs((p.x * p.z + q.x * q.z) + r.x * r.z),
               yz = std::abs((p.y * p.z + q.y * q.z) + r.y * r.z);
  return 3 * std::max(std::max(std::max(xx, yy), std::max(zz, xy)), std::max(xz, yz));
}

/// The products of a vector with three others, by coordinate.
HWY_INLINE Double4 products(const std::array<WholeBox::Four, 3>& with, double x, double y, double z) {
  const auto row = [&](std::size_t i) { return Double4::load(with[i].data()); };
  return (row(0) * Double4::broadcast(x) + row(1) * Double4::broadcast(y)) + row(2) * Double4::broadcast(z);
}

// With u = 2^-53, along a normal w, of length 1 but for roundings and poses that stretch, for a body whose box reaches
// M = |x|₁ and whose pose moves by t: a vertex of the world is off by 7u·(M + |t|₁), as is the centre; normals are off
// by 5u, which counts 5u·M; the box itself by 17u·M (fine_box.h), products and sums below add 10u·(M + |t|₁). Together
// that is less than 64u; 2^-46 = 128u leaves room for poses that stretch by 1e-4.
void turn_here(TurnedBox& box, const Pose& pose) {
  const WholeBox& of = *box.of;
  const Vec3 &t = pose.translation(), &c = of.center;
  for (int row = 0; row < 3; ++row) {
    const Vec3& r = pose.row(row);
    products(of.normals, r.x, r.y, r.z).store(box.normals[static_cast<std::size_t>(row)].data());
  }
  const double wider = change_of_products(pose) * of.lengths;
  (Double4::load(of.extents.data()) + Double4::broadcast(wider)).store(box.extents.data());
  box.center = Vec3{dot(pose.row(0), c), dot(pose.row(1), c), dot(pose.row(2), c)} + t;
  box.rounding = 0x1p-46 * (of.reach + sum_norm(t));
}

/// How far each half of `of` together reaches along the normals of `other`.
HWY_INLINE Double4 reach_along(const TurnedBox& of, const TurnedBox& other) {
  Double4 sum = Double4::broadcast(0);
  for (std::size_t k = 0; k < 3; ++k)
    sum = sum + Double4::broadcast(of.of->halves[k]) *
                    abs(products(other.normals, of.normals[0][k], of.normals[1][k], of.normals[2][k]));
  return sum;
}

/// The fourth of each four is no normal: it is never outside of anything.
HWY_INLINE bool are_apart_inline(const TurnedBox& a, const TurnedBox& b) {
  const Vec3 between = b.center - a.center;
  const double rounding = a.rounding + b.rounding;
  const auto outside = [&](const TurnedBox& box) HWY_ATTR {
    return abs(products(box.normals, between.x, between.y, between.z)) - Double4::load(box.extents.data());
  };
  // First each box against the other's ball, which is quick; then against the box inside.
  const Double4 of_a = outside(a), of_b = outside(b);
  if (any(less(Double4::broadcast(b.of->radius + rounding), of_a) |
          less(Double4::broadcast(a.of->radius + rounding), of_b)))
    return true;
  const Double4 beside_a = reach_along(a, b) + Double4::broadcast(a.of->skew + rounding),
                beside_b = reach_along(b, a) + Double4::broadcast(b.of->skew + rounding);
  return any(less(beside_a, of_b) | less(beside_b, of_a));
}

bool are_apart_here(const TurnedBox& a, const TurnedBox& b) { return are_apart_inline(a, b); }

void turn_all_here(std::span<const BoxToTurn> boxes) {
  for (const auto& [box, pose] : boxes) turn_here(*box, *pose);
}

void leave_out_apart_here(std::span<const TurnedBox> boxes, std::span<std::uint64_t> near) {
  for (std::size_t a = 0; a < near.size(); ++a) {
    if (near[a] == 0 || !boxes[a].of) continue;
    for (std::uint64_t left = near[a]; left != 0; left &= left - 1) {
      const auto b = static_cast<std::size_t>(std::countr_zero(left));
      if (boxes[b].of && are_apart_inline(boxes[a], boxes[b])) near[a] &= ~(std::uint64_t{1} << b);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace tumble
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tumble {

HWY_EXPORT(turn_here);
HWY_EXPORT(are_apart_here);
HWY_EXPORT(turn_all_here);
HWY_EXPORT(leave_out_apart_here);

WholeBox::WholeBox(const FineBox& box)
    : center(box.center), normals{}, halves{}, extents{}, lengths(0), radius(0), skew(0), reach(box.reach) {
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3 &normal = box.normals[i], &edge = box.half_edges[i];
    for (int axis = 0; axis < 3; ++axis) normals[static_cast<std::size_t>(axis)][i] = normal[axis];
    halves[i] = length(edge);
    skew += length(edge - normal * halves[i]);
    lengths += halves[i];
    for (const Vec3& other : box.half_edges) extents[i] += std::abs(dot(normal, other));
  }
  skew = (skew + 1e-15 * lengths) * largest_pose_stretch * largest_pose_stretch;
  // 1.001: for poses that stretch, and for angles that are nearly right.
  radius = 1.001 * length(Vec3{halves[0], halves[1], halves[2]}) + skew;
}

void TurnedBox::place(const WholeBox* box, const Pose& pose) {
  of = box;
  if (of) HWY_DYNAMIC_DISPATCH(turn_here)(*this, pose);
}

bool are_apart(const TurnedBox& a, const TurnedBox& b) {
  return a.of && b.of && HWY_DYNAMIC_DISPATCH(are_apart_here)(a, b);
}

void turn(std::span<const BoxToTurn> boxes) {
  if (!boxes.empty()) HWY_DYNAMIC_DISPATCH(turn_all_here)(boxes);
}

void leave_out_apart(std::span<const TurnedBox> boxes, std::span<std::uint64_t> near) {
  TUMBLE_ASSERT(boxes.size() == near.size() && boxes.size() <= 64);
  HWY_DYNAMIC_DISPATCH(leave_out_apart_here)(boxes, near);
}

}  // namespace tumble
#endif
