// SPDX-License-Identifier: Apache-2.0
// No realigned bound ever loses a point of what it bounds: every strategy, every pair of direction sets, boxes, every
// kind of motion, every instruction set.
#include "bounds/reach.h"
#include "realign/scenario.h"
#include "simd/dispatch.h"

#include <gtest/gtest.h>

namespace tumble {
namespace {

constexpr std::array strategies{Realign::affine,        Realign::affine_min, Realign::brep_vertices,
                                Realign::hill_climbing, Realign::occupancy,  Realign::sat_lite};

std::string describe(BoundKind kind) {
  return kind.bound == Bound::obb ? std::string("OBB") : std::to_string(kind.k) + "-DOP";
}

void expect_held(Realign strategy, BoundKind source, BoundKind target, std::uint64_t seed) {
  Random random(seed);
  const std::vector<Node> nodes{node_of(source, random), node_of(source, random)};
  PairOptions options;
  options.realign = strategy;
  const auto realigner = make_realigner(options, source, target, sets_of(nodes));
  std::vector<float> rows(static_cast<std::size_t>(max_k) * node_lanes);
  for (const Motion motion : motions) {
    const RelativePose pose = pose_of(motion, random);
    realigner->set_pose(pose);
    for (std::uint32_t n = 0; n < nodes.size(); ++n) {
      realigner->realign(n, nodes[n].rows.data(), rows.data());
      for (std::size_t lane = 0; lane < node_lanes; ++lane)
        ASSERT_LE(excess(pose, target, rows.data(), lane, nodes[n].points[lane]), 0)
            << name(strategy) << ", " << describe(source) << " to " << describe(target) << ", " << name(motion)
            << ", node " << n << ", lane " << lane << ", seed " << seed;
    }
  }
}

class EveryInstructionSet : public testing::TestWithParam<InstructionSet> {
 protected:
  void SetUp() override { limit_to(GetParam()); }
  void TearDown() override { unlimit(); }
};

TEST_P(EveryInstructionSet, BoxesToBoxesHoldEveryPoint) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed)
    ASSERT_NO_FATAL_FAILURE(expect_held(Realign::affine, {Bound::obb, 0}, {Bound::obb, 0}, seed));
}

TEST_P(EveryInstructionSet, BoxesToDopsHoldEveryPoint) {
  for (const int k : listed_k)
    for (std::uint64_t seed = 1; seed <= 6; ++seed)
      ASSERT_NO_FATAL_FAILURE(expect_held(Realign::affine, {Bound::obb, 0}, {Bound::dop, k}, seed));
}

TEST_P(EveryInstructionSet, DopsToDopsHoldEveryPoint) {
  for (const Realign strategy : strategies)
    for (const int source : listed_k)
      for (const int target : listed_k)
        ASSERT_NO_FATAL_FAILURE(expect_held(strategy, {Bound::dop, source}, {Bound::dop, target}, 1));
}

/// Whether a target as large as trees are could meet the written bounds of a lane.
bool may_meet_target(BoundKind target, const float* rows, std::size_t lane) {
  if (target.bound == Bound::dop) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(target.k) / 2; ++i) {
      const double reach = tree_reach * direction_lengths(target.k)[i];
      if (rows[DopRows::lower(i) + lane] > reach || rows[DopRows::upper(i) + lane] < -reach) return false;
    }
    return true;
  }
  double distance_sq = 0, halves = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    distance_sq += std::pow(static_cast<double>(rows[ObbRows::center(i) + lane]), 2);
    halves += rows[ObbRows::half(i) + lane];
  }
  return std::sqrt(distance_sq) <= halves + tree_reach;
}

/// Poses beyond the range of floats, where bounds need not hold what is far away, but must tell near from far.
TEST(ExtremePoses, KeepBoundsFiniteAndFarBodiesApart) {
  Random random(11);
  std::vector<std::pair<BoundKind, BoundKind>> kinds{{{Bound::obb, 0}, {Bound::obb, 0}},
                                                     {{Bound::obb, 0}, {Bound::dop, 18}}};
  for (const int k : listed_k) kinds.push_back({{Bound::dop, k}, {Bound::dop, 18}});
  for (const auto& kind : kinds)
    for (const Realign strategy : strategies) {
      const BoundKind source = kind.first, target = kind.second;
      const std::vector<Node> nodes{node_of(source, random)};
      PairOptions options;
      options.realign = strategy;
      const auto realigner = make_realigner(options, source, target, sets_of(nodes));
      std::vector<float> rows(18 * node_lanes);
      const auto meets = [&](const RelativePose& pose) {
        realigner->set_pose(pose);
        realigner->realign(0, nodes[0].rows.data(), rows.data());
        const std::size_t written = (target.bound == Bound::dop ? DopRows::count(18) : ObbRows::count) * node_lanes;
        for (std::size_t i = 0; i < written; ++i) EXPECT_TRUE(std::isfinite(rows[i])) << name(strategy);
        return may_meet_target(target, rows.data(), 3);
      };
      const auto pose_with = [&](double scale, double distance, double margin) {
        RelativePose pose = pose_of(Motion::any, random);
        for (Vec3& row : pose.linear.rows) row = row / pose.scale * scale;
        pose.scale = scale;
        pose.translation = {distance, -0.3 * distance, 0.1 * distance};
        pose.margin = margin;
        return pose;
      };
      SCOPED_TRACE(std::string(name(strategy)) + ", " + describe(source) + " to " + describe(target));
      EXPECT_FALSE(meets(pose_with(1, 1e200, 1e-3)));
      EXPECT_FALSE(meets(pose_with(0x1p-600, 1e30, 0)));
      EXPECT_TRUE(meets(pose_with(0x1p-600, 0, 0)));
      EXPECT_TRUE(meets(pose_with(1, 1e200, 1e201)));
      EXPECT_TRUE(meets(pose_with(1, 0, std::numeric_limits<double>::infinity())));
      EXPECT_TRUE(meets(pose_with(0x1p300, 1e80, 0)));
    }
}

INSTANTIATE_TEST_SUITE_P(Available, EveryInstructionSet, testing::ValuesIn(available()), [](const auto& set) {
  std::string text = name(set.param);
  std::erase(text, '-');
  return text;
});

}  // namespace
}  // namespace tumble
