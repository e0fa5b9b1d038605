// SPDX-License-Identifier: Apache-2.0
// Intersections of half-spaces in general; those of k-DOPs are tested with exact corners in bounds/dop_brep_test.cpp.
#include "geometry/halfspaces.h"

#include "bounds/random.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace tumble {
namespace {

std::vector<HalfSpace> cube() {
  return {{{1, 0, 0}, 1}, {{-1, 0, 0}, 1}, {{0, 2, 0}, 2}, {{0, -2, 0}, 2}, {{0, 0, 3}, 3}, {{0, 0, -3}, 3}};
}

TEST(HalfSpaces, IntersectToACube) {
  std::vector<HalfSpace> spaces = cube();
  spaces.push_back({{1, 1, 1}, 5});    // redundant
  spaces.push_back({{1, 1, 1}, 3});    // touches a corner
  spaces.push_back({{1, 1, 0}, 2});    // touches an edge
  spaces.push_back({{0, 0, 1}, 1});    // repeats a face
  spaces.push_back({{0, 0, 1}, 1e6});  // far away
  for (const Vec3 middle : {Vec3{}, Vec3{0.9, 0.9, -0.9}, Vec3{3, 0, 0}}) {
    const Polytope polytope = intersection(spaces, middle, 6);
    EXPECT_EQ(polytope.vertices.size(), 8u);
    EXPECT_EQ(polytope.face_count(), 6u);
    EXPECT_EQ(triangulate(polytope).size(), 12u);
    for (const Vec3& v : polytope.vertices)
      for (int axis = 0; axis < 3; ++axis) EXPECT_NEAR(std::abs(v[axis]), 1, 1e-12);
    EXPECT_LT(polytope.margin, 1e-8);
  }
}

TEST(HalfSpaces, IntersectToFlatStraightAndPointSets) {
  std::vector<HalfSpace> spaces = cube();
  spaces.push_back({{1, 1, 0}, 0});
  spaces.push_back({{-1, -1, 0}, 0});
  const Polytope rectangle = intersection(spaces, {}, 2);
  EXPECT_EQ(rectangle.vertices.size(), 4u);
  EXPECT_EQ(rectangle.face_count(), 2u);
  spaces.push_back({{0, 0, 1}, -1});
  EXPECT_EQ(intersection(spaces, {}, 2).vertices.size(), 2u);
  EXPECT_EQ(intersection(spaces, {}, 2).face_count(), 0u);
  spaces.push_back({{1, 0, 0}, -1});
  const Polytope corner = intersection(spaces, {}, 2);
  ASSERT_EQ(corner.vertices.size(), 1u);
  EXPECT_LT(length(corner.vertices[0] - Vec3{-1, 1, -1}), 1e-9);
  spaces.push_back({{0, 1, 0}, 0.5});
  EXPECT_TRUE(intersection(spaces, {}, 2).vertices.empty());
}

TEST(HalfSpaces, TangentPlanesOfASphere) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    const double size = std::pow(10.0, random.integer(-12, 12));
    const Vec3 centre = random.vector(size);
    std::vector<HalfSpace> spaces;
    for (const HalfSpace& side : cube()) spaces.push_back(side);
    for (int i = 0; i < 40; ++i) {
      const Vec3 n = random.vector(1);
      if (length(n) > 0.1) spaces.push_back({n, length(n)});
    }
    for (HalfSpace& space : spaces) space.offset = space.offset * size + dot(space.normal, centre);
    const Polytope polytope = intersection(spaces, centre, 2 * size);
    EXPECT_LE(polytope.vertices.size(), 2 * spaces.size() - 4);
    EXPECT_EQ(polytope.face_count(), spaces.size());  // every plane touches the sphere, so has a face
    std::vector<int> planes_through(polytope.vertices.size());
    for (std::size_t v = 0; v < polytope.vertices.size(); ++v)
      for (const HalfSpace& space : spaces) {
        const double room = (space.offset - dot(space.normal, polytope.vertices[v])) / length(space.normal);
        ASSERT_GE(room, -1e-11 * size);
        planes_through[v] += room < 1e-11 * size;
      }
    EXPECT_GE(*std::min_element(planes_through.begin(), planes_through.end()), 3);
    double six_volumes = 0;
    for (const auto& t : triangulate(polytope))
      six_volumes += dot(polytope.vertices[t[0]] - centre,
                         cross(polytope.vertices[t[1]] - centre, polytope.vertices[t[2]] - centre));
    EXPECT_GT(six_volumes / 6, 4.18 * size * size * size);  // holds the sphere, is held by the cube
    EXPECT_LT(six_volumes / 6, 8 * size * size * size);
  }
}

}  // namespace
}  // namespace tumble
