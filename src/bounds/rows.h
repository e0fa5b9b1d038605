// SPDX-License-Identifier: Apache-2.0
// The memory layout of a node's bounds, and the contents of an empty lane. bounds/lanes.h reads and writes whole lanes.
#pragma once

namespace tumble {

/// A node holds up to this many bounds side by side, one in each lane.
inline constexpr int node_lanes = 8;

// A row holds one number of all lanes, and rows follow one another. The functions below return where a row begins: lane
// l of row r() is `rows[r() + l]`. They compute in the type of their argument.

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

  /// The box of an empty lane is a point with these coordinates, its axes those of the tree. It is farther away than
  /// any box a walk tests reaches (poses beyond largest_margin are not walked), and finite for the same reason.
  static constexpr float empty_center = 1e15f;
};

}  // namespace tumble
