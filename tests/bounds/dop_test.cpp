// SPDX-License-Identifier: Apache-2.0
#include "bounds/dop.h"

#include "bounds/random.h"

#include <gtest/gtest.h>
#include <boost/multiprecision/cpp_int.hpp>

namespace tumble {
namespace {

using Rational = boost::multiprecision::cpp_rational;

Rational exact_projection(Vec3 n, Vec3 p) {
  return Rational(n.x) * Rational(p.x) + Rational(n.y) * Rational(p.y) + Rational(n.z) * Rational(p.z);
}

template <int K>
void expect_certain_containment(const Dop<K>& dop, Vec3 p) {
  for (std::size_t i = 0; i < K / 2; ++i) {
    const Rational along = exact_projection(slab_directions<K>[i], p);
    ASSERT_LE(Rational(dop.lower[i]), along) << K << " slab " << i;
    ASSERT_GE(Rational(dop.upper[i]), along) << K << " slab " << i;
  }
}

template <class Test>
void for_every_k(Test&& test) {
  for (const int k : listed_k) with_k(k, test);
}

TEST(Dop, ContainsItsPointsExactly) {
  for_every_k([](auto k) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      SCOPED_TRACE(testing::Message() << "k " << k() << " seed " << seed);
      Random random(seed);
      const double size = std::pow(10.0, random.integer(-12, 12));
      const std::vector<Vec3> points = random.cloud(8, size);
      const Dop<k()> dop = fit<k()>(points);
      for (const Vec3& p : points) {
        expect_certain_containment(dop, p);
        EXPECT_TRUE(contains(dop, p));
        // Points that would round to p.
        const Vec3 q{p.x == 0 ? 0 : std::nextafter(p.x, 2 * size), p.y == 0 ? 0 : std::nextafter(p.y, -2 * size), p.z};
        for (std::size_t i = 0; i < k() / 2; ++i) {
          const Rational along =
              (exact_projection(slab_directions<k()>[i], p) + exact_projection(slab_directions<k()>[i], q)) / 2;
          ASSERT_LE(Rational(dop.lower[i]), along);
          ASSERT_GE(Rational(dop.upper[i]), along);
        }
      }
    }
  });
}

TEST(Dop, IsTight) {
  for_every_k([](auto k) {
    Random random(7);
    for (int round = 0; round < 50; ++round) {
      const std::vector<Vec3> points = random.cloud(20);
      const Dop<k()> dop = fit<k()>(points);
      for (std::size_t i = 0; i < k() / 2; ++i) {
        double low = 1e9, high = -1e9;
        for (const Vec3& p : points) {
          low = std::min(low, dot(slab_directions<k()>[i], p));
          high = std::max(high, dot(slab_directions<k()>[i], p));
        }
        EXPECT_NEAR(dop.lower[i], low, 1.3e-7 * (std::abs(low) + 1e-7));
        EXPECT_NEAR(dop.upper[i], high, 1.3e-7 * (std::abs(high) + 1e-7));
      }
    }
  });
}

TEST(Dop, ContainsRefusesWhatIsOutside) {
  for_every_k([](auto k) {
    const std::array<Vec3, 2> points{Vec3{-0.5, -0.5, -0.5}, Vec3{0.25, 0.5, 0.5}};
    const Dop<k()> dop = fit<k()>(points);
    for (std::size_t i = 0; i < k() / 2; ++i) {
      const Vec3 n = slab_directions<k()>[i];
      const Vec3 on_plane = n * (static_cast<double>(dop.upper[i]) / length_sq(n));
      EXPECT_FALSE(contains(dop, on_plane + n * 1e-15)) << k() << ' ' << i;
    }
  });
}

TEST(Dop, EmptyIsNeutral) {
  for_every_k([](auto k) {
    const auto none = Dop<k()>::empty();
    const std::array<Vec3, 1> point{Vec3{0.1, 0.2, 0.3}};
    const Dop<k()> one = fit<k()>(point);
    EXPECT_TRUE(none.is_empty());
    EXPECT_FALSE(one.is_empty());
    EXPECT_EQ(fit<k()>(std::span<const Vec3>{}), none);
    EXPECT_EQ(merge(none, one), one);
    EXPECT_EQ(merge(one, none), one);
    EXPECT_FALSE(overlap(none, one));
    EXPECT_FALSE(overlap(none, none));
    EXPECT_TRUE(contains(one, none));
    EXPECT_EQ(gap(none, one), std::numeric_limits<double>::infinity());
    EXPECT_EQ(gap(none, none), std::numeric_limits<double>::infinity());
  });
}

