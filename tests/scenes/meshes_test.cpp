// SPDX-License-Identifier: Apache-2.0
#include "scenes/meshes.h"

#include "scenes/closed.h"
#include "scenes/hash.h"

#include <tumble/error.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

namespace tumble::scenes {
namespace {

struct Golden {
  const char* name;
  std::function<Mesh()> make;
  std::size_t triangles;
  bool closed;
  std::uint64_t hash;  // the same for every compiler, optimisation and machine
};

const std::vector<Golden>& goldens() {
  static const std::vector<Golden> all{
      {"pipes", [] { return pipes(); }, 143'690, true, 0xddee040939e4baa1},
      {"pipes_10k", [] { return pipes(10'000); }, 10'000, true, 0xd8d562476503fe0d},
      {"fine_pipes", [] { return fine_pipes(); }, 143'690, true, 0xdcc51c54db59b2e8},
      {"fine_pipes_10k", [] { return fine_pipes(10'000); }, 10'000, true, 0x65b04702adee4a0d},
      {"wrinkled_torus", [] { return wrinkled_torus(); }, 20'000, true, 0x7e286d167fd8001a},
      {"landscape", [] { return landscape(); }, 98'114, false, 0xb01b874092e09b1e},
      {"airplane", [] { return airplane(); }, 14'646, true, 0xcd0ea6c13f26aa69},
      {"tetrahedron_field", [] { return tetrahedron_field(); }, 100'000, true, 0x267d3742711896ba},
      {"axis_object", [] { return axis_object(); }, 36, true, 0x45386874e4255539},
      {"hand", [] { return hand(); }, 404, true, 0x6ee7761586f5f569},
      {"cabin", [] { return cabin(); }, 169'944, false, 0xb58d246b09a3a019},
      {"horse", [] { return horse(); }, 20'000, true, 0xeb84a0894ba41d0e},
      {"dinosaur", [] { return dinosaur(); }, 20'000, true, 0x8d22db64e39787df},
      {"zachmann_torus", [] { return zachmann_torus(); }, 53'824, true, 0xf4ddf509d290500c},
      {"zachmann_sphere", [] { return zachmann_sphere(); }, 22'952, true, 0x7ffa205fd60e7205},
      {"zachmann_cylinder", [] { return zachmann_cylinder(); }, 20'000, true, 0x41b98d49907f0527},
      {"sphere_even", [] { return sphere(5'140); }, 5'140, true, 0x2f9550fd7cff6098},
      {"sphere_uv", [] { return sphere(2'000, Tessellation::uv); }, 2'000, true, 0x62a787cff82315e1},
      {"sphere_geodesic", [] { return sphere(2'000, Tessellation::geodesic); }, 2'000, true, 0x567bd1ef068bb01a},
      {"sphere_hull", [] { return sphere(2'000, Tessellation::hull); }, 2'000, true, 0x33bf8f769aba7f8a},
  };
  return all;
}

class Meshes : public testing::TestWithParam<std::size_t> {};

TEST_P(Meshes, AreWhatTheyClaimToTheLastBit) {
  const Golden& golden = goldens()[GetParam()];
  const Mesh mesh = golden.make();
  check(mesh);
  EXPECT_EQ(mesh.triangles.size(), golden.triangles);
  EXPECT_EQ(open_edges(mesh) == 0, golden.closed);
  EXPECT_EQ(flat_triangles(mesh), 0u);
  if (golden.closed) {
    EXPECT_GT(signed_volume(mesh), 0);
  }
  EXPECT_EQ(hash(mesh), golden.hash) << std::hex << "0x" << hash(mesh);
}

INSTANTIATE_TEST_SUITE_P(Scenes, Meshes, testing::Range(std::size_t{0}, goldens().size()),
                         [](const auto& tested) { return std::string(goldens()[tested.param].name); });

TEST(MeshSizes, AreExactAtEveryScale) {
  for (const std::size_t triangles : {2'000u, 10'002u, 50'000u, 100'000u, 400'000u}) {
    EXPECT_EQ(pipes(triangles).triangles.size(), triangles);
    if (triangles > 8'000) {
      EXPECT_EQ(fine_pipes(triangles).triangles.size(), triangles);
    }
    EXPECT_EQ(wrinkled_torus(triangles).triangles.size(), triangles);
    EXPECT_EQ(landscape(triangles + 1).triangles.size(), triangles + 1);
    EXPECT_EQ(landscape(triangles).triangles.size(), triangles);
  }
  for (const std::size_t triangles : {1'000u, 12'544u, 73'984u, 99'998u}) {
    EXPECT_EQ(zachmann_torus(triangles).triangles.size(), triangles);
    EXPECT_EQ(zachmann_sphere(triangles).triangles.size(), triangles);
    EXPECT_EQ(zachmann_cylinder(triangles).triangles.size(), triangles);
  }
  EXPECT_EQ(zachmann_sphere(97'032).triangles.size(), 97'032u);
  EXPECT_EQ(horse(3'000).triangles.size(), 3'000u);
  EXPECT_EQ(tetrahedron_field(0).triangles.size(), 0u);
}

TEST(MeshSizes, ImpossibleOnesAreRefused) {
  EXPECT_THROW(pipes(1), Error);
  EXPECT_THROW(pipes(143'691), Error);
  EXPECT_THROW(fine_pipes(2'000), Error);
  EXPECT_THROW(fine_pipes(10'001), Error);
  EXPECT_THROW(wrinkled_torus(20'001), Error);
  EXPECT_THROW(landscape(0), Error);
  EXPECT_THROW(zachmann_torus(2), Error);
  EXPECT_THROW(dinosaur(0), Error);
  EXPECT_THROW(tetrahedron_field(10, -1), Error);
  EXPECT_THROW(swept_obstacles({}), Error);
}

TEST(MeshSizes, ZachmannsCarIsTheAirplaneCutFiner) {
  const Mesh coarse = airplane(), fine = zachmann_car();
  check(fine);
  EXPECT_EQ(fine.triangles.size(), 58'584u);
  EXPECT_EQ(open_edges(fine), 0u);
  EXPECT_EQ(flat_triangles(fine), 0u);
  EXPECT_NEAR(signed_volume(fine), signed_volume(coarse), 1e-12);
  EXPECT_EQ(fine.vertices.size(), coarse.vertices.size() + coarse.triangles.size() * 3 / 2);  // one in every edge
  ASSERT_EQ(fine.parts.size(), coarse.parts.size());
  EXPECT_EQ(fine.parts.back().name, coarse.parts.back().name);
}

TEST(MeshSeeds, ChangeTheMeshAndNothingElseDoes) {
  EXPECT_EQ(hash(pipes(10'000, 2)), hash(pipes(10'000, 2)));
  EXPECT_NE(hash(pipes(10'000, 2)), hash(pipes(10'000, 3)));
  EXPECT_NE(hash(wrinkled_torus(2'000, 2)), hash(wrinkled_torus(2'000, 3)));
  EXPECT_NE(hash(landscape(2'000, 2)), hash(landscape(2'000, 3)));
  EXPECT_NE(hash(tetrahedron_field(100, 1, 2)), hash(tetrahedron_field(100, 1, 3)));
  EXPECT_NE(hash(cabin(2)), hash(cabin(3)));
  for (std::uint64_t seed = 2; seed < 12; ++seed) EXPECT_EQ(pipes(20'000, seed).triangles.size(), 20'000u) << seed;
  for (std::uint64_t seed = 2; seed < 12; ++seed) EXPECT_EQ(fine_pipes(9'998, seed).triangles.size(), 9'998u) << seed;
}

TEST(Pipes, StayInTheirCube) {
  for (const Vec3& v : pipes().vertices)
    for (int axis = 0; axis < 3; ++axis) ASSERT_LE(std::abs(v[axis]), 1);
}

double longest_edge(const Mesh& mesh) {
  double longest = 0;
  for (const Triangle& t : mesh.triangles)
    for (std::size_t i = 0; i < 3; ++i)
      longest = std::max(longest, length(mesh.vertices[t[i]] - mesh.vertices[t[(i + 1) % 3]]));
  return longest;
}

// Pipes with more sides are rounder; nothing else changes, and facets shrink in both directions.
TEST(FinePipes, KeepTheirShape) {
  const Mesh coarse = fine_pipes(10'000), middle = fine_pipes(100'000), fine = fine_pipes(1'000'000);
  const double volume = signed_volume(fine);
  EXPECT_GT(signed_volume(coarse), 0.75 * volume);
  EXPECT_GT(signed_volume(middle), 0.97 * volume);
  EXPECT_LT(signed_volume(middle), volume);
  for (const auto& box : {bounding_box(coarse), bounding_box(middle)})
    for (int axis = 0; axis < 3; ++axis) {
      EXPECT_NEAR(box.lower[axis], bounding_box(fine).lower[axis], 0.03);
      EXPECT_NEAR(box.upper[axis], bounding_box(fine).upper[axis], 0.03);
    }
  EXPECT_LT(longest_edge(fine) * 6, longest_edge(coarse));
  EXPECT_LT(longest_edge(fine) * 1.5, longest_edge(middle));  // the ends of the valves' stems are fans
}

TEST(Tetrahedra, OfTheFieldAreDisjoint) {
  // Separated by their circumscribed balls; sorted along x so that only near ones are compared.
  const Mesh field = tetrahedron_field(5'000, 10, 4);
  struct Ball {
    Vec3 centre;
    double radius;
  };
  std::vector<Ball> balls;
  for (std::size_t i = 0; i < field.vertices.size(); i += 4) {
    const Vec3 a = field.vertices[i], b = field.vertices[i + 1] - a, c = field.vertices[i + 2] - a,
               d = field.vertices[i + 3] - a;
    const Vec3 offset = (cross(c, d) * length_sq(b) + cross(d, b) * length_sq(c) + cross(b, c) * length_sq(d)) /
                        (2 * dot(b, cross(c, d)));
    balls.push_back({a + offset, length(offset)});
  }
  std::sort(balls.begin(), balls.end(), [](const Ball& a, const Ball& b) { return a.centre.x < b.centre.x; });
  double widest = 0;
  for (const Ball& ball : balls) widest = std::max(widest, ball.radius);
  for (std::size_t i = 0; i < balls.size(); ++i)
    for (std::size_t j = i + 1; j < balls.size() && balls[j].centre.x - balls[i].centre.x <= 2 * widest; ++j)
      ASSERT_GT(length(balls[i].centre - balls[j].centre), balls[i].radius + balls[j].radius);
}

}  // namespace
}  // namespace tumble::scenes
