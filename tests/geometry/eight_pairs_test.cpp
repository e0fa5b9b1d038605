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
#include <bit>

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

struct Counts {
  int unsure = 0, touch = 0;
};

/// Looks at eight pairs and holds what is certain against the exact answer.
template <class Make>
void look_at_eight(const Make& make, const Pose& a_pose, const Pose& b_pose, Counts& counts) {
  EightPairs eight;
  std::array<Corners, 8> a, b;
  for (std::size_t lane = 0; lane < 8; ++lane) {
    const auto pair = make();
    eight.set(lane, pair.a[0], pair.a[1], pair.a[2], pair.b[0], pair.b[1], pair.b[2]);
    for (std::size_t i = 0; i < 3; ++i) {
      a[lane][i] = to_world(a_pose, pair.a[i]);
      b[lane][i] = to_world(b_pose, pair.b[i]);
    }
  }
  const EightLooks looks = first_look(eight, a_pose, b_pose);
  EXPECT_EQ((looks.cross & looks.touch) | (looks.cross & looks.unsure) | (looks.touch & looks.unsure), 0u);
  counts.unsure += std::popcount(looks.unsure);
  counts.touch += std::popcount(looks.touch);
  for (std::size_t lane = 0; lane < 8; ++lane) {
    if ((looks.unsure >> lane & 1) != 0) continue;
    std::optional<ContactKind> seen;
    if ((looks.cross >> lane & 1) != 0) seen = ContactKind::cross;
    if ((looks.touch >> lane & 1) != 0) seen = ContactKind::touch;
    ASSERT_EQ(seen, classify(a[lane], b[lane])) << "lane " << lane;
  }
}

TEST(EightPairs, AgreeWithTheExactAnswer) {
  constexpr int rounds = 400;
  for (const InstructionSet set : available()) {
    limit_to(set);
    for (const Generator& generator : generators()) {
      Random random(seed);
      Counts counts;
      for (int round = 0; round < rounds; ++round) {
        SCOPED_TRACE(::testing::Message() << generator.name << ", round " << round << ", seed " << seed);
        look_at_eight([&] { return generator.make(random); }, some_pose(round % 3), some_pose(round / 3 % 3), counts);
        if (HasFatalFailure()) FAIL() << name(set);
      }
      if (&generator == &generators().front()) {
        EXPECT_LT(counts.unsure, rounds * 8 / 100) << name(set);
      }
    }
  }
  unlimit();
}

TEST(EightPairs, AreSureOfEdgesThatMeetInAPlaneAlongTheAxes) {
  constexpr int rounds = 400;
  for (const InstructionSet set : available()) {
    limit_to(set);
    Random random(seed);
    Counts counts;
    for (int round = 0; round < rounds; ++round) {
      SCOPED_TRACE(::testing::Message() << "round " << round << ", seed " << seed);
      const int axis = round % 3;
      const auto with_edge_in_plane = [&] {
        Corners t;
        for (Vec3& p : t) p = {random.real(), random.real(), random.real()};
        const std::size_t apex = random.index(3);
        t[(apex + 1) % 3][axis] = t[(apex + 2) % 3][axis] = 0.3;
        return t;
      };
      look_at_eight([&] { return TrianglePair{with_edge_in_plane(), with_edge_in_plane()}; }, {}, {}, counts);
      if (HasFatalFailure()) FAIL() << name(set);
    }
    EXPECT_GT(counts.touch, rounds / 2) << name(set);
    EXPECT_LT(counts.unsure, rounds * 8 / 100) << name(set);
  }
  unlimit();
}

TEST(EightPairs, AreSureOfNeighboursWithCornersInCommon) {
  constexpr int rounds = 400;
  for (const InstructionSet set : available()) {
    limit_to(set);
    Random random(seed);
    Counts counts;
    for (int round = 0; round < rounds; ++round) {
      SCOPED_TRACE(::testing::Message() << "round " << round << ", seed " << seed);
      const Pose pose = some_pose(round % 3);
      // One or two corners in common, in any order; the rest above a, above and below it, or close to its plane.
      const auto neighbours = [&] {
        TrianglePair pair;
        for (Vec3& p : pair.a) p = {random.real(), random.real(), 0};
        for (Vec3& p : pair.b) p = {random.real(), random.real(), random.real(random.one_in(4) ? -1 : 0, 1)};
        const std::size_t at_a = random.index(3), at_b = random.index(3);
        pair.b[at_b] = pair.a[at_a];
        if (random.one_in(2)) pair.b[(at_b + 1) % 3] = pair.a[(at_a + 1 + random.index(2)) % 3];
        if (random.one_in(9)) pair.b[(at_b + 2) % 3].z *= 1e-17;
        if (random.one_in(20)) pair.b[(at_b + 2) % 3] = pair.b[at_b];
        return pair;
      };
      look_at_eight(neighbours, pose, pose, counts);
      if (HasFatalFailure()) FAIL() << name(set);
    }
    EXPECT_GT(counts.touch, rounds * 8 * 6 / 10) << name(set);
    EXPECT_LT(counts.unsure, rounds * 8 * 4 / 10) << name(set);
  }
  unlimit();
}

}  // namespace
}  // namespace tumble
