// SPDX-License-Identifier: Apache-2.0
// SupportMap: how far a body reaches along any direction, at most. With it a line is soon found along which two bodies
// of nearly convex shape are apart, where their boxes are not.
#pragma once

#include <tumble/pose.h>
#include <tumble/vec.h>

#include <array>
#include <cstddef>
#include <span>

namespace tumble {

/// The support function max dot(d, x − center) for the directions d of a grid on the faces of a cube. It is convex and
/// grows in proportion to d, so what a cell's four corners say, interpolated, is never too little for those between.
struct SupportMap {
  static constexpr int side = 8;
  /// Of larger meshes none is made, as that takes time in proportion: nothing is told apart by theirs.
  static constexpr std::size_t most_vertices = 1 << 16;

  Vec3 center{};
  double unit = 1;  // of heights: at least the distance of every vertex from the centre
  double reach;     // at least |x| + |y| + |z| of every vertex and of the centre; infinite where there is no map
  alignas(32) std::array<float, std::size_t{6} * side * side> heights{};  // by axis, sign, row and column

  explicit SupportMap(std::span<const Vec3> vertices);
};

/// Whether two bodies certainly have no point in common. Tries two directions: from centre to centre, and the one that
/// this suggests (Chung and Wang 1996).
bool are_apart(const SupportMap& a, const Pose& pose_a, const SupportMap& b, const Pose& pose_b);

}  // namespace tumble
