// SPDX-License-Identifier: Apache-2.0
// A point's walk ends when its sink says so; test_query compares its answers with brute force.
#include "traverse/nearest_walk.h"

#include "scenes/shapes.h"
#include "traverse/placed_tree.h"

#include <gtest/gtest.h>

#include <limits>

namespace tumble {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Wants every triangle, until it has so many.
struct Some final : PointSink {
  explicit Some(int enough) : wanted(enough) {
    limit = infinity;
    underflow = infinity;
  }
  bool measure(std::uint32_t /*triangle*/) override { return ++measured == wanted; }
  int wanted, measured = 0;
};

TEST(NearestWalk, EndsWhenTheSinkSaysSo) {
  for (const TreeOptions& options : {TreeOptions{}, TreeOptions{.bound = Bound::dop, .k = 18}}) {
    const Model model(scenes::torus(1, 0.3, 40, 16), options);
    const Tree& tree = data_of(model).tree;
    for (const double margin : {0.0, 1e20}) {  // with bounds, and where they do not serve
      const TreePoint point{{0.5, 0.2, 0.1}, margin};
      for (const int wanted : {1, 2, 31, 32, 33, 100, 1280, 2000}) {
        Some some(wanted);
        walk_to_nearest(tree, point, some);
        EXPECT_EQ(some.measured, std::min(wanted, 1280)) << margin;
      }
    }
  }
}

TEST(NearestWalk, AnyNearStopsAtTheFirst) {
  const Model model(scenes::torus(1, 0.3, 40, 16));
  const Pose pose;
  const PlacedTree tree({data_of(model), pose});
  int met = 0;
  EXPECT_TRUE(tree.any_near({1, 0, 0}, 10, [&](std::uint32_t) { return ++met == 3; }));
  EXPECT_EQ(met, 3);
  EXPECT_FALSE(tree.any_near({1, 0, 0}, 10, [&](std::uint32_t) { return ++met < 0; }));
  EXPECT_EQ(met, 3 + 1280);
}

}  // namespace
}  // namespace tumble
