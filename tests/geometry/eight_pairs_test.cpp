// SPDX-License-Identifier: Apache-2.0
// The first look at eight pairs never contradicts the exact answer, on any instruction set, and leaves over little more
// than what really touches.
#include "geometry/eight_pairs.h"

#include "geometry/pair_generators.h"
#include "geometry/triangle_pair.h"
#include "math/transform.h"
#include "simd/dispatch.h"

#include <gtest/gtest.h>

#include <array>

namespace tumble {
namespace {

using namespace testing;

constexpr std::uint64_t seed = 71;

Pose some_pose(int which) {
  switch (which) {
    case 0: return {};
    case 1: return Pose::from_quaternion(0.5, 0.5, 0.5, 0.5, {0, 0, 0});
    default: return Pose::from_quaternion(0.9, 0.1, -0.3, 0.2, {0.25, -1, 3});
  }
}

TEST(EightPairs, AgreeWithTheExactAnswer) {
  for (const InstructionSet set : available()) {
    limit_to(set);
    std::size_t unsure = 0, random_pairs = 0;
    for (const Generator& generator : generators()) {
      Random random(seed);
      for (int round = 0; round < 400; ++round) {
        const Pose a_pose = some_pose(round % 3), b_pose = some_pose(round / 3 % 3);
        EightPairs eight;
        std::array<Corners, 8> a, b;
        for (std::size_t lane = 0; lane < 8; ++lane) {
          const auto pair = generator.make(random);
          eight.set(lane, pair.a[0], pair.a[1], pair.a[2], pair.b[0], pair.b[1], pair.b[2]);
          for (std::size_t i = 0; i < 3; ++i) {
            a[lane][i] = to_world(a_pose, pair.a[i]);
            b[lane][i] = to_world(b_pose, pair.b[i]);
          }
        }
        const EightLooks looks = first_look(eight, a_pose, b_pose);
        EXPECT_EQ(looks.cross & looks.unsure, 0u);
        for (std::size_t lane = 0; lane < 8; ++lane) {
          if ((looks.unsure >> lane & 1) != 0) {
            unsure += &generator == &generators().front();
            continue;
          }
          const std::optional<ContactKind> exact = classify(a[lane], b[lane]);
          const bool crosses = (looks.cross >> lane & 1) != 0;
          ASSERT_EQ(exact.has_value(), crosses)
              << generator.name << ", round " << round << ", seed " << seed << ", " << name(set);
          if (crosses) {
            ASSERT_EQ(*exact, ContactKind::cross);
          }
        }
        random_pairs += &generator == &generators().front() ? 8 : 0;
      }
    }
    EXPECT_LT(unsure, random_pairs / 100) << name(set);
  }
  unlimit();
}

}  // namespace
}  // namespace tumble
