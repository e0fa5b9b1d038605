// SPDX-License-Identifier: Apache-2.0
// Gaps of boxes and DOPs are no larger than the distance of what is in them, apart, touching, with nearly parallel
// edges and far away, and tell something, also relative to the line between the bodies; unknown ones rule nothing out;
// on every instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "traverse/gap_test.cpp"
#include "simd/foreach_target.h"

#include "bounds/directions.h"
#include "traverse/far-inl.h"
#include "traverse/gap-inl.h"
#include "traverse/near_filter-inl.h"

#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace tumble {
namespace HWY_NAMESPACE {

/// k = 0: boxes.
std::uint32_t gaps_here(int k, const float* one, std::uint32_t lane, const float* eight, float limit, float* out) {
  if (k == 0) return ObbGaps{}.gaps(one, lane, eight, limit, out);
  return DopGaps{{k / 2, inverse_direction_lengths(k).data()}, has_axes(k)}.gaps(one, lane, eight, limit, out);
}

std::uint32_t near_here(const RelativePose& pose, const float* target, const float* source, std::uint32_t width,
                        float limit, float* gaps, float* reaches) {
  return NearFilter(pose)({target, width}, {source, width}, limit, gaps, reaches);
}

std::uint32_t far_gaps_here(const FarLine& line, int k, const float* one, std::uint32_t lane, const float* eight,
                            bool one_is_source, float limit, float* out) {
  if (k == 0) return ObbFar(line).gaps(one, lane, eight, one_is_source, limit, out);
  return DopFar(line, k).gaps(one, lane, eight, one_is_source, limit, out);
}

std::uint32_t far_here(const FarLine& line, const float* target, const float* source, std::uint32_t width, float limit,
                       float* gaps, float* reaches) {
  return FarFilter(line)({target, width}, {source, width}, limit, gaps, reaches);
}

}  // namespace HWY_NAMESPACE
}  // namespace tumble
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "geometry/distance.h"
#include "simd/dispatch.h"
#include "traverse/relate.h"
#include "traverse/triangle_groups.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

namespace tumble {
namespace {

HWY_EXPORT(gaps_here);
HWY_EXPORT(near_here);
HWY_EXPORT(far_gaps_here);
HWY_EXPORT(far_here);

constexpr std::uint64_t seed = 20261117;
constexpr double allowed_excess = 1 + 0x1p-19;  // of a gap over the distance

/// A box of any proportions, needles and plates among them.
struct Brick {
  std::array<Vec3, 8> corners;
  Mat3 frame;
  Vec3 on_edge;

  Brick(const Mat3& rotation, Random& random) : frame(rotation) {
    Vec3 half;
    for (int axis = 0; axis < 3; ++axis) {
      half[axis] = 0.5 * std::pow(10, random.uniform(random.integer(0, 2) ? -1 : -7, 0));
      on_edge[axis] = random.integer(0, 1) ? half[axis] : -half[axis];
    }
    on_edge[random.integer(0, 2)] *= random.uniform(-1, 1);
    const Mat3 out = transpose(frame);
    for (std::size_t c = 0; c < 8; ++c)
      corners[c] = out * Vec3{c & 1 ? half.x : -half.x, c & 2 ? half.y : -half.y, c & 4 ? half.z : -half.z};
    on_edge = out * on_edge;
  }

