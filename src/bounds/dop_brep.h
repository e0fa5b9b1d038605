// SPDX-License-Identifier: Apache-2.0
// The boundary of a k-DOP: corners for realignment, faces for drawing (see triangulate).
#pragma once

#include "bounds/dop.h"
#include "geometry/halfspaces.h"

#include <span>

namespace tumble {

/// At most 2k − 4 vertices, which bound the DOP once `margin` is added. Half-space 2i is slab i's upper bound, 2i + 1
/// its lower. An empty DOP has no vertices.
Polytope boundary(std::span<const float> lower, std::span<const float> upper, int k,
                  IntersectBy way = IntersectBy::dual_hull);
template <int K>
Polytope boundary(const Dop<K>& dop, IntersectBy way = IntersectBy::dual_hull) {
  return boundary(dop.lower, dop.upper, K, way);
}

}  // namespace tumble
