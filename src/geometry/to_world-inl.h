// SPDX-License-Identifier: Apache-2.0
// to_world for eight corners side by side, rounded as for one (math/transform.h). Compiled once per instruction set.

#if defined(TUMBLE_GEOMETRY_TO_WORLD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TUMBLE_GEOMETRY_TO_WORLD_INL_H_
#undef TUMBLE_GEOMETRY_TO_WORLD_INL_H_
#else
#define TUMBLE_GEOMETRY_TO_WORLD_INL_H_
#endif

#include "simd/vec3s-inl.h"

#include <tumble/pose.h>

HWY_BEFORE_NAMESPACE();
namespace tumble {
namespace HWY_NAMESPACE {

using Double8 = Lanes<double, 8>;
using Vec3x8 = Vec3s<Double8>;

/// `rows`: x, y and z of the corners. Those of a body that stands stay as they are.
HWY_INLINE Vec3x8 to_world(const Pose& pose, bool stands, const double (*rows)[8]) {
  const Double8 x = Double8::load(rows[0]), y = Double8::load(rows[1]), z = Double8::load(rows[2]);
  if (stands) return {x, y, z};
  const auto coordinate = [&](int axis) {
    const Vec3& r = pose.row(axis);
    return ((Double8::broadcast(r.x) * x + Double8::broadcast(r.y) * y) + Double8::broadcast(r.z) * z) +
           Double8::broadcast(pose.translation()[axis]);
  };
  return {coordinate(0), coordinate(1), coordinate(2)};
}

}  // namespace HWY_NAMESPACE
}  // namespace tumble
HWY_AFTER_NAMESPACE();

#endif