  std::array<Corners, 12> faces(const RelativePose& pose) const {
    constexpr std::array<std::array<std::size_t, 3>, 12> corner_of{{{0, 2, 3},
                                                                    {0, 3, 1},
                                                                    {4, 5, 7},
                                                                    {4, 7, 6},
                                                                    {0, 1, 5},
                                                                    {0, 5, 4},
                                                                    {2, 6, 7},
                                                                    {2, 7, 3},
                                                                    {0, 4, 6},
                                                                    {0, 6, 2},
                                                                    {1, 3, 7},
                                                                    {1, 7, 5}}};
    std::array<Corners, 12> triangles;
    for (std::size_t t = 0; t < 12; ++t)
      for (std::size_t c = 0; c < 3; ++c) triangles[t][c] = pose.linear * corners[corner_of[t][c]] + pose.translation;
    return triangles;
  }
};

/// Of the surfaces: of the bricks unless one is inside the other, where it is too large, which tests allow for.
double distance_between(const Brick& target, const Brick& source, const RelativePose& pose) {
  double least = std::numeric_limits<double>::infinity();
  for (const Corners& a : target.faces({}))
    for (const Corners& b : source.faces(pose)) least = std::min(least, distance_sq(a, b));
  return std::sqrt(least);
}

/// The least translation along a face normal of either, or a slab's, that separates the bricks; not positive if they
/// are apart along one.
double penetration_of(const Brick& target, const Brick& source, const RelativePose& pose, int k) {
  double least = std::numeric_limits<double>::infinity();
  const auto try_axis = [&](const Vec3& axis) {
    double a_low = 1e300, a_high = -1e300, b_low = 1e300, b_high = -1e300;
    for (std::size_t c = 0; c < 8; ++c) {
      const double a = dot(axis, target.corners[c]);
      const double b = dot(axis, pose.linear * source.corners[c] + pose.translation);
      a_low = std::min(a_low, a), a_high = std::max(a_high, a);
      b_low = std::min(b_low, b), b_high = std::max(b_high, b);
    }
    least = std::min({least, a_high - b_low, b_high - a_low});
  };
  for (std::size_t i = 0; i < 3; ++i) {
    try_axis(target.frame.rows[i]);
    try_axis(pose.linear * source.frame.rows[i]);
  }
  if (k > 0)
    for (const Vec3& slab : directions(k)) try_axis(slab / length(slab));
  return least;
}

std::vector<float> rows_of(const Brick& brick, int k) {
  std::vector<float> rows(node_lanes * static_cast<std::size_t>(k == 0 ? ObbRows::count : DopRows::count(k)));
  if (k > 0) {
    std::array<float, max_k / 2> lower, upper;
    const auto slabs = static_cast<std::size_t>(k) / 2;
    fit(brick.corners, std::span(lower).first(slabs), std::span(upper).first(slabs), k);
    for (std::size_t lane = 0; lane < node_lanes; ++lane)
      write_lane(rows.data(), lane, std::span(lower).first(slabs), std::span(upper).first(slabs));
    return rows;
  }
  ObbExtents extents(brick.frame);
  for (const Vec3& p : brick.corners) extents.add(p);
  const Obb box = extents.finish();
  for (std::size_t lane = 0; lane < node_lanes; ++lane) write_lane(rows.data(), lane, box);
  return rows;
}

/// Two bricks that touch at an edge of each, moved apart by some way or none; edges often nearly parallel.
struct TwoBricks {
  Brick target, source;
  RelativePose pose;

  explicit TwoBricks(Random& random)
      : TwoBricks(rotation(random, random.uniform(-3, 3)), rotation(random, random.uniform(-3, 3)), random) {}

