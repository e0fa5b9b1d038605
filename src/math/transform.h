// SPDX-License-Identifier: Apache-2.0
// The one definition of a body's world coordinates, inline for the library's own loops.
#pragma once

#include <tumble/pose.h>

namespace tumble {

/// ((r0*x + r1*y) + r2*z) + t, compiled without contraction (docs/semantics.md, promise 2).
[[gnu::always_inline]] inline Vec3 to_world(const Pose& pose, Vec3 p) {
  const auto coordinate = [&p](const Vec3& r, double t) { return ((r.x * p.x + r.y * p.y) + r.z * p.z) + t; };
  const Vec3& t = pose.translation();
  return {coordinate(pose.row(0), t.x), coordinate(pose.row(1), t.y), coordinate(pose.row(2), t.z)};
}

}  // namespace tumble
