// SPDX-License-Identifier: Apache-2.0
// The boundary of a k-DOP as an intersection of half-spaces.
#include "bounds/dop_brep.h"

#include <cmath>

namespace tumble {

Polytope boundary(std::span<const float> lower, std::span<const float> upper, int k, IntersectBy way) {
  const std::span<const Vec3> normals = directions(k);
  std::vector<HalfSpace> spaces;
  for (std::size_t i = 0; i < normals.size(); ++i) {
    if (lower[i] > upper[i]) return {};
    spaces.push_back({normals[i], upper[i]});
    spaces.push_back({-normals[i], -static_cast<double>(lower[i])});
  }
  const SlabCentre centre = slab_centre(lower, upper, k);
  return intersection(spaces, centre.point, centre.reach, way);
}

}  // namespace tumble