TEST(Dop, MergeHoldsBothAndNoMore) {
  for_every_k([](auto k) {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
      SCOPED_TRACE(testing::Message() << "k " << k() << " seed " << seed);
      Random random(seed);
      std::vector<Vec3> points = random.cloud(6);
      const std::vector<Vec3> others = random.cloud(6);
      const Dop<k()> a = fit<k()>(points), b = fit<k()>(others), both = merge(a, b);
      EXPECT_TRUE(contains(both, a) && contains(both, b));
      Dop<k()> grown = a;
      merge_into(grown.lower, grown.upper, b.lower, b.upper);
      EXPECT_EQ(grown, both);
      points.insert(points.end(), others.begin(), others.end());
      const Dop<k()> at_once = fit<k()>(points);
      for (std::size_t i = 0; i < k() / 2; ++i) {  // the errors added may differ in the last place
        EXPECT_LE(std::abs(at_once.lower[i] - both.lower[i]), 1e-6f * std::abs(both.lower[i]) + 1e-14f);
        EXPECT_LE(std::abs(at_once.upper[i] - both.upper[i]), 1e-6f * std::abs(both.upper[i]) + 1e-14f);
      }
    }
  });
}

TEST(Dop, TouchingOverlaps) {
  for_every_k([](auto k) {
    Dop<k()> a, b;
    for (std::size_t i = 0; i < k() / 2; ++i) {
      a.lower[i] = -1, a.upper[i] = 1;
      b.lower[i] = 1, b.upper[i] = 2;
    }
    EXPECT_TRUE(overlap(a, b) && overlap(b, a));
    EXPECT_EQ(gap(a, b), 0);
    for (std::size_t i = 0; i < k() / 2; ++i) {
      Dop<k()> c = b;
      c.lower[i] = std::nextafter(1.0f, 2.0f);
      EXPECT_FALSE(overlap(a, c) || overlap(c, a)) << i;
      EXPECT_GT(gap(a, c), 0) << i;
    }
  });
}

// Volumes that share a point overlap; the gap never exceeds the distance of any two points held.
TEST(Dop, OverlapAndGapAreConservative) {
  int apart = 0;
  for_every_k([&](auto k) {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
      SCOPED_TRACE(testing::Message() << "k " << k() << " seed " << seed);
      Random random(seed);
      const double size = std::pow(10.0, random.integer(-12, 12));
      std::vector<Vec3> a = random.cloud(5, size), b = random.cloud(5, size);
      const Dop<k()> bound_a = fit<k()>(a), bound_b = fit<k()>(b);
      double least_sq = std::numeric_limits<double>::infinity();
      for (const Vec3& p : a)
        for (const Vec3& q : b) least_sq = std::min(least_sq, length_sq(p - q));
      const double bound = gap(bound_a, bound_b);
      ASSERT_EQ(bound, gap(bound_b, bound_a));
      ASSERT_LE(bound, std::sqrt(least_sq) * (1 + 1e-15));
      ASSERT_EQ(bound > 0, !overlap(bound_a, bound_b));
      apart += bound > 0;
      b.push_back(a[0]);
      ASSERT_TRUE(overlap(bound_a, fit<k()>(b)));
      ASSERT_EQ(gap(bound_a, fit<k()>(b)), 0);
    }
  });
  EXPECT_GT(apart, 500);
}

TEST(Dop, GapOfPointsIsTheirDistanceAlongANormal) {
  for_every_k([](auto k) {
    for (const Vec3& n : slab_directions<k()>) {
      const std::array<Vec3, 1> here{Vec3{}}, there{n * (0.5 / length(n))};
      const double bound = gap(fit<k()>(here), fit<k()>(there));
      EXPECT_LE(bound, 0.5);
      EXPECT_GT(bound, 0.5 - 1e-6) << k();
    }
  });
}

TEST(Dop, GapOfAlignedBoxesIsEuclidean) {
  const std::array<Vec3, 1> here{Vec3{}}, there{Vec3{0.25, 0.5, -0.5}};
  for (const int k : listed_k)
    if (has_axes(k))
      with_k(k, [&](auto listed) { EXPECT_NEAR(gap(fit<listed()>(here), fit<listed()>(there)), 0.75, 1e-6); });
}

TEST(Dop, RowsEqualTheType) {
  Random random(3);
  for_every_k([&](auto k) {
    const std::vector<Vec3> points = random.cloud(9);
    std::array<float, k() / 2> lower, upper;
    fit(points, lower, upper, k);
    const Dop<k()> dop = fit<k()>(points);
    EXPECT_EQ(lower, dop.lower);
    EXPECT_EQ(upper, dop.upper);
  });
}

}  // namespace
}  // namespace tumble
