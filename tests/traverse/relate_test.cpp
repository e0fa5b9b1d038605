// SPDX-License-Identifier: Apache-2.0
// Relation: points of two bodies that are one point in the world lie within the margin of each other.
#include "traverse/relate.h"

#include "math/transform.h"
#include "realign/scenario.h"

#include <gtest/gtest.h>

namespace tumble {
namespace {

constexpr std::uint64_t seed = 4711;

/// As Frame::to_tree, with 106 bits.
Exact3 exact_to_tree(const Frame& frame, Vec3 p) {
  Exact3 from_center;
  for (std::size_t i = 0; i < 3; ++i)
    from_center[i] = (DoubleDouble(p[static_cast<int>(i)]) - DoubleDouble(frame.center[static_cast<int>(i)])) *
                     DoubleDouble(std::ldexp(1.0, -frame.exponent));
  Exact3 tree;
  for (std::size_t i = 0; i < 3; ++i) tree[i] = dot(exact(frame.rotation.rows[i]), from_center);
  return tree;
}

struct Placed {
  Frame frame;
  Vec3 vertex;
};
Placed some_body(Random& random) {
  const double size = std::pow(10, random.uniform(-12, 12));
  Placed body;
  std::frexp(size, &body.frame.exponent);
  body.frame.center = random.vector(size * (random.integer(0, 1) ? 1 : 1e6));
  if (random.integer(0, 3) == 0) body.frame.rotation = rotation(random, random.uniform(-3, 3));
  body.vertex = body.frame.center + random.vector(size);
  return body;
}
Mat3 some_rotation(Random& random) {
  if (random.integer(0, 2) == 0) return {};
  Mat3 r = rotation(random, random.uniform(-3, 3));
  if (random.integer(0, 3) == 0)
    for (Vec3& row : r.rows) row += random.vector(1.5e-5);
  return r;
}

TEST(Relation, OnePointOfTheWorldIsOnePointWithinTheMargin) {
  Random random(seed);
  double closest = 0;  // the largest share of the margin that was needed
  for (int round = 0; round < 20000; ++round) {
    const Placed target = some_body(random), source = some_body(random);
    const double away =
        std::ldexp(1.0, std::max(target.frame.exponent, source.frame.exponent)) * (random.integer(0, 2) ? 1 : 1e8);
    const Pose target_pose = pose_with(some_rotation(random), random.vector(away));
    const Mat3 turn = some_rotation(random);
    const Vec3 where = to_world(target_pose, target.vertex);
    const Pose source_pose = pose_with(turn, where - turn * source.vertex);
    const RelativePose pose = Relation(target.frame, source.frame).at(target_pose, source_pose);

    // The bodies' points are almost, not quite, at one place in the world: `off` apart.
    const Vec3 off = to_world(source_pose, source.vertex) - where;
    const Exact3 tree = exact_to_tree(source.frame, source.vertex), there = exact_to_tree(target.frame, target.vertex);
    double apart_sq = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      const DoubleDouble moved =
          dot(exact(pose.linear.rows[i]), tree) + DoubleDouble(pose.translation[static_cast<int>(i)]);
      const double apart = static_cast<double>(moved - there[i]);
      apart_sq += apart * apart;
    }
    const double allowed = pose.margin + 1.001 * length(off) * std::ldexp(1.0, -target.frame.exponent);
    ASSERT_LE(std::sqrt(apart_sq), allowed) << "round " << round << ", seed " << seed;
    closest = std::max(closest, std::sqrt(apart_sq) / allowed);
  }
  EXPECT_GT(closest, 1e-3) << "the margin is far larger than it need be";
}

}  // namespace
}  // namespace tumble
