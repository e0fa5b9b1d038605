// SPDX-License-Identifier: Apache-2.0
// Welding: one number per distinct vertex position. Positions are compared bit by bit, except that −0 equals 0.
#pragma once

#include <tumble/mesh.h>

#include <cstdint>
#include <span>
#include <vector>

namespace tumble {

struct Weld {
  std::vector<std::uint32_t> point_of_vertex;  // equal for two vertices exactly when their positions are
  std::vector<std::uint32_t> vertex_of_point;  // the first vertex at each point, ascending
};

/// O(n log n) for any positions: no input can force hash collisions that slow it down.
Weld weld(std::span<const Vec3> vertices);

}  // namespace tumble
