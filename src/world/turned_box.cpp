// SPDX-License-Identifier: Apache-2.0
// Two boxes are looked at along the normals of their faces, which tell nearly as much as all fifteen axes (van den
// Bergen 1997, section 4.2) and need no right angles: poses and boxes have them nearly.
#include "world/turned_box.h"

#include "math/sum_norm.h"

#include <cmath>

namespace tumble {
namespace {

using Four = BodyShape::Four;

/// How far along each normal of `box` a point at `v` from its centre is outside of it.
Four outside(const TurnedBox& box, const Vec3& v) {
  Four by;
  for (std::size_t i = 0; i < 4; ++i)
    by[i] =
        std::abs((box.normals[0][i] * v.x + box.normals[1][i] * v.y) + box.normals[2][i] * v.z) - box.of->extents[i];
  return by;
}

bool any_above(const Four& values, double limit) {
  bool is_above = false;  // without branches: which it is cannot be foretold
  for (std::size_t i = 0; i < 3; ++i) is_above |= values[i] > limit;
  return is_above;
}

}  // namespace

// With u = 2^-53, along a normal w, of length 1 but for roundings and poses that stretch, for a body whose box reaches
// M = |x|₁ and whose pose moves by t: a vertex of the world is off by 7u·(M + |t|₁), as is the centre; normals are off
// by 5u, which counts 5u·M; the box itself by 17u·M (fine_box.h), products and sums below add 10u·(M + |t|₁). Together
// that is less than 64u; 2^-46 = 128u leaves room for poses that stretch by 1e-4.
void TurnedBox::place(const BodyShape& shape, const Pose& pose) {
  of = shape.whole ? &*shape.whole : nullptr;
  if (!of) return;
  const Vec3 &t = pose.translation(), &c = of->center;
  for (int row = 0; row < 3; ++row) {
    const Vec3& r = pose.row(row);
    for (std::size_t i = 0; i < 4; ++i)
      normals[static_cast<std::size_t>(row)][i] =
          (r.x * of->normals[0][i] + r.y * of->normals[1][i]) + r.z * of->normals[2][i];
  }
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
