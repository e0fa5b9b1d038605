// SPDX-License-Identifier: Apache-2.0
// Two lattices and the strip around them.
#include "scenes/plate.h"

#include <cstdint>

namespace tumble::scenes {

Mesh plate(std::size_t cells, double low, double high, double shear) {
  const std::size_t n = cells, row = n + 1;
  Mesh mesh;
  for (const double z : {low, high})
    for (std::size_t j = 0; j <= n; ++j)
      for (std::size_t i = 0; i <= n; ++i) {
        const double x = static_cast<double>(i) / static_cast<double>(n) - 0.5;
        const double y = static_cast<double>(j) / static_cast<double>(n) - 0.5;
        mesh.vertices.push_back({x + shear * y, y, z});
      }
  const auto id = [&](std::size_t i, std::size_t j, bool upper) {
    return static_cast<std::uint32_t>((upper ? row * row : 0) + j * row + i);
  };
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = 0; i < n; ++i) {
      mesh.triangles.push_back({id(i, j, false), id(i, j + 1, false), id(i + 1, j + 1, false)});
      mesh.triangles.push_back({id(i, j, false), id(i + 1, j + 1, false), id(i + 1, j, false)});
      mesh.triangles.push_back({id(i, j, true), id(i + 1, j, true), id(i + 1, j + 1, true)});
      mesh.triangles.push_back({id(i, j, true), id(i + 1, j + 1, true), id(i, j + 1, true)});
    }
  const auto wall = [&](std::size_t i, std::size_t j, std::size_t k,
                        std::size_t l) {  // seen from outside: left to right
    mesh.triangles.push_back({id(i, j, false), id(k, l, false), id(k, l, true)});
    mesh.triangles.push_back({id(i, j, false), id(k, l, true), id(i, j, true)});
  };
  for (std::size_t i = 0; i < n; ++i) {
    wall(i, 0, i + 1, 0);
    wall(n, i, n, i + 1);
    wall(n - i, n, n - i - 1, n);
    wall(0, n - i, 0, n - i - 1);
  }
  return mesh;
}

}  // namespace tumble::scenes
