// SPDX-License-Identifier: Apache-2.0
#include "mesh/shapes.h"

#include <tumble/error.h>

#include <gtest/gtest.h>

#include <limits>

namespace tumble {
namespace {

Place refused_at(const Mesh& mesh) {
  try {
    check(mesh);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::invalid_mesh);
    return error.place();
  }
  ADD_FAILURE() << "accepted";
  return {};
}

TEST(Check, AcceptsProperMeshes) {
  EXPECT_NO_THROW(check(Mesh{}));
  Mesh mesh = test::cube();
  mesh.parts = {{"bottom", 0, 2}, {"sides", 4, 8}, {"nothing", 12, 0}};
  EXPECT_NO_THROW(check(mesh));
  mesh.vertices[0] = {1e100, -1e100, std::numeric_limits<double>::denorm_min()};
  EXPECT_NO_THROW(check(mesh));
}

TEST(Check, NamesTheVertexWithABadCoordinate) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  for (const double bad : {inf, -inf, std::numeric_limits<double>::quiet_NaN(), 1.0001e100, -1.0001e100})
    for (int axis = 0; axis < 3; ++axis) {
      Mesh mesh = test::cube();
      mesh.vertices[5][axis] = bad;
      EXPECT_EQ(refused_at(mesh).vertex, 5);
    }
}

TEST(Check, NamesTheTriangleWithABadIndex) {
  Mesh mesh = test::cube();
  mesh.triangles[7][1] = 8;
  EXPECT_EQ(refused_at(mesh).triangle, 7);
  mesh.triangles[7][1] = 0xffffffff;
  EXPECT_EQ(refused_at(mesh).triangle, 7);
}

TEST(Check, RefusesPartsThatOverlapOrReachTooFar) {
  Mesh mesh = test::cube();
  mesh.parts = {{"a", 0, 5}, {"b", 4, 2}};
  refused_at(mesh);
  mesh.parts = {{"a", 0, 13}};
  refused_at(mesh);
  mesh.parts = {{"a", 0xffffffff, 0xffffffff}};
  refused_at(mesh);
}

}  // namespace
}  // namespace tumble
