// SPDX-License-Identifier: Apache-2.0
// Two boxes are looked at along the normals of their faces, which tell nearly as much as all fifteen axes (van den
// Bergen 1997, section 4.2) and need no right angles: poses and boxes have them nearly.
#include "tree/turned_box.h"

#include "math/pose_stretch.h"
#include "math/sum_norm.h"

#include <algorithm>
#include <cmath>

namespace tumble {
namespace {

using Four = WholeBox::Four;

/// How far along each normal of `box` a point at `v` from its centre is outside of it.
Four outside(const TurnedBox& box, const Vec3& v) {
  Four by;
  for (std::size_t i = 0; i < 4; ++i)
    by[i] = std::abs((box.normals[0][i] * v.x + box.normals[1][i] * v.y) + box.normals[2][i] * v.z) - box.extents[i];
  return by;
}

/// By how much a pose that is not quite rigid changes a product of two vectors of unit length, at most: the norm of
/// RᵀR − I, which is at most three times its largest entry.
double change_of_products(const Pose& pose) {
  const Vec3 &p = pose.row(0), &q = pose.row(1), &r = pose.row(2);
  const double xx = std::abs(((p.x * p.x + q.x * q.x) + r.x * r.x) - 1),
               yy = std::abs(((p.y * p.y + q.y * q.y) + r.y * r.y) - 1),
               zz = std::abs(((p.z * p.z + q.z * q.z) + r.z * r.z) - 1);
  const double xy = std::abs((p.x * p.y + q.x * q.y) + r.x * r.y), xz = std::abs((p.x * p.z + q.x * q.z) + r.x * r.z),
               yz = std::abs((p.y * p.z + q.y * q.z) + r.y * r.z);
  return 3 * std::max(std::max(std::max(xx, yy), std::max(zz, xy)), std::max(xz, yz));
}

bool any_above(const Four& values, double limit) {
  bool is_above = false;  // without branches: which it is cannot be foretold
  for (std::size_t i = 0; i < 3; ++i) is_above |= values[i] > limit;
  return is_above;
}

}  // namespace

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

// With u = 2^-53, along a normal w, of length 1 but for roundings and poses that stretch, for a body whose box reaches
// M = |x|₁ and whose pose moves by t: a vertex of the world is off by 7u·(M + |t|₁), as is the centre; normals are off
// by 5u, which counts 5u·M; the box itself by 17u·M (fine_box.h), products and sums below add 10u·(M + |t|₁). Together
// that is less than 64u; 2^-46 = 128u leaves room for poses that stretch by 1e-4.
void TurnedBox::place(const WholeBox* box, const Pose& pose) {
  of = box;
  if (!of) return;
  const Vec3 &t = pose.translation(), &c = of->center;
  for (int row = 0; row < 3; ++row) {
    const Vec3& r = pose.row(row);
    for (std::size_t i = 0; i < 4; ++i)
      normals[static_cast<std::size_t>(row)][i] =
          (r.x * of->normals[0][i] + r.y * of->normals[1][i]) + r.z * of->normals[2][i];
  }
  const double wider = change_of_products(pose) * of->lengths;
  for (std::size_t i = 0; i < 4; ++i) extents[i] = of->extents[i] + wider;
  center = Vec3{dot(pose.row(0), c), dot(pose.row(1), c), dot(pose.row(2), c)} + t;
  rounding = 0x1p-46 * (of->reach + sum_norm(t));
}

bool are_apart(const TurnedBox& a, const TurnedBox& b) {
  if (!a.of || !b.of) return false;
  const Vec3 between = b.center - a.center;
  const double rounding = a.rounding + b.rounding;
  // First each box against the other's ball, which is quick; then against the box inside.
  const Four of_a = outside(a, between), of_b = outside(b, between);
  if (any_above(of_a, b.of->radius + rounding) || any_above(of_b, a.of->radius + rounding)) return true;
  Four reach_of_a{}, reach_of_b{};  // along the other's normals
  for (std::size_t k = 0; k < 3; ++k) {
    const double x = a.normals[0][k], y = a.normals[1][k], z = a.normals[2][k];
    Four along;
    for (std::size_t i = 0; i < 4; ++i)
      along[i] = std::abs((b.normals[0][i] * x + b.normals[1][i] * y) + b.normals[2][i] * z);
    for (std::size_t i = 0; i < 4; ++i) reach_of_a[i] += a.of->halves[k] * along[i];
    reach_of_b[k] = (b.of->halves[0] * along[0] + b.of->halves[1] * along[1]) + b.of->halves[2] * along[2];
  }
  const double skew_a = a.of->skew + rounding, skew_b = b.of->skew + rounding;
  bool apart = false;
  for (std::size_t i = 0; i < 3; ++i) {
    apart |= of_b[i] > reach_of_a[i] + skew_a;
    apart |= of_a[i] > reach_of_b[i] + skew_b;
  }
  return apart;
}

}  // namespace tumble
