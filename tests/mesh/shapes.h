// SPDX-License-Identifier: Apache-2.0
// Small hand-made meshes for tests.
#pragma once

#include <tumble/mesh.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace tumble::test {

/// The box from `lower` to `upper`: 8 vertices, 12 triangles, 18 edges, closed, normals outward.
inline Mesh box(Vec3 lower, Vec3 upper) {
  Mesh mesh;
  for (int i = 0; i < 8; ++i)
    mesh.vertices.push_back({i & 1 ? upper.x : lower.x, i & 2 ? upper.y : lower.y, i & 4 ? upper.z : lower.z});
  mesh.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                    {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  return mesh;
}
inline Mesh cube() { return box({0, 0, 0}, {1, 1, 1}); }

inline Mesh together(std::initializer_list<Mesh> meshes) {
  Mesh all;
  for (const Mesh& mesh : meshes) {
    const auto offset = std::uint32_t(all.vertices.size());
    all.vertices.insert(all.vertices.end(), mesh.vertices.begin(), mesh.vertices.end());
    for (const Triangle& t : mesh.triangles) all.triangles.push_back({t[0] + offset, t[1] + offset, t[2] + offset});
  }
  return all;
}

/// Cuts a triangle in two at the middle of a side, and closes the seam with a triangle without area.
inline Mesh with_seam(Mesh mesh, std::size_t triangle, std::size_t side) {
  const Triangle t = mesh.triangles[triangle];
  const std::uint32_t a = t[side], b = t[(side + 1) % 3], c = t[(side + 2) % 3],
                      m = std::uint32_t(mesh.vertices.size());
  mesh.vertices.push_back((mesh.vertices[a] + mesh.vertices[b]) * 0.5);
  mesh.triangles[triangle] = {a, m, c};
  mesh.triangles.insert(mesh.triangles.end(), {{m, b, c}, {a, b, m}});
  return mesh;
}

/// Every triangle with three vertices of its own, as an STL file has them.
inline Mesh soup(const Mesh& mesh) {
  Mesh loose;
  for (const Triangle& t : mesh.triangles) {
    const auto first = std::uint32_t(loose.vertices.size());
    for (const std::uint32_t index : t) loose.vertices.push_back(mesh.vertices[index]);
    loose.triangles.push_back({first, first + 1, first + 2});
  }
  return loose;
}

}  // namespace tumble::test
