// SPDX-License-Identifier: Apache-2.0
// Two looks at eight pairs of triangles at once. The first is as in geometry/pair_filter.h, but it also detects
// touches. The second is for what that leaves open: signs that take more bits, or are zero for a reason one can see.
#pragma once

#include "geometry/triangle.h"
#include "simd/double2.h"

#include <tumble/pose.h>

#include <cstddef>
#include <cstdint>

namespace tumble {

/// Corners in their bodies' coordinates, one pair per lane; those of a body that stands are in the world's.
struct EightPairs {
  static constexpr std::size_t lanes = 8;

  alignas(64) double a[9][lanes], b[9][lanes];  // x, y, z of each corner in turn
  bool a_stands = false, b_stands = false;      // then its pose is the identity

  void set(std::size_t lane, const Vec3& a0, const Vec3& a1, const Vec3& a2, const Vec3& b0, const Vec3& b1,
           const Vec3& b2) {
    const auto write = [lane](double(*to)[lanes], const Vec3& v) {
      to[0][lane] = v.x, to[1][lane] = v.y, to[2][lane] = v.z;
    };
    write(a, a0), write(a + 3, a1), write(a + 6, a2);
    write(b, b0), write(b + 3, b1), write(b + 6, b2);
  }
  /// Writes one corner of two triangles, at `lane` and the next one, to rows of `a` or `b`. Two at a time take half as
  /// many stores.
  static void set_two(double (*rows)[lanes], std::size_t lane, const Vec3& one, const Vec3& next) {
    const Double2 of_one = Double2::load(&one.x), of_next = Double2::load(&next.x);
    firsts(of_one, of_next).store(rows[0] + lane);
    seconds(of_one, of_next).store(rows[1] + lane);
    Double2(one.z, next.z).store(rows[2] + lane);
  }
};

/// Bit l is for the pair in lane l: they certainly cross, touch or share an area, or nothing is certain. A pair with no
/// bit set is certainly apart.
struct EightLooks {
  std::uint32_t cross, touch, coplanar, unsure;
};

/// The triangles are placed by their poses, rounded as to_world() rounds.
EightLooks first_look(const EightPairs& pairs, const Pose& a_pose, const Pose& b_pose);
EightLooks second_look(const EightPairs& pairs, const Pose& a_pose, const Pose& b_pose);

}  // namespace tumble
