// SPDX-License-Identifier: Apache-2.0
// One ray through one tree: the triangles it does not certainly miss, nearest bounds first.
#pragma once

#include "traverse/clipped_ray.h"
#include "traverse/tree_point.h"

#include <cstdint>
#include <limits>

namespace tumble {

class RaySink {
 public:
  /// A triangle that the ray may meet. Returns true to end the walk.
  virtual bool meet(std::uint32_t triangle) = 0;

  /// How far the walk must follow the ray, in tree units; a sink may lower it.
  double limit = std::numeric_limits<double>::infinity();

 protected:
  ~RaySink() = default;
};

/// Follows a ray through the tree.
void follow(const Tree& tree, const ClippedRay& ray, RaySink& sink);

/// A half-line in tree coordinates; `direction` has length one, up to roundings. Where bounds do not serve
/// (TreePoint::bounds_serve), the sink gets every triangle.
inline void walk_ray(const Tree& tree, const TreePoint& origin, const Vec3& direction, RaySink& sink) {
  if (!origin.bounds_serve()) [[unlikely]] {
    for (std::uint32_t t = 0; t < tree.triangle_count(); ++t)
      if (sink.meet(t)) return;
  } else if (const std::optional<ClippedRay> ray = clip(origin, direction)) {
    follow(tree, *ray, sink);
  }
}

}  // namespace tumble
