// SPDX-License-Identifier: Apache-2.0
// ClippedRay: the part of a ray that may meet a tree, in single precision.
#pragma once

#include "bounds/reach.h"
#include "traverse/tree_point.h"

#include <algorithm>
#include <optional>

namespace tumble {

struct ClippedRay {
  float origin[3], direction[3];
  double start = 0;  // how far along the ray `origin` is
  float reach = 0;   // how far from there the tree ends
  /// How far a triangle may be from where its bound or its stored corners have it, seen from the ray. Of the roundings,
  /// those of origin and direction make up 2^-19 over a reach of up to 16; those of differences, products and sums less
  /// than 2^-18. That leaves 2^-19 for comparisons, and for `reach` and `wide`, which are rounded to nearest.
  float wide = 0;
};

/// The body is in a ball around the tree's origin; only the part of a ray in that ball is followed, where numbers are
/// small. Nothing if the ray misses the ball.
[[gnu::always_inline]] inline std::optional<ClippedRay> clip(const TreePoint& origin, const Vec3& direction) {
  const double off = origin.widening(), radius = moved_reach + off;
  Vec3 at = origin.at;
  ClippedRay ray;
  double end = 2 * radius;
  if (length_sq(at) > radius * radius) {  // from outside the ball
    const double foot = -dot(at, direction);
    end = foot + radius;
    if (end < 0 || length_sq(at + direction * foot) > radius * radius) return std::nullopt;
    ray.start = std::max(0.0, foot - radius);
    at = at + direction * ray.start;
  }
  for (int axis = 0; axis < 3; ++axis) {
    ray.origin[axis] = static_cast<float>(at[axis]);
    ray.direction[axis] = static_cast<float>(direction[axis]);
  }
  ray.reach = static_cast<float>(end - ray.start);
  ray.wide = static_cast<float>(off + 0x1p-17 * (1 + off));
  return ray;
}

}  // namespace tumble
