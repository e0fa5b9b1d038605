// SPDX-License-Identifier: Apache-2.0
#include "scenes/shapes.h"

#include "scenes/closed.h"
#include "scenes/trigonometry.h"

#include <tumble/error.h>

#include <gtest/gtest.h>

#include <numeric>

namespace tumble::scenes {
namespace {

void expect_solid(const Mesh& mesh, std::size_t triangles, double volume, double tolerance) {
  check(mesh);
  EXPECT_EQ(mesh.triangles.size(), triangles);
  EXPECT_EQ(open_edges(mesh), 0u);
  EXPECT_EQ(flat_triangles(mesh), 0u);
  EXPECT_NEAR(signed_volume(mesh), volume, tolerance);  // positive: fronts look outward
}

constexpr double pi = full_circle / 2;

TEST(Shapes, AreClosedWithFrontsOutward) {
  expect_solid(box({1, 2, 3}), 12, 48, 1e-12);
  expect_solid(tetrahedron({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}), 4, 1.0 / 6, 1e-12);
  expect_solid(tetrahedron({0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {0, 0, 1}), 4, 1.0 / 6, 1e-12);
  expect_solid(cylinder(1, 2, 64, 3), 2 * 64 * 3, 2 * pi, 0.02);
  expect_solid(torus(2, 0.5, 64, 32), 2 * 64 * 32, 2 * pi * pi * 2 * 0.25, 0.1);
  expect_solid(bipyramid(1, 1, 40), 80, 2 * pi / 3, 0.02);
  expect_solid(rounded_box({1, 1, 1}, 0.01, 16, 8), 2 * 16 * 8, 8, 0.1);
  const Station straight[] = {{{0, 0, 0}, 1}, {{1, 0, 0}, 1}, {{1, 0, 0}, 2}, {{2, 0, 0}, 2}};
  expect_solid(tube(straight, 64), 2 * 64 * 4, pi + 4 * pi, 0.05);
  expect_solid(tube_of(straight, 500), 500, pi + 4 * pi, 0.1);
}

TEST(Shapes, MirroringKeepsFrontsOutward) {
  const Frame mirror{{5, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  expect_solid(placed(box({1, 2, 3}), mirror), 12, 48, 1e-12);
}

TEST(Shapes, OpenSurfacesCountAsDocumented) {
  const Mesh mesh =
      weave_open({{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, {{0, 1, 0}, {2, 1, 0}}, {{0, 2, 0}, {1, 2, 0}, {2, 2, 0}}});
  EXPECT_EQ(mesh.triangles.size(), 2u + 2 * 1 + 2);
  for (const Triangle& t : mesh.triangles)
    EXPECT_GT(cross(mesh.vertices[t[1]] - mesh.vertices[t[0]], mesh.vertices[t[2]] - mesh.vertices[t[0]]).z, 0);
}

TEST(Shapes, AppendCarriesParts) {
  Mesh mesh = box({1, 1, 1}), pair;
  append(pair, mesh, "first");
  append(pair, mesh, "second");
  append(mesh, pair);
  check(mesh);
  ASSERT_EQ(mesh.parts.size(), 2u);
  EXPECT_EQ(mesh.parts[1], (Part{"second", 24, 12}));
}

TEST(Shapes, SharingIsExact) {
  const double weights[] = {0.1, 0.7, 0.05, 0.15};
  for (const std::size_t total : {12u, 13u, 1000u, 12345u}) {
    const std::vector<std::size_t> parts = share(total, weights, 3);
    EXPECT_EQ(std::accumulate(parts.begin(), parts.end(), std::size_t{0}), total);
    for (const std::size_t part : parts) EXPECT_GE(part, 3u);
  }
  EXPECT_THROW(share(11, weights, 3), Error);
}

TEST(Shapes, SplinesPassThroughTheirPoints) {
  const Vec3 points[] = {{0, 0, 0}, {1, 2, 0}, {3, 1, 1}, {4, 4, 4}};
  const std::vector<Vec3> curve = spline(points, 5);
  ASSERT_EQ(curve.size(), 16u);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(curve[5 * i], points[i]);
}

TEST(Shapes, FittingScalesTheLongestSide) {
  const Mesh mesh = fitted_to_cube(placed(box({1, 2, 3}), Frame{{7, 8, 9}}), 2);
  EXPECT_NEAR(mesh.vertices[7].z, 1, 1e-15);
  EXPECT_NEAR(mesh.vertices[7].x, 1.0 / 3, 1e-15);
}

}  // namespace
}  // namespace tumble::scenes
