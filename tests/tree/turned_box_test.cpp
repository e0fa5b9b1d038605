// SPDX-License-Identifier: Apache-2.0
// Boxes that are told apart must hold bodies without contact, at every size and for poses that are not quite rigid.
#include "tree/turned_box.h"

#include "nearly_rigid.h"
#include "scenes/random.h"
#include "scenes/shapes.h"
#include "simd/dispatch.h"
#include "tree/model_data.h"

#include <tumble/query.h>

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <vector>

namespace tumble {
namespace {

/// As told of several boxes at once.
bool are_left_out(const WholeBox* a, const Pose& pose_a, const WholeBox* b, const Pose& pose_b) {
  std::array<TurnedBox, 3> boxes;  // the third is of nothing
  boxes[0].of = a;
  boxes[1].of = b;
  std::vector<BoxToTurn> to_turn;
  if (a) to_turn.push_back({&boxes[0], &pose_a});
  if (b) to_turn.push_back({&boxes[1], &pose_b});
  turn(to_turn);
  std::array<std::uint64_t, 3> near{0b110, 0b101, 0b011};
  leave_out_apart(boxes, near);
  const bool are_apart = (near[0] & 0b010) == 0;
  EXPECT_EQ(near, (are_apart ? std::array<std::uint64_t, 3>{0b100, 0b100, 0b011}
                             : std::array<std::uint64_t, 3>{0b110, 0b101, 0b011}));
  return are_apart;
}

bool are_apart(const WholeBox* a, const Pose& pose_a, const WholeBox* b, const Pose& pose_b) {
  const auto at_a_glance = [&] {
    TurnedBox box_a, box_b;
    box_a.place(a, pose_a);
    box_b.place(b, pose_b);
    const bool apart = are_apart(box_a, box_b);
    EXPECT_EQ(apart, are_apart(box_b, box_a));
    EXPECT_EQ(apart, are_left_out(a, pose_a, b, pose_b));
    return apart;
  };
  const bool apart = at_a_glance();
  for (const InstructionSet set : available()) {
    limit_to(set);
    EXPECT_EQ(apart, at_a_glance()) << name(set);
  }
  unlimit();
  return apart;
}

/// By the boxes of the roots, and by those fitted in double precision.
bool told_apart(const Model& a, const Pose& pose_a, const Model& b, const Pose& pose_b) {
  const auto fitted = [](const Model& model) -> std::optional<WholeBox> {
    const FineBox box = data_of(model).fine_box(VolumeId::root());
    if (box.reach == 0) return std::nullopt;
    return WholeBox(box);
  };
  const std::optional<WholeBox> fitted_a = fitted(a), fitted_b = fitted(b);
  const bool by_fitted = are_apart(fitted_a ? &*fitted_a : nullptr, pose_a, fitted_b ? &*fitted_b : nullptr, pose_b);
  const bool by_roots = are_apart(data_of(a).whole_box(), pose_a, data_of(b).whole_box(), pose_b);
  return by_fitted || by_roots;
}

TEST(TurnedBox, ToldApartOnlyWithoutContact) {
  constexpr std::uint64_t seed = 7;
  std::printf("seed %d\n", static_cast<int>(seed));
  scenes::Random random(seed);
  std::size_t apart = 0, close = 0, touching = 0;
  for (const double size : {1e-100, 1e-30, 1e-3, 1.0, 1e30, 1e90}) {
    std::vector<Model> models;
    for (const Mesh& mesh :
         {scenes::box({1, 0.5, 0.2}), scenes::box({1, 1, 1e-12}), scenes::box({1, 1e-9, 1e-9}),
          scenes::torus(0.6, 0.2, 10, 6), scenes::tetrahedron({0, 0, 0}, {0.9, 0, 0}, {0, 0.8, 0}, {0.1, 0.1, 0.7})})
      for (const TreeOptions& options :
           {TreeOptions{}, TreeOptions{.bound = Bound::dop, .k = 18}, TreeOptions{.bound = Bound::dop, .k = 12}})
        models.emplace_back(scenes::scaled(mesh, size), options);
    for (int round = 0; round < 400; ++round) {
      const Model &a = models[random.index(models.size())], &b = models[random.index(models.size())];
      const double offset = round % 4 == 0 ? 1e6 * size : 0;
      const Pose at_a = test::nearly_rigid(random, 0, offset),
                 at_b = test::nearly_rigid(random, random.between(0, 2.5) * size, offset);
      const bool is_apart = told_apart(a, at_a, b, at_b), hit = Pair(a, b).collide(at_a, at_b);
      EXPECT_FALSE(is_apart && hit) << "size " << size << ", round " << round;
      apart += is_apart;
      touching += hit;
      close += !is_apart && !hit;
    }
  }
  EXPECT_GT(apart, 1200u);
  EXPECT_GT(touching, 200u);
  EXPECT_LT(close, apart / 3);  // else they are of no use
}

TEST(TurnedBox, PosesMayStretch) {
  const Model box(scenes::box({1, 1, 1}));
  const std::array<double, 12> rows{1 + 4e-5, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
  const Pose stretched = Pose::from_rows(rows);  // it reaches to 1.00004
  EXPECT_FALSE(told_apart(box, stretched, box, Pose::from_translation({2.00002, 0, 0})));
  EXPECT_TRUE(told_apart(box, stretched, box, Pose::from_translation({2.001, 0, 0})));
}

TEST(TurnedBox, WhatTouchesIsNotToldApart) {
  const Model box(scenes::box({1, 0.5, 0.2}));  // with flat sides, where boxes are as tight as roundings allow
  for (const Vec3& side : {Vec3{2, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 0.4}}) {
    EXPECT_FALSE(told_apart(box, {}, box, Pose::from_translation(side)));
    EXPECT_TRUE(told_apart(box, {}, box, Pose::from_translation(side * (1 + 1e-9))));
  }
}

}  // namespace
}  // namespace tumble
