// SPDX-License-Identifier: Apache-2.0
// The first steps of a question without useful features from before: large ones, by farthest vertices (Gilbert, Johnson
// & Keerthi 1988), to vertices from which the walk over Voronoi cells is short, or to a proof that the hulls overlap.
#pragma once

#include "convex/placed_hull.h"

#include <array>
#include <cstdint>

namespace tumble {

/// Up to four points b − a of the difference of two hulls, in the world. `weights` belong to the point of their hull
/// that is nearest to the origin.
struct Simplex {
  int count = 0;
  std::array<std::uint32_t, 4> a{}, b{};
  std::array<Vec3, 4> points{};
  std::array<double, 4> weights{};
  Vec3 nearest{};

  bool holds_origin() const { return count == 4; }
  void add(const PlacedHull& hull_a, std::uint32_t va, const PlacedHull& hull_b, std::uint32_t vb);
  bool has(std::uint32_t va, std::uint32_t vb) const;
  /// Leaves only the points whose hull holds the nearest point in its inside.
  void reduce();
  /// If it holds the origin: no translation shorter than this separates the hulls, but for roundings of
  /// world coordinates.
  double depth() const;
  /// The point with the largest weight.
  int heaviest() const;
};

enum class FirstSteps : std::uint8_t {
  apart,    // `simplex.nearest` separates them, unless roundings deceive
  overlap,  // the simplex holds the origin
  unsure,   // about to touch
};

/// Starts from `simplex`, which may be empty; `toward` is a guess of the direction from a to b.
FirstSteps first_steps(const PlacedHull& a, const PlacedHull& b, Vec3 toward, Simplex& simplex);

}  // namespace tumble