 private:
  TwoBricks(const Mat3& frame, const Mat3& turn, Random& random)
      : target(frame, random), source(source_frame(frame, turn, random), random) {
    pose.linear = turn;
    pose.departure = departure_from_orthogonality(turn);
    pose.margin = 0x1p-48;
    pose.translation = target.on_edge - turn * source.on_edge;
    const int kind = random.integer(0, 5);
    if (kind == 5)
      pose.translation += random.vector(1) * 0x1p59;  // farther than walks go
    else if (kind > 0)
      pose.translation += random.vector(1) * std::pow(10, random.uniform(-6, 1));
  }
  static Mat3 source_frame(const Mat3& frame, const Mat3& turn, Random& random) {
    if (random.integer(0, 1)) return rotation(random, random.uniform(-3, 3));
    const Mat3 near = rotation(random, std::pow(10, random.uniform(-9, -1)));
    return (near * frame) * turn;
  }
};

class Gaps : public ::testing::TestWithParam<int> {};

TEST_P(Gaps, AreNoMoreThanTheDistanceAndTellSomething) {
  const int k = GetParam();
  const BoundKind kind = k == 0 ? BoundKind{Bound::obb, 0} : BoundKind{Bound::dop, k};
  const int rounds = k == 0 ? 1000 : 300;
  for (const InstructionSet set : available()) {
    limit_to(set);
    SCOPED_TRACE(name(set));
    Random random(seed);
    double shares = 0;
    int apart = 0, deep = 0;
    for (int round = 0; round < rounds; ++round) {
      const TwoBricks bricks(random);
      SCOPED_TRACE("round " + std::to_string(round) + ", seed " + std::to_string(seed));
      std::vector<Node> node(1);
      for (auto& lane : node[0].points) lane.assign(bricks.source.corners.begin(), bricks.source.corners.end());
      const auto realigner = make_realigner({}, kind, kind, sets_of(node));
      const std::vector<float> target = rows_of(bricks.target, k), source = rows_of(bricks.source, k);
      std::vector<float> moved(source.size());
      realigner->set_pose(bricks.pose);
      realigner->realign(0, source.data(), moved.data());

      const double distance = distance_between(bricks.target, bricks.source, bricks.pose);
      const double penetration = penetration_of(bricks.target, bricks.source, bricks.pose, k);
      const float limits[] = {0, static_cast<float>(distance), std::numeric_limits<float>::infinity()};
      for (const float limit : limits)
        for (const bool swapped : {false, true}) {
          const auto lane = static_cast<std::uint32_t>(random.integer(0, 7));
          alignas(64) float gaps[8];
          const std::uint32_t near = HWY_DYNAMIC_DISPATCH(gaps_here)(
              k, swapped ? moved.data() : target.data(), lane, swapped ? target.data() : moved.data(), limit, gaps);
          for (std::size_t l = 0; l < 8; ++l) {
            const double gap = gaps[l];
            ASSERT_EQ((near >> l & 1) != 0, !(gaps[l] > limit));
            ASSERT_LE(gap, std::max(distance, 0.0) * allowed_excess + 1e-15);
            if (limit == std::numeric_limits<float>::infinity() && gap <= 0) {
              ASSERT_LE(penetration, -gap + 1e-12);
              deep += gap < -0.01;
            }
          }
          if (limit == std::numeric_limits<float>::infinity() && penetration < 0) {
            shares += std::max(0.0, double{gaps[0]}) / distance;
            ++apart;
          }
        }
    }
    EXPECT_GT(apart, rounds / 2);
    EXPECT_GT(deep, rounds / 10);
    EXPECT_GT(shares / apart, k == 0 ? 0.9 : 0.5);
  }
  unlimit();
}

TEST_P(Gaps, ThatAreUnknownRuleNothingOut) {
  const int k = GetParam();
  Random random(seed);
  for (const InstructionSet set : available()) {
    limit_to(set);
    SCOPED_TRACE(name(set));
    const Brick brick(Mat3{}, random);
    const std::vector<float> one = rows_of(brick, k);
    std::vector<float> eight = one;
    for (std::size_t row = 0; row < eight.size() / node_lanes; ++row) {
      eight[node_lanes * row + 3] = std::numeric_limits<float>::quiet_NaN();
      if (k > 0 || row < 3) eight[node_lanes * row + 5] = 100;  // far away
    }
    alignas(64) float gaps[8];
    const std::uint32_t near = HWY_DYNAMIC_DISPATCH(gaps_here)(k, one.data(), 0, eight.data(), 1, gaps);
    EXPECT_NE(near & 1u << 3, 0u);
    EXPECT_EQ(near & 1u << 5, 0u);
    EXPECT_NE(near & 1u, 0u);
  }
  unlimit();
}

INSTANTIATE_TEST_SUITE_P(EveryBound, Gaps, ::testing::Values(0, 6, 8, 12, 14, 18, 26, 50, 98), [](const auto& bound) {
  return bound.param == 0 ? "Obb" : "Dop" + std::to_string(bound.param);
});

TEST(NearFilter, KeepsWhatIsNearAndBracketsIt) {
  for (const InstructionSet set : available()) {
    limit_to(set);
    SCOPED_TRACE(name(set));
    Random random(seed);
    int ruled_out = 0, kept = 0, tight = 0;
    for (int round = 0; round < 5000; ++round) {
      SCOPED_TRACE("round " + std::to_string(round) + ", seed " + std::to_string(seed));
      const double size = std::pow(10, random.uniform(-5, -0.5));
      Groups groups(size, random);
      const Vec3 shift = random.integer(0, 3) ? random.vector(size * (random.integer(0, 1) ? 1 : 10)) : Vec3{};
      for (Corners& source : groups.sources)
        for (Vec3& corner : source) corner += shift;
      const RelativePose pose = Relation(Frame{}, Frame{}).at(groups.target_pose, groups.source_pose);
      const auto width = static_cast<std::uint32_t>(groups.targets.size());
      const float limit = random.integer(0, 2) ? static_cast<float>(random.uniform(0, 3 * size))
                                               : std::numeric_limits<float>::infinity();
      alignas(64) float gaps[16], reaches[16];
      const std::uint32_t near = HWY_DYNAMIC_DISPATCH(near_here)(
          pose, group_of(groups.targets).data(), group_of(groups.sources).data(), width, limit, gaps, reaches);
      for (std::uint32_t i = 0; i < 4; ++i)
        for (std::uint32_t j = 0; j < 4; ++j) {
          const std::uint32_t n = 4 * i + j;
          const bool is_near = (near >> n & 1) != 0;
          if (i >= width || j >= width) {
            ASSERT_FALSE(is_near) << "a lane that is not used";
            continue;
          }
          Corners a, b;
          for (std::size_t c = 0; c < 3; ++c) {
            a[c] = to_world(groups.target_pose, groups.targets[i][c]);
            b[c] = to_world(groups.source_pose, groups.sources[j][c]);
          }
          const double distance = std::sqrt(distance_sq(a, b));
          ASSERT_EQ(is_near, !(gaps[n] > limit));
          ASSERT_LE(double{gaps[n]}, distance * allowed_excess + 1e-15);
          ruled_out += !is_near;
          if (!is_near) continue;
          ++kept;
          ASSERT_FALSE(double{reaches[n]} < distance * (1 - 0x1p-19) - 1e-15);
          tight += reaches[n] <= gaps[n] * 1.01f;
        }
    }
    EXPECT_GT(ruled_out, 1000);
    EXPECT_GT(kept, 1000);
    EXPECT_GT(tight, kept / 20);
  }
  unlimit();
}

/// A pose far away, the line to it, and a target that stretches a little on its way to the world.
struct FarPlace {
  RelativePose pose;
  Mat3 to_world;

