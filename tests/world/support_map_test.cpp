// SPDX-License-Identifier: Apache-2.0
// Bodies that are told apart along a line must have no contact, at every size and for poses that are not quite rigid.
#include "world/support_map.h"

#include "nearly_rigid.h"
#include "scenes/random.h"
#include "scenes/shapes.h"
#include "scenes/spheres.h"
#include "simd/dispatch.h"

#include <tumble/tumble.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <utility>
#include <vector>

namespace tumble {
namespace {

struct Known {
  Model model;
  SupportMap map{model.vertices()};

  explicit Known(Model its_model) : model(std::move(its_model)) {
    for (const InstructionSet set : available()) {
      limit_to(set);
      EXPECT_EQ(SupportMap(model.vertices()).heights, map.heights) << name(set);
    }
    unlimit();
  }
};

bool told_apart(const SupportMap& a, const Pose& pose_a, const SupportMap& b, const Pose& pose_b) {
  const bool apart = are_apart(a, pose_a, b, pose_b);
  for (const InstructionSet set : available()) {
    limit_to(set);
    EXPECT_EQ(apart, are_apart(a, pose_a, b, pose_b)) << name(set);
  }
  unlimit();
  return apart;
}

TEST(SupportMap, ToldApartOnlyWithoutContact) {
  constexpr std::uint64_t seed = 11;
  std::printf("seed %d\n", static_cast<int>(seed));
  scenes::Random random(seed);
  std::size_t apart = 0, close = 0, touching = 0;
  for (const double size : {1e-150, 1e-100, 1e-30, 1e-3, 1.0, 1e30, 1e90}) {
    std::vector<Known> bodies;
    for (const Mesh& mesh :
         {scenes::box({1, 0.5, 0.2}), scenes::box({1, 1, 1e-12}), scenes::box({1, 1e-9, 1e-9}), scenes::sphere(80),
          scenes::torus(0.6, 0.2, 10, 6), scenes::tetrahedron({0, 0, 0}, {0.9, 0, 0}, {0, 0.8, 0}, {0.1, 0.1, 0.7}),
          scenes::placed(scenes::sphere(80), {.origin = {3, -2, 1}})})
      bodies.emplace_back(Model(scenes::scaled(mesh, size)));
    for (int round = 0; round < 600; ++round) {
      const Known &a = bodies[random.index(bodies.size())], &b = bodies[random.index(bodies.size())];
      const double offset = round % 4 == 0 ? 1e6 * size : 0;
      const Pose at_a = test::nearly_rigid(random, 0, offset),
                 at_b = test::nearly_rigid(random, random.between(0, 2.5) * size, offset);
      const bool is_apart = told_apart(a.map, at_a, b.map, at_b), hit = collide(a.model, at_a, b.model, at_b);
      EXPECT_FALSE(is_apart && hit) << "size " << size << ", round " << round;
      EXPECT_FALSE(is_apart && size < 1e-120);  // such numbers are too small
      apart += is_apart;
      touching += hit;
      close += !is_apart && !hit && size > 1e-120;
    }
  }
  EXPECT_GT(apart, 1500u);
  EXPECT_GT(touching, 200u);
  EXPECT_LT(close, apart / 3);  // else they are of no use
}

TEST(SupportMap, FlushSidesAreNotToldApart) {
  const Known box{Model(scenes::box({1, 1, 1}))};
  for (const Vec3& side : {Vec3{2, 0, 0}, Vec3{0, -2, 0}, Vec3{0, 0, 2}, Vec3{2, 2, 2}, Vec3{-2, 0, 2}}) {
    EXPECT_FALSE(told_apart(box.map, {}, box.map, Pose::from_translation(side)));
    EXPECT_TRUE(told_apart(box.map, {}, box.map, Pose::from_translation(side * 1.3)));
  }
}

TEST(SupportMap, TellsApartWhereBoxesMeet) {
  const Known ball{Model(scenes::sphere(2000))};
  scenes::Random random(3);
  for (int round = 0; round < 100; ++round) {
    const Vec3 way = random.direction();
    EXPECT_TRUE(told_apart(ball.map, {}, ball.map, Pose::from_translation(way * 2.06)));
    EXPECT_FALSE(told_apart(ball.map, {}, ball.map, Pose::from_translation(way * 1.98)));
  }
}

TEST(SupportMap, CentresInOnePlaceAndLargeMeshesAreLeftOpen) {
  const Known small{Model(scenes::sphere(80))}, large{Model(scenes::scaled(scenes::sphere(80), 10))};
  EXPECT_FALSE(told_apart(small.map, {}, large.map, {}));
  const std::vector<Vec3> many(SupportMap::most_vertices + 1);
  EXPECT_FALSE(told_apart(SupportMap(many), {}, small.map, Pose::from_translation({100, 0, 0})));
}

}  // namespace
}  // namespace tumble
