// SPDX-License-Identifier: Apache-2.0
// No realigned bound ever loses a point of what it bounds: every strategy, every pair of direction sets, boxes, every
// kind of motion, every instruction set.
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

INSTANTIATE_TEST_SUITE_P(Available, EveryInstructionSet, testing::ValuesIn(available()), [](const auto& set) {
  std::string text = name(set.param);
  std::erase(text, '-');
  return text;
});

}  // namespace
}  // namespace tumble
