// SPDX-License-Identifier: Apache-2.0
#include "mesh/shapes.h"

#include <gtest/gtest.h>

namespace tumble {
namespace {

TEST(BoundingBox, IsTheBoxOfTheVertices) {
  const Box box = bounding_box(test::box({-1, 2, -3}, {4, 5, 6}));
  EXPECT_EQ(box.lower, (Vec3{-1, 2, -3}));
  EXPECT_EQ(box.upper, (Vec3{4, 5, 6}));
}

TEST(BoundingBox, LeavesOutVerticesNoTriangleUses) {
  Mesh mesh = test::cube();
  mesh.vertices.push_back({100, -100, 100});
  EXPECT_EQ(bounding_box(mesh).lower, (Vec3{0, 0, 0}));
  EXPECT_EQ(bounding_box(mesh).upper, (Vec3{1, 1, 1}));
}

TEST(BoundingBox, OfNothingIsInsideOut) {
  Mesh mesh;
  mesh.vertices = {{1, 2, 3}};
  const Box box = bounding_box(mesh);
  for (int axis = 0; axis < 3; ++axis) EXPECT_GT(box.lower[axis], box.upper[axis]);
}

}  // namespace
}  // namespace tumble
