// SPDX-License-Identifier: Apache-2.0
// GrowingBox: a box that starts empty and takes in points and boxes. And the boxes of triangles.
#pragma once

#include <tumble/mesh.h>
#include <tumble/pose.h>

#include <algorithm>
#include <limits>
#include <span>

namespace tumble {

struct GrowingBox : Box {
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  GrowingBox() : Box{{infinity, infinity, infinity}, {-infinity, -infinity, -infinity}} {}

  void grow(const Box& other) {
    for (int axis = 0; axis < 3; ++axis) {
      lower[axis] = std::min(lower[axis], other.lower[axis]);
      upper[axis] = std::max(upper[axis], other.upper[axis]);
    }
  }
  void grow(const Vec3& p) { grow(Box{p, p}); }
};

/// The box of the vertices that triangles use; empty without triangles.
GrowingBox box_of(std::span<const Vec3> vertices, std::span<const Triangle> triangles);
/// The same in the world.
GrowingBox box_of(std::span<const Vec3> vertices, std::span<const Triangle> triangles, const Pose& pose);

}  // namespace tumble
