// SPDX-License-Identifier: Apache-2.0
#include "mesh/weld.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace tumble {
namespace {

using Ids = std::vector<std::uint32_t>;

TEST(Weld, NumbersPointsInTheOrderOfTheirFirstVertex) {
  const Weld welded = weld(std::vector<Vec3>{{3, 0, 0}, {1, 0, 0}, {3, 0, 0}, {2, 0, 0}, {1, 0, 0}});
  EXPECT_EQ(welded.point_of_vertex, (Ids{0, 1, 0, 2, 1}));
  EXPECT_EQ(welded.vertex_of_point, (Ids{0, 1, 3}));
}

TEST(Weld, TakesMinusZeroForZero) {
  const Weld welded = weld(std::vector<Vec3>{{-0.0, 0, -0.0}, {0, -0.0, 0}, {-0.0, -0.0, -0.0}});
  EXPECT_EQ(welded.point_of_vertex, (Ids{0, 0, 0}));
}

TEST(Weld, KeepsApartWhatDiffersInTheLastBit) {
  const double one = 1, next = std::nextafter(1, 2), tiny = std::numeric_limits<double>::denorm_min();
  EXPECT_EQ(weld(std::vector<Vec3>{{one, 0, 0}, {next, 0, 0}, {one, tiny, 0}, {one, 0, -tiny}}).vertex_of_point.size(),
            4u);
}

TEST(Weld, OfNothing) { EXPECT_TRUE(weld({}).point_of_vertex.empty()); }

}  // namespace
}  // namespace tumble
