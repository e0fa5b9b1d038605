// SPDX-License-Identifier: Apache-2.0
// BuildInput: the triangles of a mesh in tree coordinates, the input of every way to build a tree.
#pragma once

#include "core/raw_array.h"
#include "tree/frame.h"

#include <tumble/mesh.h>
#include <tumble/tree_options.h>

#include <array>
#include <cstdint>
#include <span>

namespace tumble {

struct BuildInput {
  std::span<const Triangle> triangles;
  RawArray<Vec3> points;  // the mesh's vertices in tree coordinates
  Frame frame;
  TreeOptions options;  // bound is never automatic

  std::uint32_t triangle_count() const { return static_cast<std::uint32_t>(triangles.size()); }
  std::array<Vec3, 3> corners(std::uint32_t triangle) const {
    const Triangle& t = triangles[triangle];
    return {points[t[0]], points[t[1]], points[t[2]]};
  }
  Vec3 centroid(std::uint32_t triangle) const {
    const auto [a, b, c] = corners(triangle);
    return ((a + b) + c) / 3;
  }
};

}  // namespace tumble
