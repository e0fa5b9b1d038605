// SPDX-License-Identifier: Apache-2.0
// ConvexHull: the hull of many points, with the edge graph on which hill climbing finds the farthest vertex.
#pragma once

#include <tumble/vec.h>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace tumble {

struct ConvexHull {
  std::vector<Vec3> vertices;
  std::vector<std::array<std::uint32_t, 3>>
      triangles;                              // outward; both sides of a flat hull; none of a segment or point
  std::vector<std::uint32_t> neighbor_begin;  // of each vertex in `neighbors`, and the end
  std::vector<std::uint32_t> neighbors;       // along the edges of the faces, diagonals left out
  /// In any direction, no input point is farther by more than this than the vertex at which hill climbing ends.
  double margin = 0;
  /// A climb looks across vertices that are lower by this; 0 if no edge is so short that roundings could end a climb.
  double level = 0;
  bool is_box = false;  // Qhull failed twice: these are the corners of the set's box

  std::span<const std::uint32_t> neighbors_of(std::uint32_t vertex) const {
    return std::span(neighbors).subspan(neighbor_begin[vertex], neighbor_begin[vertex + 1] - neighbor_begin[vertex]);
  }

  /// The farthest vertex along `direction`, up to `margin`, by climbing from `start` (Klosowski 1998, section 4.1).
  /// From the farthest vertex of a similar direction it takes a few steps. There must be a vertex.
  std::uint32_t farthest(Vec3 direction, std::uint32_t start = 0) const;

  /// Of its lists.
  std::size_t bytes() const {
    return vertices.capacity() * sizeof(Vec3) + triangles.capacity() * sizeof(triangles[0]) +
           (neighbor_begin.capacity() + neighbors.capacity()) * sizeof(std::uint32_t);
  }

 private:
  /// A vertex that is higher than `here`, across vertices that are lower by `drop` at most; `here` if there is none.
  std::uint32_t beyond_plateau(Vec3 direction, std::uint32_t here, double drop) const;
};

/// The hull of any number of finite points of magnitude up to 1e100, flat, straight and coincident sets included.
/// Vertices are input points, or the corners of the set's box if Qhull fails twice.
ConvexHull convex_hull(std::span<const Vec3> points);

}  // namespace tumble
