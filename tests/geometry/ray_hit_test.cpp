// SPDX-License-Identifier: Apache-2.0
// Rays and segments against one triangle: by example, and against rational arithmetic that takes another way.
#include "geometry/ray_hit.h"

#include "geometry/pair_generators.h"
#include "geometry/predicates.h"

#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_int.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

namespace tumble {
namespace {

using Rational = boost::multiprecision::cpp_rational;

struct Point {
  Rational x, y, z;

  Point(const Rational& x_, const Rational& y_, const Rational& z_) : x(x_), y(y_), z(z_) {}
  Point(const Vec3& p) : x(p.x), y(p.y), z(p.z) {}
  friend Point operator+(const Point& a, const Point& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend Point operator-(const Point& a, const Point& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend Point operator*(const Point& a, const Rational& s) { return {a.x * s, a.y * s, a.z * s}; }
  friend Rational dot(const Point& a, const Point& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
  friend Point cross(const Point& a, const Point& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
  }
  bool is_zero() const { return x == 0 && y == 0 && z == 0; }
};

/// The parameters of a ray that are left, cut by conditions linear in t.
struct Range {
  Rational low = 0;
  std::optional<Rational> high;
  bool empty = false;

  /// Keeps at + t·slope >= 0.
  void keep(const Rational& at, const Rational& slope) {
    if (slope == 0) {
      empty |= at < 0;
    } else if (slope > 0) {
      low = std::max(low, Rational(-at / slope));
    } else {
      const Rational t = -at / slope;
      high = high ? std::min(*high, t) : t;
    }
    empty |= high && low > *high;
  }
  void keep_zero(const Rational& at, const Rational& slope) {
    keep(at, slope);
    keep(-at, -slope);
  }
};

/// The triangle is cut out by its plane and three half-spaces; a segment by its line's planes and two half-spaces.
std::optional<Rational> reference(const RayPart& ray, const Corners& t) {
  const Point o(ray.origin), d = ray.end ? Point(*ray.end) - o : Point(ray.direction);
  Range range;
  if (ray.end) range.high = 1;
  const auto keep = [&](const Point& normal, const Point& from) { range.keep(dot(normal, o - from), dot(normal, d)); };
  const auto keep_zero = [&](const Point& normal, const Point& from) {
    range.keep_zero(dot(normal, o - from), dot(normal, d));
  };
  const Point a(t[0]), b(t[1]), c(t[2]), n = cross(b - a, c - a);
  if (!n.is_zero()) {
    keep_zero(n, a);
    keep(cross(n, b - a), a);
    keep(cross(n, c - b), b);
    keep(cross(n, a - c), c);
  } else {
    const auto [low, high] = std::minmax({t[0], t[1], t[2]}, lexicographic_less);
    const Point s(low), e = Point(high) - s;
    const std::array<Point, 3> axes{Point(1, 0, 0), Point(0, 1, 0), Point(0, 0, 1)};
    for (const Point& axis : axes) keep_zero(e.is_zero() ? axis : cross(e, axis), s);
    keep(e, s);
    keep(e * -1, high);
  }
  return range.empty ? std::nullopt : std::optional(range.low);
}

void expect_like_reference(const RayPart& ray, const Corners& t) {
  const std::optional<double> got = meets_at(ray, t);
  const std::optional<Rational> exact = reference(ray, t);
  ASSERT_EQ(got.has_value(), exact.has_value());
  if (!got) return;
  ASSERT_LE(abs(Rational(*got) - *exact), *exact * Rational(1e-12) + Rational(std::numeric_limits<double>::min()));
  ASSERT_EQ(*got == 0, *exact == 0);
  ASSERT_TRUE(!ray.end || *exact != 1 || *got == 1);
  for (const Corners& turned : {Corners{t[1], t[2], t[0]}, Corners{t[1], t[0], t[2]}})
    ASSERT_EQ(meets_at(ray, turned), got);
}

const Corners right{Vec3{0, 0, 0}, Vec3{4, 0, 0}, Vec3{0, 4, 0}};

std::optional<double> ray_at(const Vec3& origin, const Vec3& direction, const Corners& t = right) {
  const RayPart ray{origin, direction, {}};
  expect_like_reference(ray, t);
  return meets_at(ray, t);
}
std::optional<double> segment_at(const Vec3& from, const Vec3& to, const Corners& t = right) {
  const RayPart segment{from, to - from, to};
  expect_like_reference(segment, t);
  return meets_at(segment, t);
}

TEST(RayHit, ThroughAndBeside) {
  EXPECT_EQ(ray_at({1, 1, 2}, {0, 0, -1}), 2);
  EXPECT_EQ(ray_at({1, 1, 2}, {0, 0, -4}), 0.5);
  EXPECT_EQ(ray_at({1, 1, 2}, {0, 0, 1}), std::nullopt);
  EXPECT_EQ(ray_at({3, 3, 2}, {0, 0, -1}), std::nullopt);
  EXPECT_EQ(ray_at({2, 2, 2}, {0, 0, -1}), 2);  // through an edge
  EXPECT_EQ(ray_at({4, 0, 2}, {0, 0, -1}), 2);  // through a corner
  EXPECT_EQ(ray_at({1, 1, 0}, {0, 0, -1}), 0);  // from on it
  EXPECT_EQ(segment_at({1, 1, 2}, {1, 1, -2}), 0.5);
  EXPECT_EQ(segment_at({1, 1, 2}, {1, 1, 0}), 1);  // ends on it
  EXPECT_EQ(segment_at({1, 1, 2}, {1, 1, 1}), std::nullopt);
}

TEST(RayHit, InThePlane) {
  EXPECT_EQ(ray_at({-2, 1, 0}, {1, 0, 0}), 2);
  EXPECT_EQ(ray_at({-2, 1, 0}, {-1, 0, 0}), std::nullopt);
  EXPECT_EQ(ray_at({1, 1, 0}, {-1, 0, 0}), 0);
  EXPECT_EQ(ray_at({-2, 0, 0}, {2, 0, 0}), 1);   // along an edge
  EXPECT_EQ(ray_at({2, 0, 0}, {1, 0, 0}), 0);    // from on the edge, along it
  EXPECT_EQ(ray_at({5, -1, 0}, {-1, 1, 0}), 1);  // along the slanting edge
  EXPECT_EQ(ray_at({-1, 1, 0}, {1, -1, 0}), 1);  // touches a corner
  EXPECT_EQ(ray_at({-2, 5, 0}, {1, 0, 0}), std::nullopt);
  EXPECT_EQ(segment_at({-2, 1, 0}, {0, 1, 0}), 1);
  EXPECT_EQ(segment_at({-2, 1, 0}, {-1, 1, 0}), std::nullopt);
  EXPECT_EQ(segment_at({0.5, 1, 0}, {1, 1, 0}), 0);
  EXPECT_EQ(segment_at({-2, 0, 0}, {-1, 0, 0}), std::nullopt);
}

TEST(RayHit, DegenerateTriangles) {
  const Corners segment{Vec3{1, 1, 0}, Vec3{3, 1, 0}, Vec3{2, 1, 0}},
      point{Vec3{1, 1, 1}, Vec3{1, 1, 1}, Vec3{1, 1, 1}};
  EXPECT_EQ(ray_at({2, 0, 0}, {0, 1, 0}, segment), 1);
  EXPECT_EQ(ray_at({1, 0, 0}, {0, 1, 0}, segment), 1);
  EXPECT_EQ(ray_at({0, 0, 0}, {0, 1, 0}, segment), std::nullopt);
  EXPECT_EQ(ray_at({2, 0, 0.5}, {0, 1, 0}, segment), std::nullopt);
  EXPECT_EQ(ray_at({0, 1, 0}, {1, 0, 0}, segment), 1);
  EXPECT_EQ(ray_at({2, 1, 0}, {1, 0, 0}, segment), 0);
  EXPECT_EQ(ray_at({4, 1, 0}, {1, 0, 0}, segment), std::nullopt);
  EXPECT_EQ(ray_at({0, 0, 0}, {2, 2, 2}, point), 0.5);
  EXPECT_EQ(ray_at({1, 1, 1}, {0, 0, 1}, point), 0);
  EXPECT_EQ(ray_at({0, 0, 0}, {-1, -1, -1}, point), std::nullopt);
  EXPECT_EQ(ray_at({0, 0, 0}, {1, 1, 1.0000000000000002}, point), std::nullopt);
  EXPECT_EQ(segment_at({0, 0, 0}, {1, 1, 1}, point), 1);
}

TEST(RayHit, LikeRationalsOnEveryGenerator) {
  const std::uint64_t seed = 23;
  RecordProperty("seed", seed);
  std::size_t hits = 0, misses = 0;
  for (const testing::Generator& generator : testing::generators()) {
    SCOPED_TRACE(generator.name);
    testing::Random random(seed);
    for (int i = 0; i < 60; ++i) {
      const auto [t, other] = generator.make(random);
      Vec3 from = other[0], to = other[1];
      if (random.one_in(3)) to = t[random.index(3)];    // through a corner
      if (random.one_in(4)) from = t[random.index(3)];  // from a corner, or along an edge
      if (random.one_in(4)) to = (t[0] + t[1]) * 0.5;   // through an edge, but for rounding
      if (random.one_in(6)) testing::nudge(to.y, random);
      if (from == to) continue;
      const RayPart segment{from, to - from, to}, ray{from, to - from, {}};
      expect_like_reference(segment, t);
      Vec3 axis{};
      axis[static_cast<int>(random.index(3))] = random.one_in(2) ? 1 : -1;
      expect_like_reference({from, axis, {}}, t);
      const auto largest = std::max({std::abs(ray.direction.x), std::abs(ray.direction.y), std::abs(ray.direction.z)});
      if (largest < 1e-100) continue;
      expect_like_reference(ray, t);
      ++(meets_at(ray, t) ? hits : misses);
    }
  }
  EXPECT_GT(hits, 150u);
  EXPECT_GT(misses, 150u);
}

}  // namespace
}  // namespace tumble
