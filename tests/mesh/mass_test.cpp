// SPDX-License-Identifier: Apache-2.0
#include <tumble/mass.h>

#include "mesh/shapes.h"
#include "scenes/meshes.h"
#include "scenes/random.h"
#include "scenes/shapes.h"

#include <tumble/error.h>
#include <tumble/solid.h>

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <utility>

namespace tumble {
namespace {

using Rows = std::array<Vec3, 3>;

void expect_near(const Rows& m, const Rows& expected, double error) {
  for (std::size_t i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) EXPECT_NEAR(m[i][j], expected[i][j], error) << i << ", " << j;
}
void expect_near(Vec3 v, Vec3 expected, double error) {
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(v[i], expected[i], error) << i;
}

Rows diagonal(double x, double y, double z) { return {Vec3{x, 0, 0}, Vec3{0, y, 0}, Vec3{0, 0, z}}; }

ErrorCode refusal(const Mesh& mesh) {
  try {
    mass_properties(mesh);
  } catch (const Error& error) {
    return error.code();
  }
  ADD_FAILURE() << "was accepted";
  return ErrorCode::unsupported;
}

TEST(Mass, OfABox) {
  const MassProperties mass = mass_properties(test::box({1, 2, 3}, {2, 4, 6}));  // sides 1, 2, 3
  EXPECT_NEAR(mass.volume, 6, 1e-14);
  expect_near(mass.centre, {1.5, 3, 4.5}, 1e-14);
  expect_near(mass.inertia, diagonal(6 * (4 + 9) / 12.0, 6 * (1 + 9) / 12.0, 6 * (1 + 4) / 12.0), 1e-13);
  EXPECT_FALSE(mass.inside_out);
}

TEST(Mass, OfACornerTetrahedron) {
  const Mesh mesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}, {}};
  const MassProperties mass = mass_properties(mesh);
  EXPECT_NEAR(mass.volume, 1.0 / 6, 1e-16);
  expect_near(mass.centre, {0.25, 0.25, 0.25}, 1e-15);
  // ∫x² = 1/60 and ∫xy = 1/120 about the corner; the centre's share is 1/96 of each.
  const double square = 1.0 / 60 - 1.0 / 96, product = 1.0 / 120 - 1.0 / 96;
  expect_near(mass.inertia,
              {Vec3{2 * square, -product, -product}, Vec3{-product, 2 * square, -product},
               Vec3{-product, -product, 2 * square}},
              1e-16);
}

