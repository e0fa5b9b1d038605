// SPDX-License-Identifier: Apache-2.0
#include "geometry/convex_hull.h"

#include "bounds/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numbers>
#include <thread>

namespace tumble {
namespace {

/// Climbs in many directions from many starts, and compares with all inputs.
void expect_supports(const ConvexHull& hull, std::span<const Vec3> points, Random& random) {
  ASSERT_FALSE(hull.vertices.empty());
  double size = 0;
  for (const Vec3& p : points) size = std::max(size, length(p));
  ASSERT_LE(hull.margin, 1e-8 * size);
  std::uint32_t start = 0;
  for (int i = 0; i < 60; ++i) {
    Vec3 direction = i < 6 ? Vec3{i % 3 == 0 ? 1.0 : 0, i % 3 == 1 ? 1.0 : 0, i % 3 == 2 ? 1.0 : 0} * (i < 3 ? 1 : -1)
                           : random.vector(1);
    direction = direction / length(direction);
    double farthest = -std::numeric_limits<double>::infinity();
    for (const Vec3& p : points) farthest = std::max(farthest, dot(direction, p));
    start = i % 2 == 0 ? hull.farthest(direction, start)
                       : hull.farthest(direction, static_cast<std::uint32_t>(
                                                      random.integer(0, static_cast<int>(hull.vertices.size()) - 1)));
    ASSERT_GE(dot(direction, hull.vertices[start]) + hull.margin, farthest);
  }
}

void expect_closed(const ConvexHull& hull) {
  std::map<std::array<std::uint32_t, 2>, int> balance;
  for (const auto& t : hull.triangles)
    for (std::size_t i = 0; i < 3; ++i) {
      const std::uint32_t a = t[i], b = t[(i + 1) % 3];
      ++balance[{a, b}], --balance[{b, a}];
    }
  for (const auto& [edge, count] : balance) EXPECT_EQ(count, 0);
}

void expect_symmetric_graph(const ConvexHull& hull) {
  ASSERT_EQ(hull.neighbor_begin.size(), hull.vertices.size() + 1);
  for (std::uint32_t v = 0; v < hull.vertices.size(); ++v)
    for (const std::uint32_t w : hull.neighbors_of(v)) {
      const auto back = hull.neighbors_of(w);
      EXPECT_TRUE(v != w && std::find(back.begin(), back.end(), v) != back.end());
    }
}

void expect_good(std::span<const Vec3> points, Random& random) {
  const ConvexHull hull = convex_hull(points);
  expect_supports(hull, points, random);
  expect_closed(hull);
  expect_symmetric_graph(hull);
  for (const Vec3& v : hull.vertices) EXPECT_TRUE(std::find(points.begin(), points.end(), v) != points.end());
}

TEST(ConvexHull, HoldsNastyClouds) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    expect_good(random.cloud(60, std::pow(10.0, random.integer(-12, 12))), random);
  }
}

TEST(ConvexHull, HoldsAlmostFlatAndAlmostStraightClouds) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    const Vec3 u = random.vector(1), v = random.vector(1), w = random.vector(1);
    const double thin = std::pow(10.0, -random.uniform(5, 17));
    const double thick = random.integer(0, 1) == 0 ? 1 : std::pow(10.0, -random.uniform(5, 17));
    std::vector<Vec3> points;
    for (int i = 0; i < 80; ++i)
      points.push_back(u * random.uniform(-1, 1) + v * (random.uniform(-1, 1) * thick) +
                       w * (random.uniform(-1, 1) * thin));
    expect_good(points, random);
  }
}

/// Vertices a rounding apart make edges along which a climb cannot see whether it rises.
TEST(ConvexHull, ClimbsOverVerticesThatAlmostCoincide) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    const double noise = std::pow(10, -random.uniform(9, 17)), height = seed % 2 == 0 ? 0 : random.uniform(0, 1);
    std::vector<Vec3> points;
    for (int i = 0; i < 40; ++i) {
      const double angle = 2 * std::numbers::pi * random.integer(0, 11) / 12;
      const Vec3 off = random.vector(noise);
      points.push_back({std::cos(angle) + off.x, std::sin(angle) + off.y, height * (random.integer(0, 1) + off.z)});
    }
    if (const ConvexHull hull = convex_hull(points); !hull.is_box) expect_supports(hull, points, random);
  }
}

/// All points of a twisted cubic are corners, however low it is.
TEST(ConvexHull, KeepsTheCornersOfThinSets) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    const double height = std::pow(10, -random.uniform(3, 10));
    std::vector<Vec3> points;
    for (int i = 0; i < 40; ++i) {
      const double t = random.uniform(0, 1);
      points.push_back({t, t * t, height * t * t * t});
    }
    const ConvexHull hull = convex_hull(points);
    ASSERT_FALSE(hull.is_box);
    expect_supports(hull, points, random);
  }
}

TEST(ConvexHull, KnowsABoxWithCrowdedFaces) {
  std::vector<Vec3> points;
  for (int x = 0; x <= 8; ++x)
    for (int y = 0; y <= 8; ++y)
      for (int z = 0; z <= 8; ++z) points.push_back(Vec3{x * 1.0, y * 1.0, z * 1.0} / 8);
  Random random(1);
  expect_good(points, random);
  const ConvexHull hull = convex_hull(points);
  EXPECT_EQ(hull.vertices.size(), 8u);
  EXPECT_EQ(hull.triangles.size(), 12u);
  EXPECT_EQ(hull.neighbors.size(), 24u);  // the box's edges, without diagonals
}

TEST(ConvexHull, KeepsEveryPointOfASphere) {
  Random random(2);
  std::vector<Vec3> points;
  for (int i = 0; i < 2000; ++i) {
    const Vec3 p = random.vector(1);
    if (length(p) > 0.1) points.push_back(p / length(p));
  }
  expect_good(points, random);
  EXPECT_EQ(convex_hull(points).vertices.size(), points.size());
}

TEST(ConvexHull, HandlesTinySets) {
  EXPECT_TRUE(convex_hull({}).vertices.empty());
  Random random(3);
  const std::vector<Vec3> corners{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (std::size_t count = 1; count <= 4; ++count) {
    const auto few = std::span(corners).first(count);
    expect_good(few, random);
    const ConvexHull hull = convex_hull(few);
    EXPECT_EQ(hull.vertices.size(), count);
    EXPECT_EQ(hull.neighbors.size(), count * (count - 1));
    EXPECT_EQ(hull.triangles.size(), count < 3 ? 0u : count == 3 ? 2u : 4u);
  }
  const std::vector<Vec3> same(100, Vec3{0.1, 0.2, 0.3});
  EXPECT_EQ(convex_hull(same).vertices.size(), 1u);
  expect_good(same, random);
}

TEST(ConvexHull, RunsOnSeveralThreads) {
  const auto work = [](std::uint64_t seed) {
    for (std::uint64_t i = 0; i < 30; ++i) {
      Random random(1000 * seed + i);
      const std::vector<Vec3> points = random.cloud(200);
      const ConvexHull first = convex_hull(points), again = convex_hull(points);
      EXPECT_EQ(first.vertices, again.vertices);
      EXPECT_EQ(first.triangles, again.triangles);
    }
  };
  std::vector<std::thread> threads;
  for (std::uint64_t t = 0; t < 4; ++t) threads.emplace_back(work, t);
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace tumble
