// SPDX-License-Identifier: Apache-2.0
// The distances of eight pairs of triangles: bounds, which are enough for most pairs, and values.
#pragma once

#include "geometry/distance.h"
#include "geometry/eight_pairs.h"

#include <array>

namespace tumble {

/// √distance_sq of each pair, as geometry/distance.h computes it, lies between `low` and `high`. Either may be NaN or
/// infinite, and `low` negative; then it is no bound.
struct EightBrackets {
  alignas(64) double low[EightPairs::lanes], high[EightPairs::lanes];
};

/// The triangles are placed by their poses, rounded as to_world() rounds.
EightBrackets bracket_distances(const EightPairs& pairs, const Pose& a_pose, const Pose& b_pose);

/// Squared distances and the nearest points, in the units of the corners: x, y and z of a point in turn.
struct EightNearest {
  alignas(64) double distance_sq[EightPairs::lanes], on_a[3][EightPairs::lanes], on_b[3][EightPairs::lanes];
};

using EightCorners = std::array<Corners, EightPairs::lanes>;

/// distance() of each pair, bit for bit. The pairs must be known to be apart.
std::array<TriangleDistance, EightPairs::lanes> distances_apart(const EightCorners& a, const EightCorners& b);

}  // namespace tumble
