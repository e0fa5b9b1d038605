// SPDX-License-Identifier: Apache-2.0
// Normals of triangles, however thin and small they are.
#pragma once

#include "geometry/predicates.h"
#include "geometry/triangle.h"

namespace tumble {

/// A unit normal, good to a few ulps even for slivers, and its original length: twice the area.
struct UnitNormal {
  Vec3 direction;
  Scaled length;
};

/// Of corners that are not collinear; otherwise the direction is not a number.
UnitNormal unit_normal(const Corners& t);

}  // namespace tumble
