// SPDX-License-Identifier: Apache-2.0
// What the leaf filter is certain of is what the exact test says of the same triangles in the world, however close they
// are to touching; on every instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "traverse/leaf_filter_test.cpp"
#include "simd/foreach_target.h"

#include "traverse/leaf_filter-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tumble {
namespace HWY_NAMESPACE {

PairBits filter_here(const RelativePose& pose, const float* target, const float* source, std::uint32_t width) {
  return LeafFilter(pose)({target, width}, {source, width});
}

float gap_here(const RelativePose& pose, const float* target, const float* source, std::uint32_t width) {
  return LeafFilter(pose).gap({target, width}, {source, width});
}

}  // namespace HWY_NAMESPACE
}  // namespace tumble
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "geometry/distance.h"
#include "geometry/triangle_pair.h"
#include "math/transform.h"
#include "realign/scenario.h"
#include "simd/dispatch.h"
#include "traverse/relate.h"
#include "traverse/triangle_groups.h"

#include <gtest/gtest.h>

namespace tumble {
namespace {

HWY_EXPORT(filter_here);
HWY_EXPORT(gap_here);

constexpr std::uint64_t seed = 20261116;

TEST(LeafFilter, IsCertainOnlyOfWhatIsSo) {
  for (const InstructionSet set : available()) {
    limit_to(set);
    SCOPED_TRACE(name(set));
    Random random(seed);
    int crossing = 0, known_crossing = 0, apart = 0, known_apart = 0;
    for (int round = 0; round < 20000; ++round) {
      const Groups groups(std::pow(10, random.uniform(-5, -0.5)), random);
      const RelativePose pose = Relation(Frame{}, Frame{}).at(groups.target_pose, groups.source_pose);
      const auto width = static_cast<std::uint32_t>(groups.targets.size());
      const PairBits pairs = HWY_DYNAMIC_DISPATCH(filter_here)(pose, group_of(groups.targets).data(),
                                                               group_of(groups.sources).data(), width);
      ASSERT_EQ(pairs.open & pairs.crossing, 0u);
      for (std::uint32_t i = 0; i < 4; ++i)
        for (std::uint32_t j = 0; j < 4; ++j) {
          const std::uint32_t bit = 1u << (4 * i + j);
          if (i >= width || j >= width) {
            ASSERT_EQ((pairs.open | pairs.crossing) & bit, 0u) << "a lane that is not used";
            continue;
          }
          Corners a, b;
          for (std::size_t c = 0; c < 3; ++c) {
            a[c] = to_world(groups.target_pose, groups.targets[i][c]);
            b[c] = to_world(groups.source_pose, groups.sources[j][c]);
          }
          const std::optional<ContactKind> kind = classify(a, b);
          if (kind) {
            ASSERT_NE((pairs.open | pairs.crossing) & bit, 0u) << "lost; round " << round << ", seed " << seed;
          }
          if (pairs.crossing & bit) {
            ASSERT_EQ(kind, ContactKind::cross) << "round " << round << ", seed " << seed;
          }
          crossing += kind == ContactKind::cross, known_crossing += (pairs.crossing & bit) != 0;
          apart += !kind, known_apart += !kind && ((pairs.open | pairs.crossing) & bit) == 0;
        }
    }
    // It is not to be certain of nothing, though most corners here are far closer to touching than in practice.
    EXPECT_GT(known_crossing, crossing / 8);
    EXPECT_GT(known_apart, apart / 8);
    EXPECT_GT(crossing, 1000);
  }
  unlimit();
}

TEST(LeafFilter, TrianglesAreNoNearerThanTheGap) {
  for (const InstructionSet set : available()) {
    limit_to(set);
    SCOPED_TRACE(name(set));
    Random random(seed);
    double largest_share = 0;
    for (int round = 0; round < 20000; ++round) {
      const double size = std::pow(10, random.uniform(-5, -0.5));
      Groups groups(size, random);
      const Vec3 shift = random.vector(size * (random.integer(0, 1) ? 1 : 10));
      for (Corners& source : groups.sources)
        for (Vec3& corner : source) corner += shift;
      const RelativePose pose = Relation(Frame{}, Frame{}).at(groups.target_pose, groups.source_pose);
      double least = std::numeric_limits<double>::infinity();
      for (const Corners& target : groups.targets)
        for (const Corners& source : groups.sources) {
          Corners a, b;
          for (std::size_t c = 0; c < 3; ++c) {
            a[c] = to_world(groups.target_pose, target[c]);
            b[c] = to_world(groups.source_pose, source[c]);
          }
          least = std::min(least, std::sqrt(distance_sq(a, b)));
        }
      const auto width = static_cast<std::uint32_t>(groups.targets.size());
      const double gap = double{HWY_DYNAMIC_DISPATCH(gap_here)(pose, group_of(groups.targets).data(),
                                                               group_of(groups.sources).data(), width)};
      ASSERT_LE(gap, least * (1 + 1e-6)) << "round " << round << ", seed " << seed;
      if (least > 0) largest_share = std::max(largest_share, gap / least);
    }
    EXPECT_GT(largest_share, 0.9) << "it is to tell something";
  }
  unlimit();
}

}  // namespace
}  // namespace tumble
#endif
