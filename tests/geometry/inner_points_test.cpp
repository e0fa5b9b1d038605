// SPDX-License-Identifier: Apache-2.0
// Inner points met, by example, and on a grid against the test of whole triangles.
#include "geometry/inner_points.h"

#include "geometry/predicates.h"
#include "geometry/triangle_pair.h"
#include "scenes/random.h"

#include <gtest/gtest.h>

namespace tumble {
namespace {

TEST(InnerPoints, ByHand) {
  const Corners t{Vec3{0, 0, 0}, Vec3{4, 0, 0}, Vec3{0, 4, 0}};
  const auto meets = [&](const Vec3& a, const Vec3& b, const Vec3& c) { return meets_inner_points(t, {a, b, c}); };
  EXPECT_FALSE(meets({2, 0, 0}, {3, 0, 0}, {2, 0, 1}));     // along the middle of an edge, upright
  EXPECT_FALSE(meets({2, 0, 0}, {3, 0, 0}, {2, -1, 0}));    // in its plane
  EXPECT_FALSE(meets({2, 0, 0}, {3, -1, 2}, {3, -1, -2}));  // with one corner on it
  EXPECT_FALSE(meets({2, 0, 0}, {3, -1, 2}, {2, 1, 2}));    // whose plane divides the triangle
  EXPECT_FALSE(meets({2, 0, 0}, {2, -1, 0}, {2, 1, 2}));    // with an edge that ends there
  EXPECT_TRUE(meets({2, 1, 0}, {2, -1, 0}, {2, 1, 2}));     // or beyond
  EXPECT_TRUE(meets({2, 1, 0}, {3, -1, 2}, {2, 1, 2}));     // a corner inside
  EXPECT_TRUE(meets({0, 0, 0}, {2, 2, 0}, {0, 0, 1}));      // from a common corner across
  EXPECT_FALSE(meets({0, 0, 0}, {-2, 2, 0}, {0, 0, 1}));    // or away
  EXPECT_TRUE(meets({1, 1, -1}, {1, 1, 1}, {2, 2, 1}));     // crossing
  EXPECT_TRUE(meets({2, 0, 0}, {3, 0, 0}, {2, 1, 0}));      // a common area
  EXPECT_FALSE(meets({5, 0, 0}, {6, 0, 0}, {5, 0, 1}));     // nothing
}

/// The triangle without a thin seam. Coordinates are multiples of 3, so that nothing is rounded; on so coarse a grid,
/// what meets inner points meets some that are not in the seam.
Corners without_seam(const Corners& t) {
  const Vec3 middle = (t[0] + t[1] + t[2]) / 3;
  Corners inner;
  for (std::size_t i = 0; i < 3; ++i) inner[i] = t[i] - (t[i] - middle) * 0x1p-40;
  return inner;
}

TEST(InnerPoints, OnAGridLikeTheTriangleWithoutItsSeam) {
  constexpr std::uint64_t seed = 127;
  RecordProperty("seed", seed);
  scenes::Random random(seed);
  int met = 0, touched = 0;
  for (int round = 0; round < 40'000; ++round) {
    const double size = round % 2 == 0 ? 3 : 5;
    const auto corner = [&] {
      const auto number = [&] { return 3.0 * static_cast<double>(random.index(static_cast<std::size_t>(size))); };
      return Vec3{number(), number(), number()};
    };
    const Corners t{corner(), corner(), corner()}, other{corner(), corner(), corner()};
    if (dimension(t) < 2 || dimension(other) < 2) continue;
    const bool is_met = intersects(without_seam(t), other);
    ASSERT_EQ(meets_inner_points(t, other), is_met) << round;
    met += is_met;
    touched += !is_met && intersects(t, other);
  }
  EXPECT_GT(met, 3000);
  EXPECT_GT(touched, 3000);
}

}  // namespace
}  // namespace tumble
