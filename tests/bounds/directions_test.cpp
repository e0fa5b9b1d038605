// SPDX-License-Identifier: Apache-2.0
#include "bounds/directions.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace tumble {
namespace {

template <int K>
concept Compiles = requires {
  slab_directions<K>;
};
static_assert(Compiles<18> && !Compiles<10> && !Compiles<0> && !Compiles<-6>);

TEST(Directions, AreDistinctPrimitiveAndOneOfEachPair) {
  for (const int k : listed_k) {
    const auto set = directions(k);
    ASSERT_EQ(set.size(), static_cast<std::size_t>(k) / 2);
    for (std::size_t i = 0; i < set.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) EXPECT_GT(length(cross(set[i], set[j])), 0.1) << k << ' ' << i << ' ' << j;
      if (k == 12) continue;
      int divisor = 0;
      for (int axis = 0; axis < 3; ++axis) {
        EXPECT_EQ(set[i][axis], std::round(set[i][axis]));
        EXPECT_LE(std::abs(set[i][axis]), 2);
        divisor = std::gcd(divisor, static_cast<int>(set[i][axis]));
      }
      EXPECT_EQ(divisor, 1);
    }
  }
}

TEST(Directions, AxesComeFirst) {
  for (const int k : listed_k) {
    const auto set = directions(k);
    const bool found = set[0] == Vec3{1, 0, 0} && set[1] == Vec3{0, 1, 0} && set[2] == Vec3{0, 0, 1};
    EXPECT_EQ(found, has_axes(k)) << k;
  }
}

TEST(Directions, LengthsAreWithinOneUnitInTheLastPlace) {
  for (const int k : listed_k)
    for (std::size_t i = 0; i < directions(k).size(); ++i) {
      const double exact = std::sqrt(length_sq(directions(k)[i]));
      EXPECT_LE(std::abs(direction_lengths(k)[i] - exact), std::nextafter(exact, 10) - exact) << k << ' ' << i;
    }
}

// The larger set of each kind is symmetric under every permutation and change of sign of the coordinates.
TEST(Directions, IntegerSetsAreSymmetric) {
  for (const int k : listed_k) {
    if (k == 12) continue;
    const auto set = directions(k);
    for (const Vec3& d : set)
      for (const Vec3& image : {Vec3{d.y, d.z, d.x}, Vec3{d.y, d.x, d.z}, Vec3{-d.x, d.y, d.z}}) {
        const bool found = std::any_of(set.begin(), set.end(), [&](Vec3 e) { return e == image || e == -image; });
        EXPECT_TRUE(found) << k;
      }
  }
}

TEST(Directions, TheTwelveAreADodecahedron) {
  const auto set = directions(12);
  for (std::size_t i = 0; i < set.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      EXPECT_NEAR(std::abs(dot(set[i], set[j])) / length_sq(set[i]), 1 / std::sqrt(5.0), 1e-15);
}

}  // namespace
}  // namespace tumble
