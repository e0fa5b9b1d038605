// SPDX-License-Identifier: Apache-2.0
// Boxes that share a point never come out apart, above all where their edges are nearly parallel, on nine axes and on
// fifteen; and fifteen tell apart what is apart. On every instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "traverse/overlap_test.cpp"
#include "simd/foreach_target.h"

#include "traverse/overlap-inl.h"

#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace tumble {
namespace HWY_NAMESPACE {

std::uint32_t obb_overlaps(const float* one, std::uint32_t lane, const float* eight) {
  return ObbKernel{}.overlaps<false>(one, lane, eight, nullptr).overlapping;
}
std::uint32_t obb_overlaps_on_all_axes(const float* one, std::uint32_t lane, const float* eight) {
  return ObbKernelOn<true>{}.overlaps<false>(one, lane, eight, nullptr).overlapping;
}

}  // namespace HWY_NAMESPACE
}  // namespace tumble
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "realign/scenario.h"
#include "simd/dispatch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

namespace tumble {
namespace {

HWY_EXPORT(obb_overlaps);
HWY_EXPORT(obb_overlaps_on_all_axes);

constexpr std::uint64_t seed = 20261115;

/// The corners of a box of any proportions, needles and plates among them, and a point on one of its edges.
struct Brick {
  std::vector<Vec3> corners;
  Vec3 on_edge;
};
Brick brick(const Mat3& frame, Random& random) {
  Vec3 half, edge;
  for (int axis = 0; axis < 3; ++axis) {
    half[axis] = 0.5 * std::pow(10, random.uniform(-7, 0));
    edge[axis] = random.integer(0, 1) ? half[axis] : -half[axis];
  }
  edge[random.integer(0, 2)] *= random.uniform(-1, 1);
  Brick result;
  const Mat3 out = transpose(frame);
  for (int corner = 0; corner < 8; ++corner)
    result.corners.push_back(
        out * Vec3{corner & 1 ? half.x : -half.x, corner & 2 ? half.y : -half.y, corner & 4 ? half.z : -half.z});
  result.on_edge = out * edge;
  return result;
}

Obb box_of(const Brick& brick, const Mat3& frame) {
  ObbExtents extents(frame);
  for (const Vec3& p : brick.corners) extents.add(p);
  return extents.finish();
}

TEST(ObbKernel, EdgesThatTouchOverlapHoweverParallel) {
  Random random(seed);
  const auto realigner = make_realigner({}, {.bound = Bound::obb, .k = 0}, {.bound = Bound::obb, .k = 0}, SourceSets{});
  for (const InstructionSet set : available()) {
    limit_to(set);
    for (int round = 0; round < 20000; ++round) {
      const Mat3 target_frame = rotation(random, random.uniform(-3, 3));
      const Brick target = brick(target_frame, random);
      std::vector<float> target_rows(node_lanes * ObbRows::count), source_rows(target_rows.size()),
          moved_rows(target_rows.size());
      for (std::size_t lane = 0; lane < node_lanes; ++lane)
        write_lane(target_rows.data(), lane, box_of(target, target_frame));

      // The source's axes are the target's but for a rotation of any smallness, and perhaps another order.
      RelativePose pose;
      pose.linear = rotation(random, random.uniform(-3, 3));
      pose.departure = departure_from_orthogonality(pose.linear);
      const Mat3 near = rotation(random, std::pow(10, random.uniform(-9, -1)));
      Mat3 source_frame = (near * target_frame) * pose.linear;
      const int turn = random.integer(0, 2);
      std::rotate(source_frame.rows.begin(), source_frame.rows.begin() + turn, source_frame.rows.end());
      const Brick source = brick(source_frame, random);
      for (std::size_t lane = 0; lane < node_lanes; ++lane)
        write_lane(source_rows.data(), lane, box_of(source, source_frame));
      pose.translation = target.on_edge - pose.linear * source.on_edge;
      pose.margin = 0x1p-50 * 4;

      realigner->set_pose(pose);
      realigner->realign(0, source_rows.data(), moved_rows.data());
      const auto lane = static_cast<std::uint32_t>(random.integer(0, 7));
      const auto expect_overlap = [&](const float* one, const float* eight) {
        ASSERT_EQ(HWY_DYNAMIC_DISPATCH(obb_overlaps)(one, lane, eight), 0xffu) << round << ", seed " << seed;
        ASSERT_EQ(HWY_DYNAMIC_DISPATCH(obb_overlaps_on_all_axes)(one, lane, eight), 0xffu)
            << round << ", seed " << seed;
      };
      expect_overlap(target_rows.data(), moved_rows.data());
      expect_overlap(moved_rows.data(), target_rows.data());
    }
  }
  unlimit();
}

/// Lane for lane as the test of all axes in double precision, but for the margins of single precision.
TEST(ObbKernel, FifteenAxesDecideAsTheTestInDoublePrecision) {
  Random random(seed);
  const auto resized = [](Obb box, float by) {
    for (float& half : box.half) half += by;
    return box;
  };
  for (const InstructionSet set : available()) {
    limit_to(set);
    int apart = 0, kept_by_nine = 0;
    for (int round = 0; round < 4000; ++round) {
      const auto any = [&] {
        const Mat3 frame = rotation(random, random.uniform(-3, 3));
        Obb box = box_of(brick(frame, random), frame);
        for (std::size_t i = 0; i < 3; ++i) {
          box.half[i] = static_cast<float>(random.uniform(0.05, 0.5));
          box.center[i] = static_cast<float>(random.uniform(-0.4, 0.4));
        }
        std::ranges::sort(box.half, std::greater());
        return box;
      };
      const Obb one = any();
      std::array<Obb, node_lanes> eight;
      std::vector<float> one_rows(node_lanes * ObbRows::count), rows(one_rows.size());
      for (std::size_t lane = 0; lane < node_lanes; ++lane) {
        eight[lane] = any();
        write_lane(one_rows.data(), lane, one);
        write_lane(rows.data(), lane, eight[lane]);
      }
      const std::uint32_t nine = HWY_DYNAMIC_DISPATCH(obb_overlaps)(one_rows.data(), 0, rows.data());
      const std::uint32_t all = HWY_DYNAMIC_DISPATCH(obb_overlaps_on_all_axes)(one_rows.data(), 0, rows.data());
      ASSERT_EQ(all & ~nine, 0u) << round << ", seed " << seed;
      for (std::size_t lane = 0; lane < node_lanes; ++lane) {
        const bool found = (all >> lane & 1) != 0;
        if (overlap(resized(one, -1e-4f), resized(eight[lane], -1e-4f))) {
          ASSERT_TRUE(found) << round << ", seed " << seed;
        }
        if (gap(one, eight[lane]) > 0.02) {
          ASSERT_FALSE(found) << round << ", seed " << seed;
        }
        apart += !found;
        kept_by_nine += !found && (nine >> lane & 1) != 0;
      }
    }
    EXPECT_GT(apart, 2000);
    EXPECT_GT(kept_by_nine, 10);
  }
  unlimit();
}

}  // namespace
}  // namespace tumble
#endif
