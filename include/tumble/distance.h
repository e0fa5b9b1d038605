// SPDX-License-Identifier: Apache-2.0
// How far apart two bodies are. Distances are those of the surfaces, unless solids are asked for.
#pragma once

#include <tumble/vec.h>

#include <cstdint>
#include <limits>
#include <vector>

namespace tumble {

/// The least distance of two bodies, and where it is attained.
struct Distance {
  double distance = std::numeric_limits<double>::infinity();  // 0 exactly when they are in contact
  double lower = 0;      // the minimum is at least this; with `last_bit` and no error allowed, it equals `distance`
  bool farther = false;  // than the upper bound; `distance` is then infinite and the other members mean nothing
  std::uint32_t triangle_a = 0, triangle_b = 0;
  Vec3 point_a{}, point_b{};  // on these triangles; one common point if the distance is 0
  /// Solids only: no contact of the surfaces was found, but a vertex of one body is inside the other. Both points are
  /// that vertex. One triangle has it as a corner; the other is the other body's nearest to it.
  bool inside = false;
};

/// Two triangles that are near.
struct NearPair {
  std::uint32_t triangle_a = 0, triangle_b = 0;
  double distance = 0;
  Vec3 point_a{}, point_b{};  // where it is attained
  /// Solids only: this entry stands for a shell of one body inside the other, without contact. Its distance is 0, both
  /// points are a vertex of the shell. One triangle has it as a corner; the other is the other body's nearest to it.
  bool inside = false;
};

/// Sorted by triangle of a, then of b; an entry for a shell inside comes before the pair of the same triangles.
using NearPairs = std::vector<NearPair>;

}  // namespace tumble
