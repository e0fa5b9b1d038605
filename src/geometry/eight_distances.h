// SPDX-License-Identifier: Apache-2.0
// Between which bounds the distances of eight pairs of triangles lie. It answers nothing: it spares the one routine
// that does (geometry/distance.h) the pairs that do not matter.
#pragma once

#include "geometry/eight_pairs.h"

namespace tumble {

/// √distance_sq of each pair, as geometry/distance.h computes it, is not below `low` nor above `high`. Either may be
/// NaN or infinite, and `low` negative, which says nothing.
struct EightBrackets {
  alignas(64) double low[EightPairs::lanes], high[EightPairs::lanes];
};

/// Of the triangles where their poses put them, rounded as to_world() rounds.
EightBrackets bracket_distances(const EightPairs& pairs, const Pose& a_pose, const Pose& b_pose);

}  // namespace tumble
