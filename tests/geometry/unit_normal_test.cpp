// SPDX-License-Identifier: Apache-2.0
// Normals of triangles so thin that the square of their normal's length underflows.
#include "geometry/unit_normal.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tumble {
namespace {

TEST(UnitNormal, OfThinTriangles) {
  for (const double size : {1e-100, 1.0, 1e100})
    for (const double thin : {1.0, 1e-12, 1e-160, 1e-170, 1e-200})
      for (int axis = 0; axis < 3; ++axis) {
        const int along = (axis + 1) % 3, across = (axis + 2) % 3;
        Corners t{};
        t[1][along] = 2 * size;
        t[2][along] = size;
        t[2][across] = thin * size;
        Vec3 upright{};
        upright[axis] = 1;
        EXPECT_EQ(unit_normal(t).direction, upright) << size << ' ' << thin << ' ' << axis;
      }
}

TEST(UnitNormal, OfCollinearCornersIsNone) {
  EXPECT_TRUE(std::isnan(unit_normal({Vec3{0, 0, 0}, Vec3{1, 1, 1}, Vec3{2, 2, 2}}).direction.x));
}

}  // namespace
}  // namespace tumble
