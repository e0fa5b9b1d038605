// SPDX-License-Identifier: Apache-2.0
// Polygons: turns the faces of a file into triangles, concave ones included.
#pragma once

#include <tumble/mesh.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tumble::io {

/// Collects faces as fans while a file is read, when some of their vertices may still be unknown. At the end it
/// corrects the fans of concave polygons in place: every triangulation of n corners has n − 2 triangles.
class Polygons {
 public:
  explicit Polygons(Mesh& mesh) : mesh_(mesh) {}

  /// Leaves out faces with fewer than three corners: points and lines.
  void add(std::span<const std::uint32_t> corners) {
    for (std::size_t i = 2; i < corners.size(); ++i)
      mesh_.triangles.push_back({corners[0], corners[i - 1], corners[i]});
    if (corners.size() > 3)
      polygons_.push_back({static_cast<std::uint32_t>(mesh_.triangles.size() - (corners.size() - 2)),
                           static_cast<std::uint32_t>(corners.size())});
  }

  /// Call once all vertices are known and all indices are in range.
  void finish();

 private:
  struct Polygon {
    std::uint32_t first_triangle, corners;
  };

  Mesh& mesh_;
  std::vector<Polygon> polygons_;
};

}  // namespace tumble::io
