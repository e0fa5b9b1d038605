// SPDX-License-Identifier: Apache-2.0
// Reading one lane of a node as a bounding volume of its own: for checks, statistics and drawing, not for walks.
#pragma once

#include "bounds/directions.h"
#include "bounds/obb.h"
#include "tree/tree.h"

#include <array>
#include <cstddef>

namespace tumble {

/// The slabs of a lane of a k-DOP tree.
struct LaneSlabs {
  std::array<float, max_k / 2> lower, upper;
  std::size_t count;
  std::span<const float> lowers() const { return {lower.data(), count}; }
  std::span<const float> uppers() const { return {upper.data(), count}; }
};

inline LaneSlabs lane_slabs(const Tree& tree, NodeView node, std::size_t lane) {
  LaneSlabs slabs;
  slabs.count = static_cast<std::size_t>(tree.k) / 2;
  for (std::size_t i = 0; i < slabs.count; ++i) {
    slabs.lower[i] = node.rows[8 * (2 * i) + lane];
    slabs.upper[i] = node.rows[8 * (2 * i + 1) + lane];
  }
  return slabs;
}

/// The box of a lane of an OBB tree.
inline Obb lane_obb(NodeView node, std::size_t lane) {
  Obb box;
  for (std::size_t i = 0; i < 3; ++i) {
    box.center[i] = node.rows[8 * i + lane];
    box.half[i] = node.rows[8 * (3 + i) + lane];
    for (std::size_t j = 0; j < 3; ++j) box.axes[i][j] = node.rows[8 * (6 + 3 * i + j) + lane];
  }
  return box;
}

}  // namespace tumble
