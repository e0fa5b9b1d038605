// SPDX-License-Identifier: Apache-2.0
#include "scenes/spheres.h"

#include "scenes/closed.h"
#include "scenes/hash.h"
#include "scenes/trigonometry.h"

#include <tumble/error.h>

#include <gtest/gtest.h>

namespace tumble::scenes {
namespace {

void expect_unit_sphere(const Mesh& mesh, std::size_t triangles) {
  check(mesh);
  EXPECT_EQ(mesh.triangles.size(), triangles);
  EXPECT_EQ(mesh.vertices.size(), triangles / 2 + 2);  // Euler
  EXPECT_EQ(open_edges(mesh), 0u);
  EXPECT_EQ(flat_triangles(mesh), 0u);
  for (const Vec3& v : mesh.vertices) ASSERT_NEAR(length(v), 1, 1e-15);
  const double ball = full_circle * 2 / 3;
  EXPECT_LT(signed_volume(mesh), ball);
  EXPECT_GT(signed_volume(mesh), ball * (1 - 30.0 / static_cast<double>(triangles)));
}

TEST(Spheres, HaveExactlyTheTrianglesAskedFor) {
  for (const Tessellation tessellation :
       {Tessellation::even, Tessellation::uv, Tessellation::geodesic, Tessellation::hull})
    for (const std::size_t triangles : {2'000u, 20'000u}) {
      SCOPED_TRACE(name(tessellation) + std::string(" ") + std::to_string(triangles));
      expect_unit_sphere(sphere(triangles, tessellation), triangles);
    }
  expect_unit_sphere(sphere(5'140), 5'140);
  for (std::size_t triangles = 100; triangles < 400; triangles += 2) expect_unit_sphere(sphere(triangles), triangles);
}

TEST(Spheres, RandomHullsAreConvex) {
  const Mesh mesh = sphere(600, Tessellation::hull, 5);
  for (const Triangle& t : mesh.triangles) {
    const Vec3 a = mesh.vertices[t[0]];
    const Vec3 normal = cross(mesh.vertices[t[1]] - a, mesh.vertices[t[2]] - a);
    for (const Vec3& p : mesh.vertices) ASSERT_LE(dot(normal, p - a), 1e-15);
  }
  EXPECT_NE(hash(mesh), hash(sphere(600, Tessellation::hull, 6)));
}

TEST(Spheres, RefuseWhatDoesNotExist) {
  EXPECT_THROW(sphere(2001), Error);
  EXPECT_THROW(sphere(4), Error);
  EXPECT_THROW(sphere(0, Tessellation::uv), Error);
  EXPECT_THROW(sphere(5'140, Tessellation::geodesic), Error);
  EXPECT_THROW(sphere(3, Tessellation::hull), Error);
}

TEST(Spheres, PerturbingMovesByAtMostTheReach) {
  const Mesh mesh = sphere(2'000), moved = perturbed(mesh, 0.01, 3);
  bool any = false;
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i)
    for (int axis = 0; axis < 3; ++axis) {
      ASSERT_LE(std::abs(moved.vertices[i][axis] - mesh.vertices[i][axis]), 0.01 + 1e-15);
      any = any || moved.vertices[i][axis] != mesh.vertices[i][axis];
    }
  EXPECT_TRUE(any);
}

}  // namespace
}  // namespace tumble::scenes
