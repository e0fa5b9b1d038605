// SPDX-License-Identifier: Apache-2.0
#include "geometry/predicates.h"

#include "geometry/exact_integer.h"
#include "geometry/expansion.h"
#include "geometry/pair_generators.h"

#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_int.hpp>

#include <cmath>
#include <limits>

namespace tumble {
namespace {

using testing::Random;
using Rational = boost::multiprecision::cpp_rational;
constexpr double denorm = std::numeric_limits<double>::denorm_min();

Rational exact_det(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const auto row = [&a](const Vec3& p) {
    return std::array{Rational(p.x) - Rational(a.x), Rational(p.y) - Rational(a.y), Rational(p.z) - Rational(a.z)};
  };
  const auto u = row(b), v = row(c), w = row(d);
  return (u[1] * v[2] - u[2] * v[1]) * w[0] + (u[2] * v[0] - u[0] * v[2]) * w[1] + (u[0] * v[1] - u[1] * v[0]) * w[2];
}

Rational exact_det(const Vec2& a, const Vec2& b, const Vec2& c) {
  return (Rational(b.x) - Rational(a.x)) * (Rational(c.y) - Rational(a.y)) -
         (Rational(b.y) - Rational(a.y)) * (Rational(c.x) - Rational(a.x));
}

/// |value·2^exponent − exact| ≤ 2^-46·|exact|, with the same sign.
void expect_close(const Scaled& value, const Rational& exact) {
  ASSERT_EQ(sign(value), exact.sign());
  Rational scale = 1;
  for (int i = 0; i < std::abs(value.exponent); ++i) scale *= 2;
  const Rational got = Rational(value.value) * (value.exponent < 0 ? Rational(1 / scale) : scale);
  EXPECT_LE(abs(got - exact), abs(exact) * Rational(0x1p-46));
}

TEST(Predicates, OrientationFollowsTheRightHand) {
  EXPECT_EQ(orient2d({0, 0}, {1, 0}, {0, 1}), 1);
  EXPECT_EQ(orient2d({0, 0}, {0, 1}, {1, 0}), -1);
  EXPECT_EQ(orient2d({0, 0}, {1, 1}, {3, 3}), 0);
  EXPECT_EQ(orient3d({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}), 1);
  EXPECT_EQ(orient3d({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, -1}), -1);
  EXPECT_EQ(orient3d({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {5, 7, 0}), 0);
}

TEST(Predicates, OneUlpDecides) {
  const double up = std::nextafter(0.1, 1);
  EXPECT_EQ(orient2d({0.1, 0.1}, {0.3, 0.3}, {0.7, 0.7}), 0);
  EXPECT_EQ(orient2d({0.1, up}, {0.3, 0.3}, {0.7, 0.7}), 1);
  EXPECT_EQ(orient2d({up, 0.1}, {0.3, 0.3}, {0.7, 0.7}), -1);
  EXPECT_EQ(orient3d({0, 0, 0.1}, {1, 0, 0.1}, {0, 1, 0.1}, {0.3, 0.3, up}), 1);
}

TEST(Predicates, WorkAtBothEndsOfTheDoubles) {
  const double huge = 4e100;
  EXPECT_EQ(orient3d({-huge, -huge, -huge}, {huge, -huge, -huge}, {-huge, huge, -huge}, {0, 0, huge}), 1);
  EXPECT_EQ(orient3d({0, 0, 0}, {denorm, 0, 0}, {0, denorm, 0}, {0, 0, denorm}), 1);
  EXPECT_EQ(orient3d({0, 0, 0}, {denorm, 0, 0}, {0, denorm, 0}, {denorm, denorm, 0}), 0);
  EXPECT_EQ(orient3d({0, 0, 0}, {huge, 0, 0}, {0, denorm, 0}, {0, 0, denorm}), 1);
  EXPECT_EQ(orient2d({0, 0}, {denorm, 0}, {0, -denorm}), -1);
  EXPECT_EQ(orient2d({huge, 0}, {huge, denorm}, {-huge, 0}), 1);
}

TEST(Predicates, TheLeastProductOfExpansionsDoesNotVanish) {
  const double low = 0x1p-300, up = std::nextafter(low, 1);
  EXPECT_EQ(orient3d({low, low, low}, {up, low, low}, {low, up, low}, {low, low, up}), 1);
  EXPECT_EQ(orient3d({low, low, low}, {up, low, low}, {low, up, low}, {up, up, low}), 0);
}

TEST(Predicates, SignsAreRightOnBothSidesOfWhatTwoDoublesHold) {
  const std::uint64_t seed = 23;
  RecordProperty("seed", seed);
  Random random(seed);
  int beyond = 0, within = 0, zero = 0;
  for (int i = 0; i < 3000; ++i) {
    // Integers of 50 bits, two rows all but multiples of the first: the determinant is about 2^-100 of its permanent,
    // times what they are off by.
    const auto integer = [&] { return std::floor(random.real(-0x1p50, 0x1p50)); };
    const double off = std::floor(std::ldexp(random.real(), random.integer(0, 12)));
    const Vec3 u{integer(), integer(), integer()};
    const Vec3 v{2 * u.x, 2 * u.y, 2 * u.z + off}, w{-u.x, 1 - u.y, -u.z}, a{integer(), integer(), integer()};
    const int expected = exact_det(a, a + u, a + v, a + w).sign();
    ASSERT_EQ(orient3d(a, a + u, a + v, a + w), expected);
    ASSERT_EQ(orient3d(a, a + v, a + u, a + w), -expected);
    // Differences to a point close to zero have too many bits for whole numbers.
    const Vec3 fine{random.real(-0x1p-20, 0x1p-20), random.real(-0x1p-20, 0x1p-20), random.real(-0x1p-20, 0x1p-20)};
    ASSERT_EQ(orient3d(fine, u, v, w), exact_det(fine, u, v, w).sign());
    const double ratio = std::abs(off * u.x) / PlaneFilter(a, a + u, a + v)(a + w).permanent;
    ++(expected == 0 ? zero : ratio > 0x1p-98 ? within : beyond);
  }
  // Three points of 50 bits in a plane with the fourth: two doubles come out at something else than zero.
  for (int i = 0; i < 3000; ++i) {
    const auto integer = [&] { return std::floor(random.real(-0x1p50, 0x1p50)); };
    const Vec3 u{integer(), integer(), integer()}, v{integer(), integer(), integer()}, a{0, 0, 0};
    ASSERT_EQ(orient3d(a, u, v, u - v), 0);
  }
  EXPECT_GT(beyond, 100);
  EXPECT_GT(within, 100);
  EXPECT_GT(zero, 100);
}

TEST(Predicates, MatchRationalsOnEveryGenerator) {
  const std::uint64_t seed = 11;
  RecordProperty("seed", seed);
  for (const testing::Generator& generator : testing::generators()) {
    SCOPED_TRACE(generator.name);
    Random random(seed);
    for (int i = 0; i < 60; ++i) {
      const auto [a, b] = generator.make(random);
      const Rational det = exact_det(a[0], a[1], a[2], b[0]);
      ASSERT_EQ(orient3d(a[0], a[1], a[2], b[0]), det.sign());
      expect_close(orient3d_value(a[0], a[1], a[2], b[0]), det);
      expect_close(exact_orient3d(a[0], a[1], a[2], b[0]), det);
      for (int axis = 0; axis < 3; ++axis) {
        const Vec2 p = project(a[0], axis), q = project(a[1], axis), r = project(b[2], axis);
        const Rational area = exact_det(p, q, r);
        ASSERT_EQ(orient2d(p, q, r), area.sign());
        expect_close(orient2d_value(p, q, r), area);
        expect_close(exact_orient2d(p, q, r), area);
      }
    }
  }
}

/// A multiple of 2^-`bits` between -1 and 1.
double on_grid(Random& random, int bits) { return std::ldexp(std::floor(std::ldexp(random.real(), bits)), -bits); }

TEST(Predicates, SignsAreRightOnBothSidesOfWhatFitsTheGrid) {
  const std::uint64_t seed = 29;
  RecordProperty("seed", seed);
  Random random(seed);
  int zero = 0, other = 0;
  for (int i = 0; i < 4000; ++i) {
    // Whole numbers hold 61 bits; these points need 40 to 80, each axis its own number.
    const double scale[3] = {std::ldexp(1.0, random.integer(-40, 60)), std::ldexp(1.0, random.integer(-40, 60)),
                             std::ldexp(1.0, random.integer(-40, 60))};
    const auto point = [&](int bits) {
      return Vec3{scale[0] * on_grid(random, bits), scale[1] * on_grid(random, bits), scale[2] * on_grid(random, bits)};
    };
    const Vec3 a = point(20), u = point(20), v = point(20);
    const double p = random.integer(-8, 8), q = random.integer(-8, 8);
    std::array<Vec3, 4> points{a, a + u, a + v, a + (u * p + v * q)};  // in one plane
    if (!random.one_in(3)) {
      // A step so small that few or none of the others are multiples of it: 2^-80 does not change them, unless it is
      // added to a zero.
      const int bits = random.integer(35, 80), axis = random.integer(0, 2);
      Vec3& moved = points[random.index(4)];
      if (random.one_in(2)) moved[axis] = 0;
      moved[axis] += std::ldexp(scale[axis], -bits);
    }
    const int expected = exact_det(points[0], points[1], points[2], points[3]).sign();
    ASSERT_EQ(orient3d(points[0], points[1], points[2], points[3]), expected) << i;
    ASSERT_EQ(hard_orient3d(points[0], points[1], points[2], points[3]), expected) << i;
    const Corners plane{points[0], points[1], points[2]}, three{points[3], points[1] + points[3], points[3] * 2};
    const Sides s = sides(plane, three);
    for (std::size_t k = 0; k < 3; ++k) ASSERT_EQ(s[k], exact_det(plane[0], plane[1], plane[2], three[k]).sign()) << i;
    for (int axis = 0; axis < 3; ++axis) {
      const Vec2 c = project(points[0], axis), d = project(points[1], axis), e = project(points[3], axis);
      ASSERT_EQ(hard_orient2d(c, d, e), exact_det(c, d, e).sign()) << i;
    }
    ++(expected == 0 ? zero : other);
  }
  EXPECT_GT(zero, 1000);
  EXPECT_GT(other, 1000);
}

TEST(Predicates, TinyStepsBesideHugeOnesAreNotLost) {
  // Scaled down so far that the huge ones become small, the tiny ones would vanish.
  const double huge = 0x1p330, tiny = 0x1p-1000;
  EXPECT_EQ(orient3d({0, 0, 0}, {huge, 0, 0}, {0, huge, 0}, {huge, huge, tiny}), 1);
  EXPECT_EQ(orient3d({0, 0, 0}, {huge, huge, tiny}, {huge, huge, 0}, {huge, 0, huge}), -1);
  EXPECT_EQ(orient2d({0, 0}, {huge, tiny}, {huge, 0}), -1);
  EXPECT_EQ(orient2d({0, 0}, {huge, huge}, {huge + huge, huge + huge}), 0);
}

/// What exact arithmetic returned before whole numbers took over most of it: contacts keep their last bits.
double expansion_value(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const auto along = [&a](const Vec3& p, int axis) { return expansion(two_diff(p[axis], a[axis])); };
  const auto minor = [&](int i, int j) { return along(b, i) * along(c, j) - along(b, j) * along(c, i); };
  return (minor(1, 2) * along(d, 0) + minor(2, 0) * along(d, 1) + minor(0, 1) * along(d, 2)).estimate();
}
double expansion_value(const Vec2& a, const Vec2& b, const Vec2& c) {
  const auto x = [&a](const Vec2& p) { return expansion(two_diff(p.x, a.x)); };
  const auto y = [&a](const Vec2& p) { return expansion(two_diff(p.y, a.y)); };
  return (x(b) * y(c) - y(b) * x(c)).estimate();
}

TEST(Predicates, ValuesAreThoseOfExpansionsToTheLastBit) {
  const std::uint64_t seed = 31;
  RecordProperty("seed", seed);
  Random random(seed);
  for (int i = 0; i < 20000; ++i) {
    // From few bits, where values lie half-way between two doubles, to all; from far from a plane to all but in it.
    const int bits = random.integer(8, 60), nearness = random.integer(0, 60);
    const auto point = [&] { return Vec3{on_grid(random, bits), on_grid(random, bits), on_grid(random, bits)}; };
    const Vec3 a = point(), b = point(), c = point();
    const Vec3 d = a + (b - a) * on_grid(random, 6) + (c - a) * on_grid(random, 6) + point() * std::ldexp(1, -nearness);
    ASSERT_EQ(exact_orient3d(a, b, c, d).value, expansion_value(a, b, c, d)) << i;
    const auto heights = height_values({a, b, c}, {d, point(), b});
    ASSERT_EQ(heights[0].value, orient3d_value(a, b, c, d).value) << i;
    ASSERT_EQ(heights[2].value, 0) << i;
    const Vec2 p{a.x, a.y}, q{b.x, b.y};
    const double t = on_grid(random, 6);
    const Vec2 r{p.x + (q.x - p.x) * t, p.y + (q.y - p.y) * t + std::ldexp(random.real(), -nearness)};
    ASSERT_EQ(exact_orient2d(p, q, r).value, expansion_value(p, q, r)) << i;
  }
}

TEST(Predicates, ExpansionsAndIntegersAgreeWhereBothWork) {
  Random random(5);
  const auto coordinate = [&random] { return std::ldexp(random.real(), random.integer(-250, 330)); };
  for (int i = 0; i < 2000; ++i) {
    std::array<double, 9> x, y;
    for (double& value : x) value = coordinate();
    for (double& value : y) value = coordinate();
    const Difference<Vec3> u{{x[0], x[1], x[2]}, {y[0], y[1], y[2]}}, v{{x[3], x[4], x[5]}, {y[3], y[4], y[5]}},
        w{{x[6], x[7], x[8]}, {y[6], y[7], y[8]}};
    const Scaled integers = integer_determinant(x, y), expansions = exact_det3(u, v, w);
    ASSERT_EQ(expansions.exponent, 0);
    EXPECT_NEAR(std::ldexp(integers.value, integers.exponent) / expansions.value, 1, 1e-14);
  }
}

TEST(Predicates, DimensionIsExact) {
  EXPECT_EQ(dimension({Vec3{1, 2, 3}, Vec3{1, 2, 3}, Vec3{1, 2, 3}}), 0);
  EXPECT_EQ(dimension({Vec3{0.0, 2, 3}, Vec3{-0.0, 2, 3}, Vec3{0, 2, 3}}), 0);
  EXPECT_EQ(dimension({Vec3{1, 2, 3}, Vec3{1, 2, 3}, Vec3{4, 2, 3}}), 1);
  EXPECT_EQ(dimension({Vec3{0.1, 0.1, 0.1}, Vec3{0.3, 0.3, 0.3}, Vec3{0.7, 0.7, 0.7}}), 1);
  EXPECT_EQ(dimension({Vec3{0.1, 0.1, 0.1}, Vec3{0.3, 0.3, 0.3}, Vec3{0.7, 0.7, std::nextafter(0.7, 1)}}), 2);
  EXPECT_EQ(dimension({Vec3{0, 0, 0}, Vec3{denorm, 0, 0}, Vec3{0, 0, denorm}}), 2);
}

TEST(Expansion, KeepsEveryBit) {
  const Expansion<2> tenth = expansion(two_diff(1e100, 0.1));
  const auto back = tenth - expansion(two_diff(1e100, 0));
  EXPECT_EQ(back.size, 1);
  EXPECT_EQ(back.estimate(), -0.1);
  const auto square = expansion(two_product(0.1, 0.1)) - expansion(two_product(0.1, 0.1));
  EXPECT_EQ(square.size, 0);
}

}  // namespace
}  // namespace tumble
