// SPDX-License-Identifier: Apache-2.0
// Makes boxes, cylinders and spheres. All but the box are rings of vertices between two poles.
#include "assembly/primitives.h"

#include <cmath>
#include <numbers>
#include <span>

namespace tumble {
namespace {

struct Ring {
  double radius, z;
};

/// Rings from below upwards, closed by a fan of triangles at each end.
Mesh turned(double bottom, std::span<const Ring> rings, double top, std::uint32_t around) {
  Mesh mesh;
  mesh.vertices.push_back({0, 0, bottom});
  for (const Ring& ring : rings)
    for (std::uint32_t i = 0; i < around; ++i) {
      const double angle = 2 * std::numbers::pi * i / around;
      mesh.vertices.push_back({ring.radius * std::cos(angle), ring.radius * std::sin(angle), ring.z});
    }
  const auto last = static_cast<std::uint32_t>(mesh.vertices.size());
  mesh.vertices.push_back({0, 0, top});
  for (std::uint32_t i = 0; i < around; ++i) {
    const std::uint32_t a = 1 + i, b = 1 + (i + 1) % around;
    mesh.triangles.push_back({0, b, a});
    for (std::uint32_t below = 0; below + around < last - 1; below += around) {
      mesh.triangles.push_back({a + below, b + below, b + below + around});
      mesh.triangles.push_back({a + below, b + below + around, a + below + around});
    }
    mesh.triangles.push_back({last, last - around + i, last - around + (i + 1) % around});
  }
  return mesh;
}

}  // namespace

Mesh box_mesh(Vec3 size) {
  Mesh mesh;
  for (int corner = 0; corner < 8; ++corner)
    mesh.vertices.push_back(
        {(corner & 1 ? 0.5 : -0.5) * size.x, (corner & 2 ? 0.5 : -0.5) * size.y, (corner & 4 ? 0.5 : -0.5) * size.z});
  mesh.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                    {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  return mesh;
}

Mesh cylinder_mesh(double radius, double length) {
  const Ring rings[] = {{radius, -length / 2}, {radius, length / 2}};
  return turned(-length / 2, rings, length / 2, 32);  // 1 - cos(pi / 32) is 0.48 %
}

Mesh sphere_mesh(double radius) {
  constexpr int around = 48, layers = around / 2;  // 1 - cos(pi / 48)^2 is 0.43 %
  std::vector<Ring> rings;
  for (int i = 1; i < layers; ++i) {
    const double angle = std::numbers::pi * i / layers;
    rings.push_back({radius * std::sin(angle), -radius * std::cos(angle)});
  }
  return turned(-radius, rings, radius, around);
}

}  // namespace tumble
