// SPDX-License-Identifier: Apache-2.0
// The bounds of TriangleGaps in double precision, widened by what the one routine may err.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "geometry/eight_distances.cpp"
#include "simd/foreach_target.h"

#include "geometry/eight_distances.h"
#include "geometry/triangle_gaps-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tumble {
namespace HWY_NAMESPACE {

void bracket_distances_here(const EightPairs& pairs, const Pose& a_pose, const Pose& b_pose, EightBrackets& into) {
  using Double8 = Lanes<double, 8>;
  Double8 a[3][3], b[3][3];
  const auto place = [](const double(*rows)[8], const Pose& pose, Double8(&corner)[3]) {  // as to_world
    const Double8 x = Double8::load(rows[0]), y = Double8::load(rows[1]), z = Double8::load(rows[2]);
    for (int axis = 0; axis < 3; ++axis) {
      const Vec3& r = pose.row(axis);
      corner[axis] = ((Double8::broadcast(r.x) * x + Double8::broadcast(r.y) * y) + Double8::broadcast(r.z) * z) +
                     Double8::broadcast(pose.translation()[axis]);
    }
  };
  for (int i = 0; i < 3; ++i) {
    place(pairs.a + 3 * i, a_pose, a[i]);
    place(pairs.b + 3 * i, b_pose, b[i]);
  }
  const TriangleGaps<Double8> triangles(a, b);
  const auto nearest = triangles.nearest_edges();
  const Double8 routine = Double8::broadcast(1e-13) * nearest.reach;
  const Double8 low = max(triangles.beyond_planes(), nearest.low);
  (low * Double8::broadcast(1 - 1e-11) - routine).store(into.low);
  (nearest.high * Double8::broadcast(1 + 1e-11) + routine).store(into.high);
}

}  // namespace HWY_NAMESPACE
}  // namespace tumble
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tumble {

HWY_EXPORT(bracket_distances_here);

EightBrackets bracket_distances(const EightPairs& pairs, const Pose& a_pose, const Pose& b_pose) {
  EightBrackets brackets;
  HWY_DYNAMIC_DISPATCH(bracket_distances_here)(pairs, a_pose, b_pose, brackets);
  return brackets;
}

}  // namespace tumble
#endif
