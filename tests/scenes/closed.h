// SPDX-License-Identifier: Apache-2.0
// Whether a generated mesh has the topology it claims, by its indices alone.
#pragma once

#include <tumble/mesh.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tumble::scenes {

/// Edges not used as often in one direction as in the other.
inline std::size_t open_edges(const Mesh& mesh) {
  std::vector<std::array<std::uint32_t, 3>> edges;  // the two ends in order, then the direction
  for (const Triangle& t : mesh.triangles)
    for (std::size_t i = 0; i < 3; ++i) {
      const std::uint32_t a = t[i], b = t[(i + 1) % 3];
      edges.push_back({std::min(a, b), std::max(a, b), a < b ? 1u : 0u});
    }
  std::sort(edges.begin(), edges.end());
  std::size_t open = 0;
  for (std::size_t i = 0; i < edges.size();) {
    int balance = 0;
    std::size_t j = i;
    for (; j < edges.size() && edges[j][0] == edges[i][0] && edges[j][1] == edges[i][1]; ++j)
      balance += edges[j][2] == 1 ? 1 : -1;
    if (balance != 0) ++open;
    i = j;
  }
  return open;
}

inline double signed_volume(const Mesh& mesh) {
  double volume = 0;
  for (const Triangle& t : mesh.triangles)
    volume += dot(mesh.vertices[t[0]], cross(mesh.vertices[t[1]], mesh.vertices[t[2]])) / 6;
  return volume;
}

inline std::size_t flat_triangles(const Mesh& mesh) {
  std::size_t flat = 0;
  for (const Triangle& t : mesh.triangles) {
    const Vec3 a = mesh.vertices[t[0]], b = mesh.vertices[t[1]], c = mesh.vertices[t[2]];
    if (!(length_sq(cross(b - a, c - a)) > 0)) ++flat;
  }
  return flat;
}

}  // namespace tumble::scenes
