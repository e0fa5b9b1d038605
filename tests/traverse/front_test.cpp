// SPDX-License-Identifier: Apache-2.0
// What fronts rely on: no points come nearer than measured, and none is farther out than the radius.
#include "traverse/front.h"

#include "realign/scenario.h"
#include "tree/model_data.h"

#include <tumble/model.h>

#include <gtest/gtest.h>

namespace tumble {
namespace {

constexpr std::uint64_t seed = 20261117;

TEST(Front, NoPointsComeNearerThanMeasured) {
  Random random(seed);
  double largest_share = 0, largest_share_of_larger = 0;
  for (int round = 0; round < 20000; ++round) {
    RelativePose from;
    from.scale = std::ldexp(1.0, random.integer(-8, 8));
    Mat3 before = rotation(random, random.uniform(-3, 3)),
         after = rotation(random, std::pow(10, random.uniform(-6, 0))) * before;
    if (random.integer(0, 2) == 0)
      for (Mat3* skewed : {&before, &after})
        for (Vec3& row : skewed->rows) row += random.vector(std::pow(10, random.uniform(-9, -4.5)));
    RelativePose to = from;
    for (std::size_t i = 0; i < 3; ++i) {
      from.linear.rows[i] = before.rows[i] * from.scale;
      to.linear.rows[i] = after.rows[i] * to.scale;
    }
    from.departure = departure_from_orthogonality(before);
    to.departure = departure_from_orthogonality(after);
    from.translation = random.vector(2);
    to.translation = from.translation + random.vector(random.integer(0, 2) ? from.scale * 1e-3 : 0);
    const Radii radii{random.uniform(0.1, 1.7), random.uniform(0.1, 1.7)};
    const double motion = motion_between(from, to, radii);
    const auto on_ball = [&](double radius) {
      const Vec3 point = random.vector(1);
      return point * (radius / length(point));
    };
    for (int i = 0; i < 20; ++i) {
      const Vec3 of_target = on_ball(radii.target), of_source = on_ball(radii.source);
      const auto apart = [&](const RelativePose& pose) {
        const Exact3 moved = move(pose, of_source);
        long double sum = 0;
        for (std::size_t axis = 0; axis < 3; ++axis) {
          const auto along =
              static_cast<long double>(static_cast<double>(moved[axis] - of_target[static_cast<int>(axis)]));
          sum += along * along;
        }
        return std::sqrt(sum);
      };
      const auto change = static_cast<double>(std::abs(apart(to) - apart(from)));
      ASSERT_LE(change, motion) << "round " << round << ", seed " << seed;
      double& largest = from.scale > 1 ? largest_share_of_larger : largest_share;
      largest = std::max(largest, change / motion);
    }
  }
  EXPECT_GT(largest_share, 0.95) << "the measure is far larger than it need be";
  EXPECT_GT(largest_share_of_larger, 0.95) << "and of a larger source";
}

TEST(Front, TheRadiusHoldsEveryVertex) {
  Random random(seed);
  for (const Bound bound : {Bound::obb, Bound::dop})
    for (int round = 0; round < 50; ++round) {
      Mesh mesh;
      while (mesh.vertices.size() < 3) mesh.vertices = random.cloud(30);
      for (std::uint32_t i = 0; i + 2 < mesh.vertices.size(); ++i) mesh.triangles.push_back({i, i + 1, i + 2});
      const Model model(mesh, {.bound = bound});
      const Tree& tree = data_of(model).tree;
      const double radius = radius_of(tree);
      for (const Vec3& v : mesh.vertices)
        ASSERT_LE(length(tree.frame.to_tree(v)), radius * (1 + 1e-6)) << "round " << round << ", seed " << seed;
      ASSERT_LE(radius, 4);
    }
}

}  // namespace
}  // namespace tumble
