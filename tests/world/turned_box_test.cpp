// SPDX-License-Identifier: Apache-2.0
// Boxes that are told apart must hold bodies without contact, at every size and for poses that are not quite rigid.
#include "world/turned_box.h"

#include "scenes/random.h"
#include "scenes/shapes.h"

#include <tumble/query.h>

#include <gtest/gtest.h>

#include <cstdio>
#include <vector>

namespace tumble {
namespace {

bool told_apart(const Model& a, const Pose& pose_a, const Model& b, const Pose& pose_b) {
  const BodyShape shape_a = shape_of(a), shape_b = shape_of(b);
  TurnedBox box_a, box_b;
  box_a.place(shape_a, pose_a);
  box_b.place(shape_b, pose_b);
  const bool apart = are_apart(box_a, box_b);
  EXPECT_EQ(apart, are_apart(box_b, box_a));
  return apart;
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
      models.emplace_back(scenes::scaled(mesh, size));
    const auto random_pose = [&](double spread, double offset) {
      const Vec3 turn = random.direction() * random.between(0, 2);
      Pose pose = Pose::from_quaternion(1, turn.x, turn.y, turn.z, random.direction() * spread + Vec3{offset, 0, 0});
      std::array<double, 12> rows = pose.rows();
      const double stretch = random.between(-4e-5, 4e-5);
      for (const std::size_t i : {0u, 1u, 2u}) rows[i] *= 1 + stretch;
      return Pose::from_rows(rows);
    };
    for (int round = 0; round < 400; ++round) {
      const Model &a = models[random.index(models.size())], &b = models[random.index(models.size())];
      const double offset = round % 4 == 0 ? 1e6 * size : 0;
      const Pose at_a = random_pose(0, offset), at_b = random_pose(random.between(0, 2.5) * size, offset);
      const bool is_apart = told_apart(a, at_a, b, at_b), hit = collide(a, at_a, b, at_b);
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

TEST(TurnedBox, WhatTouchesIsNotToldApart) {
  const Model box(scenes::box({1, 0.5, 0.2}));
  for (const Vec3& side : {Vec3{2, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 0.4}}) {
    EXPECT_FALSE(told_apart(box, {}, box, Pose::from_translation(side)));
    EXPECT_TRUE(told_apart(box, {}, box, Pose::from_translation(side * 1.01)));
  }
}

}  // namespace
}  // namespace tumble