  explicit FarPlace(Random& random) : to_world(rotation(random, random.uniform(-3, 3))) {
    const Mat3 turn = rotation(random, random.uniform(-3, 3));
    if (random.integer(0, 3) == 0)
      for (Vec3& row : to_world.rows) row = row * (1 + random.uniform(-4e-5, 4e-5));
    pose.scale = std::ldexp(1.0, random.integer(-8, 8));
    for (std::size_t i = 0; i < 3; ++i) pose.linear.rows[i] = turn.rows[i] * pose.scale;
    pose.departure = departure_from_orthogonality(turn);
    const Vec3 direction = random.integer(0, 2) ? random.vector(1) : Vec3{0, 0, -1};
    const double away = 2.1 * radius() * std::pow(10, random.uniform(0.001, 8));
    pose.translation = direction * (away / length(direction));
    pose.margin = 0x1p-46 * away;
  }

  double radius() const { return 1.75 * (1 + pose.scale); }
  FarLine line() const { return *FarLine::of(pose, to_world, radius()); }
  /// How much more or less than the line two triangles of the world are apart.
  double beyond_line(Corners a, Corners b) const {
    for (Vec3& corner : a) corner = to_world * corner;
    for (Vec3& corner : b) corner = to_world * (pose.linear * corner + pose.translation);
    return std::sqrt(distance_sq(a, b)) - line().length;
  }
  double rounding() const { return 2e-14 * length(pose.translation); }
};

TEST_P(Gaps, OfBodiesFarApartAreNoMoreThanTheDistanceAndTellSomething) {
  const int k = GetParam();
  const BoundKind kind = k == 0 ? BoundKind{Bound::obb, 0} : BoundKind{Bound::dop, k};
  for (const InstructionSet set : available()) {
    limit_to(set);
    SCOPED_TRACE(name(set));
    Random random(seed);
    double lost = 0;
    for (int round = 0; round < 200; ++round) {
      SCOPED_TRACE("round " + std::to_string(round) + ", seed " + std::to_string(seed));
      const FarPlace place(random);
      const FarLine line = place.line();
      Brick bricks[2] = {{rotation(random, random.uniform(-3, 3)), random},
                         {rotation(random, random.uniform(-3, 3)), random}};
      for (Brick& brick : bricks) {  // somewhere in its tree
        const Vec3 at = random.vector(0.7);
        const double shrink = random.integer(0, 1) ? 0.3 : 0.003;
        for (Vec3& corner : brick.corners) corner = corner * shrink + at;
      }
      std::vector<Node> node(1);
      for (auto& lane : node[0].points) lane.assign(bricks[1].corners.begin(), bricks[1].corners.end());
      const auto realigner = make_realigner({}, kind, kind, sets_of(node));
      const std::vector<float> target = rows_of(bricks[0], k), source = rows_of(bricks[1], k);
      std::vector<float> moved(source.size());
      realigner->set_pose(line.pose);
      realigner->realign(0, source.data(), moved.data());
      double beyond = std::numeric_limits<double>::infinity();
      for (const Corners& a : bricks[0].faces({}))
        for (const Corners& b : bricks[1].faces({})) beyond = std::min(beyond, place.beyond_line(a, b));

      const double size = 1 + place.pose.scale;
      for (const float limit : {static_cast<float>(beyond - size), std::numeric_limits<float>::infinity()})
        for (const bool swapped : {false, true}) {
          alignas(64) float gaps[8];
          const std::uint32_t near =
              HWY_DYNAMIC_DISPATCH(far_gaps_here)(line, k, swapped ? moved.data() : target.data(), 3,
                                                  swapped ? target.data() : moved.data(), swapped, limit, gaps);
          for (std::size_t l = 0; l < 8; ++l) {
            ASSERT_EQ((near >> l & 1) != 0, !(gaps[l] > limit));
            ASSERT_LE(double{gaps[l]}, beyond + place.rounding());
            // The axis of a pair of boxes misses that of their nearest points by their sizes over the distance.
            if (k == 0) {
              ASSERT_GE(double{gaps[l]},
                        beyond - place.rounding() - 4 * line.slack - 8 * place.pose.margin - size * size / line.length);
            }
          }
          lost += (beyond - double{gaps[0]}) / size;
        }
    }
    EXPECT_LT(lost / 800, k == 0 ? 0.002 : 0.2);
  }
  unlimit();
}

TEST(FarFilter, KeepsWhatIsNearAndBracketsIt) {
  for (const InstructionSet set : available()) {
    limit_to(set);
    SCOPED_TRACE(name(set));
    Random random(seed);
    for (int round = 0; round < 1000; ++round) {
      SCOPED_TRACE("round " + std::to_string(round) + ", seed " + std::to_string(seed));
      const FarPlace place(random);
      const FarLine line = place.line();
      const double size = random.integer(0, 3) ? 0.01 : 1.2;
      std::vector<Corners> groups[2];
      const auto width = static_cast<std::uint32_t>(random.integer(1, 4));
      for (auto& group : groups)
        for (std::uint32_t i = 0; i < width; ++i) {
          const Vec3 at = random.vector(0.5);
          group.push_back({at + random.vector(size), at + random.vector(size), at + random.vector(size)});
        }
      alignas(64) float gaps[16], reaches[16];
      const float limit = random.integer(0, 1) ? std::numeric_limits<float>::infinity()
                                               : static_cast<float>(random.uniform(-1, 1) * (1 + place.pose.scale));
      const std::uint32_t near = HWY_DYNAMIC_DISPATCH(far_here)(
          line, group_of(groups[0]).data(), group_of(groups[1]).data(), width, limit, gaps, reaches);
      for (std::uint32_t i = 0; i < 4; ++i)
        for (std::uint32_t j = 0; j < 4; ++j) {
          const std::uint32_t n = 4 * i + j;
          const bool is_near = (near >> n & 1) != 0;
          if (i >= width || j >= width) {
            ASSERT_FALSE(is_near) << "a lane that is not used";
            continue;
          }
          const double beyond = place.beyond_line(groups[0][i], groups[1][j]);
          ASSERT_EQ(is_near, !(gaps[n] > limit));
          ASSERT_LE(double{gaps[n]}, beyond + place.rounding());
          ASSERT_FALSE(double{reaches[n]} < beyond - place.rounding());  // it may be unknown
          if (size < 1) {
            ASSERT_LE(double{reaches[n]}, gaps[n] + 0.03 * (1 + place.pose.scale));
          }
        }
    }
  }
  unlimit();
}

}  // namespace
}  // namespace tumble
#endif
