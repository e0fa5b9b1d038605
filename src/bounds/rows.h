// SPDX-License-Identifier: Apache-2.0
// Where the numbers of a node's bounds stand in memory, and what an empty lane holds. Reading and writing a whole lane
// is in bounds/lanes.h.
#pragma once

namespace tumble {

/// A node holds up to so many bounds side by side, one in each lane.
inline constexpr int node_lanes = 8;

// A row holds one number of all lanes, and rows follow one another. The functions below say where a row begins, so that
// lane l of the row r() is `rows[r() + l]`. They compute in the type of the index given.

/// Rows of a k-DOP: lower and upper of each slab in turn.
struct DopRows {
  static constexpr int count(int k) { return k; }
  static constexpr auto lower(auto slab) { return 2 * node_lanes * slab; }
  static constexpr auto upper(auto slab) { return 2 * node_lanes * slab + node_lanes; }

  /// The slabs of an empty lane. They overlap nothing, and are finite so that realigning or measuring one makes neither
  /// NaN nor infinity.
  static constexpr float empty_lower = 1e30f, empty_upper = -1e30f;
};

/// Rows of an OBB: centre (3), half extents (3), then the three axes (9).
struct ObbRows {
  static constexpr int count = 15;
  static constexpr auto center(auto component) { return node_lanes * component; }
  static constexpr auto half(auto axis) { return node_lanes * (3 + axis); }
  static constexpr auto axis(auto axis, auto component) { return node_lanes * (6 + 3 * axis + component); }

  /// The box of an empty lane is a point with these coordinates, axes along the coordinates': farther away than any box
  /// reaches that a walk tests (poses beyond largest_margin are not walked), and finite for the same reason.
  static constexpr float empty_center = 1e15f;
};

}  // namespace tumble
