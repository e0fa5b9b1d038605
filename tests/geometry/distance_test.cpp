// SPDX-License-Identifier: Apache-2.0
#include "geometry/distance.h"

#include "geometry/pair_generators.h"
#include "geometry/triangle_pair.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <utility>

namespace tumble {
namespace {

constexpr std::size_t orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};

const Corners floor_{Vec3{0, 0, 0}, Vec3{8, 0, 0}, Vec3{0, 8, 0}};

void expect_near(const Vec3& p, const Vec3& q) { EXPECT_LT(length(p - q), 1e-13) << p.x << ' ' << p.y << ' ' << p.z; }

/// Every order of corners, both orders of triangles: the same bits and the right witnesses.
void expect_distance(const Corners& a, const Corners& b, const Vec3& on_a, const Vec3& on_b) {
  const double expected = length_sq(on_a - on_b), first = distance_sq(a, b);
  EXPECT_NEAR(first, expected, 1e-13 * (1 + expected));
  for (const auto& i : orders)
    for (const auto& j : orders) {
      const Corners pa{a[i[0]], a[i[1]], a[i[2]]}, pb{b[j[0]], b[j[1]], b[j[2]]};
      const TriangleDistance d = distance(pa, pb), mirrored = distance(pb, pa);
      ASSERT_EQ(d.distance_sq, first);
      ASSERT_EQ(mirrored.distance_sq, first);
      expect_near(d.on_a, on_a);
      expect_near(d.on_b, on_b);
      expect_near(mirrored.on_a, on_b);
      expect_near(mirrored.on_b, on_a);
    }
}

/// A triangle that stands on its tip and widens upward, away from the floor and from where it is.
Corners spike(const Vec3& tip, const Vec3& away) {
  const Vec3 up = tip + Vec3{0, 0, 5} + away;
  return {tip, up + Vec3{0.5, 0, 0}, up + Vec3{0, 0.5, 0}};
}

TEST(Distance, CornerInEveryVoronoiRegion) {
  for (const double height : {1.0, 0.25}) {
    const auto check = [height](double x, double y, const Vec3& away, const Vec3& nearest) {
      const Vec3 tip{x, y, height};
      expect_distance(floor_, spike(tip, away), nearest, tip);
    };
    check(2, 2, {}, {2, 2, 0});           // the face
    check(3, -2, {0, -5, 0}, {3, 0, 0});  // its three edges
    check(-2, 3, {-5, 0, 0}, {0, 3, 0});
    check(6, 6, {5, 5, 0}, {4, 4, 0});
    check(-2, -3, {-5, -5, 0}, {0, 0, 0});  // its three corners
    check(12, -1, {5, -5, 0}, {8, 0, 0});
    check(-1, 12, {-5, 5, 0}, {0, 8, 0});
  }
}

TEST(Distance, EdgesSkewOrParallel) {
  const Corners above{Vec3{4, -6, 1}, Vec3{4, 2, 1}, Vec3{4, -2, 9}};
  const TriangleDistance d = distance(floor_, above);
  EXPECT_EQ(d.distance_sq, 1);  // the part of the edge over the floor: any point of it
  const Corners beside{Vec3{1, -2, 0}, Vec3{5, -2, 0}, Vec3{1, -6, 0}};
  EXPECT_EQ(distance_sq(floor_, beside), 4);
  expect_distance({Vec3{-4, 0, 0}, Vec3{4, 0, 0}, Vec3{0, 0, -9}}, {Vec3{0, -4, 3}, Vec3{0, 4, 3}, Vec3{0, 0, 9}},
                  {0, 0, 0}, {0, 0, 3});
  expect_distance({Vec3{-4, 0, 0}, Vec3{4, 0, 0}, Vec3{0, 0, -9}}, {Vec3{5, -4, 3}, Vec3{5, 4, 3}, Vec3{9, 0, 9}},
                  {4, 0, 0}, {5, 0, 3});
}

TEST(Distance, PointsAndSegments) {
  EXPECT_EQ(distance(Vec3{2, 2, 3}, floor_).distance_sq, 9);
  EXPECT_EQ(distance(Vec3{2, 2, 0}, floor_).distance_sq, 0);
  EXPECT_EQ(distance(Vec3{3, 4, 0}, (Segment{Vec3{-1, 0, 0}, Vec3{9, 0, 0}})).distance_sq, 16);
  EXPECT_EQ(distance(Vec3{12, 4, 0}, (Segment{Vec3{-1, 0, 0}, Vec3{9, 0, 0}})).distance_sq, 25);
  EXPECT_EQ(distance(Segment{Vec3{-1, 0, 0}, Vec3{1, 0, 0}}, Segment{Vec3{0, -1, 2}, Vec3{0, 1, 2}}).distance_sq, 4);
  EXPECT_EQ(distance(Segment{Vec3{2, 2, 3}, Vec3{2, 2, 5}}, floor_).distance_sq, 9);
}

TEST(Distance, ZeroMeansContactAndNothingElse) {
  const double up = std::nextafter(0.3, 1);
  const Corners face{Vec3{0.1, 0.1, 0.3}, Vec3{0.9, 0.1, 0.3}, Vec3{0.1, 0.7, 0.3}};
  const auto needle = [](double tip) { return Corners{Vec3{0.3, 0.3, tip}, Vec3{0.2, 0.2, 1}, Vec3{0.4, 0.2, 1}}; };
  EXPECT_EQ(distance_sq(face, needle(0.3)), 0);
  EXPECT_GT(distance_sq(face, needle(up)), 0);
  expect_near(distance(face, needle(0.3)).on_a, {0.3, 0.3, 0.3});
  const double denorm = std::numeric_limits<double>::denorm_min();
  EXPECT_EQ(distance(Vec3{0, 0, 0}, Corners{Vec3{denorm, 0, 0}, Vec3{1, 0, 0}, Vec3{1, 1, 0}}).distance_sq, denorm);
}

TEST(Distance, WorksAtEveryScale) {
  for (const int exponent : {-500, -200, 200, 328}) {
    const double scale = std::ldexp(1.0, exponent);
    const auto scaled = [scale](Corners t) {
      for (Vec3& p : t) p *= scale;
      return t;
    };
    const TriangleDistance d = distance(scaled(floor_), scaled(spike({2, 2, 1}, {})));
    EXPECT_EQ(d.distance_sq, scale * scale);
    EXPECT_EQ(d.on_a, (Vec3{2 * scale, 2 * scale, 0}));
  }
}

/// A point is a degenerate triangle: the quicker routine agrees with the one distance, to its tolerance.
TEST(Distance, OfPoints) {
  testing::Random random(17);
  for (const testing::Generator& generator : testing::generators())
    for (int round = 0; round < 300; ++round) {
      const auto [t, other] = generator.make(random);
      const Vec3 p = other[random.index(3)];
      const TriangleDistance exact = distance(p, t);
      const PointDistance quick = point_distance(p, t);
      double size = 0;
      for (const Vec3& corner : t) size = std::max(size, length(corner - p));
      const double d = std::sqrt(exact.distance_sq), tolerance = 2e-12 * d + 2e-14 * size + 1.5e-154;
      EXPECT_NEAR(std::sqrt(quick.distance_sq), d, tolerance) << generator.name;
      EXPECT_NEAR(length(quick.nearest - p), d, tolerance + 1e-15 * length(p)) << generator.name;
      const PointDistance certain = exact_point_distance(p, t);
      EXPECT_EQ(certain.distance_sq == 0, exact.distance_sq == 0) << generator.name;
      EXPECT_NEAR(std::sqrt(certain.distance_sq), d, tolerance) << generator.name;
    }
}

TEST(Distance, WitnessesFarFromTheOrigin) {
  const std::uint64_t seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  testing::Random random(seed);
  const auto pair_at = [&](double place) {
    std::array<Corners, 2> pair;
    for (Corners& t : pair)
      for (Vec3& p : t)
        p = Vec3{random.real(-1, 1), random.real(-1, 1), random.real(-1, 1)} + Vec3{place, -place, place};
    return pair;
  };
  int beyond_tolerance = 0;
  for (const double place : {0.0, 1e3, 1e9, 1e15})
    for (int i = 0; i < 500; ++i) {
      const auto [a, b] = pair_at(place);
      const TriangleDistance got = distance(a, b);
      double size = 0;  // of the pair, recentred anywhere within it
      for (const Corners* t : {&a, &b})
        for (const Vec3& p : *t)
          for (int axis = 0; axis < 3; ++axis) size = std::max(size, std::abs(p[axis] - a[0][axis]));
      const double tolerance = 1e-12 * std::sqrt(got.distance_sq) + 1e-14 * size;
      for (const auto& [on, t] : {std::pair(got.on_a, a), std::pair(got.on_b, b)}) {
        const double off = std::sqrt(point_distance(on, t).distance_sq);
        ASSERT_LE(off, tolerance + 0x1p-53 * (std::abs(on.x) + std::abs(on.y) + std::abs(on.z))) << place;
        beyond_tolerance += off > tolerance;
      }
    }
  EXPECT_GT(beyond_tolerance, 0);  // the rounding is needed
}

}  // namespace
}  // namespace tumble