TEST(Mass, OfRoundBodiesAsTheyGetFiner) {
  constexpr double pi = 3.14159265358979323846;
  const MassProperties ball = mass_properties(scenes::sphere(40'000));
  EXPECT_NEAR(ball.volume, 4 * pi / 3, 2e-3);
  expect_near(ball.inertia, diagonal(8 * pi / 15, 8 * pi / 15, 8 * pi / 15), 2e-3);
  const double ring = 1, tube = 0.25;
  const MassProperties torus = mass_properties(scenes::torus(ring, tube, 400, 200));
  const double volume = 2 * pi * pi * ring * tube * tube;
  EXPECT_NEAR(torus.volume, volume, 1e-3);
  const double about_axis = volume * (ring * ring + 0.75 * tube * tube);
  const double across = volume * (0.5 * ring * ring + 0.625 * tube * tube);
  expect_near(torus.inertia, diagonal(across, across, about_axis), 1e-3);
}

TEST(Mass, OfACavityIsSubtracted) {
  Mesh hole = test::box({-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5});
  for (Triangle& t : hole.triangles) std::swap(t[1], t[2]);
  const MassProperties mass = mass_properties(test::together({test::box({-1, -1, -1}, {1, 1, 1}), hole}));
  EXPECT_NEAR(mass.volume, 7, 1e-13);
  const double moment = 8 * 8 / 12.0 - 1 * 2 / 12.0;
  expect_near(mass.inertia, diagonal(moment, moment, moment), 1e-13);
}

TEST(Mass, InsideOutIsTheSameBody) {
  Mesh mesh = scenes::horse(2'000);
  const MassProperties mass = mass_properties(mesh);
  for (Triangle& t : mesh.triangles) std::swap(t[1], t[2]);
  const MassProperties turned = mass_properties(mesh);
  EXPECT_TRUE(turned.inside_out);
  EXPECT_NEAR(turned.volume, mass.volume, 1e-12);
  expect_near(turned.inertia, mass.inertia, 1e-12);
}

TEST(Mass, MovesWithTheMesh) {
  const Mesh mesh = scenes::dinosaur(3'000);
  const MassProperties mass = mass_properties(mesh);
  const Pose pose = Pose::from_quaternion(0.3, -0.5, 0.7, 0.2, {100, -20, 7});
  Mesh moved = mesh;
  for (Vec3& v : moved.vertices) v = pose * v;
  const MassProperties there = mass_properties(moved);
  EXPECT_NEAR(there.volume, mass.volume, 1e-12);
  expect_near(there.centre, pose * mass.centre, 1e-12);
  Rows turned{};  // R I Rᵀ
  for (std::size_t i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k) turned[i][j] += dot(pose.row(int(i)), mass.inertia[std::size_t(k)]) * pose.row(j)[k];
  expect_near(there.inertia, turned, 1e-11);
}

TEST(Mass, AgreesWithCountingPointsInside) {
  constexpr std::uint64_t seed = 5;
  SCOPED_TRACE("seed " + std::to_string(seed));
  const Mesh mesh = scenes::horse(2'000);
  const Model model(mesh);
  const Box box = bounding_box(mesh);
  const Vec3 size = box.upper - box.lower;
  scenes::Random random(seed);
  constexpr int cells = 40;
  double inside = 0;
  Vec3 sum{};
  Rows products{};
  for (int i = 0; i < cells; ++i)
    for (int j = 0; j < cells; ++j)
      for (int k = 0; k < cells; ++k) {
        const Vec3 at{i + random.unit(), j + random.unit(), k + random.unit()};
        const Vec3 p = box.lower + Vec3{size.x * at.x, size.y * at.y, size.z * at.z} / cells;
        if (locate(model, {}, p) != Side::inside) continue;
        inside += 1;
        sum += p;
        for (int r = 0; r < 3; ++r) products[std::size_t(r)] += p * p[r];
      }
  const double cell = size.x * size.y * size.z / (cells * cells * cells);
  const MassProperties mass = mass_properties(mesh);
  EXPECT_NEAR(mass.volume, inside * cell, 0.01 * mass.volume);
  const Vec3 centre = sum / inside;
  expect_near(mass.centre, centre, 0.005);
  Rows inertia{};
  double trace = 0;
  for (int r = 0; r < 3; ++r) {
    inertia[std::size_t(r)] = -(products[std::size_t(r)] - centre * (centre[r] * inside)) * cell;
    trace -= inertia[std::size_t(r)][r];
  }
  for (int r = 0; r < 3; ++r) inertia[std::size_t(r)][r] += trace;
  expect_near(mass.inertia, inertia, 0.02 * trace);
}

TEST(Mass, ScalesExactlyByPowersOfTwo) {
  const MassProperties mass = mass_properties(scenes::wrinkled_torus(500));
  for (const int power : {-100, 7, 90}) {
    const MassProperties larger = mass_properties(scenes::scaled(scenes::wrinkled_torus(500), std::ldexp(1, power)));
    EXPECT_EQ(larger.volume, std::ldexp(mass.volume, 3 * power));
    EXPECT_EQ(larger.inertia[0].y, std::ldexp(mass.inertia[0].y, 5 * power));
  }
}

TEST(Mass, AreaOfOpenAndClosedMeshes) {
  const double cube = surface_area(test::cube());
  Mesh open = test::cube();
  open.triangles.pop_back();
  EXPECT_EQ(surface_area(open), cube * 11 / 12);
  EXPECT_EQ(surface_area(Mesh{}), 0);
  for (const int power : {-300, -40, 30, 300})
    EXPECT_EQ(surface_area(scenes::scaled(test::cube(), std::ldexp(1, power))), std::ldexp(cube, 2 * power)) << power;
  const Mesh needle{{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, {{0, 1, 2}}, {}};
  EXPECT_EQ(surface_area(needle), 0);
  const Mesh corner{{{100, 0, 0}, {103, 0, 0}, {100, 4, 0}}, {{0, 1, 2}}, {}};
  EXPECT_EQ(surface_area(corner), 6);
  Mesh nan = test::cube();
  nan.vertices[3].y = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(surface_area(nan), Error);
}

TEST(Mass, RefusesWhatHasNone) {
  Mesh open = test::cube();
  open.triangles.pop_back();
  EXPECT_EQ(refusal(open), ErrorCode::not_closed);
  EXPECT_EQ(refusal(Mesh{}), ErrorCode::not_closed);
  const Mesh sheet{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 2, 1}}, {}};
  EXPECT_EQ(refusal(sheet), ErrorCode::invalid_mesh);
  EXPECT_EQ(refusal(scenes::scaled(test::cube(), 1e90)), ErrorCode::invalid_mesh);
  EXPECT_EQ(refusal(scenes::scaled(test::cube(), 1e-90)), ErrorCode::invalid_mesh);
  Mesh nan = test::cube();
  nan.vertices[3].y = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(refusal(nan), ErrorCode::invalid_mesh);
}

}  // namespace
}  // namespace tumble
