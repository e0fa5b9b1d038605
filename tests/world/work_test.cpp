// SPDX-License-Identifier: Apache-2.0
// What questions to a world cost, counted in boxes and pairs of bodies looked at.
#include "mesh/shapes.h"
#include "scenes/shapes.h"
#include "world/world_state.h"

#include <tumble/world.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace tumble {
namespace {

Pose at(double x, double y, double z) { return Pose::from_translation({x, y, z}); }

const Model& cube() {
  static const Model model(test::cube());
  return model;
}

std::uint64_t work_of(World& world, const auto& ask) {
  const std::uint64_t before = WorldAccess::state(world).work();
  ask();
  return WorldAccess::state(world).work() - before;
}

/// side³ unit cubes, so far from corner to corner along each axis.
std::vector<BodyId> add_lattice(World& world, int side, double spacing) {
  std::vector<BodyId> ids;
  for (int x = 0; x < side; ++x)
    for (int y = 0; y < side; ++y)
      for (int z = 0; z < side; ++z) ids.push_back(world.add(cube(), at(spacing * x, spacing * y, spacing * z)));
  return ids;
}

// Two corners of cubes, slanted faces opposite: their boxes meet, so only a line tells them apart without their trees.
TEST(Work, TreesAreNotAskedAboutPairsThatLinesTellApart) {
  const Mesh corner = scenes::tetrahedron({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1});
  Mesh opposite = corner;
  for (Vec3& v : opposite.vertices) v = -v;
  for (Triangle& t : opposite.triangles) std::swap(t[1], t[2]);
  World world({.threads = 1, .pair = {.coherent = Coherent::off}});
  world.add(Model(corner), {});
  const BodyId other = world.add(Model(opposite), {});
  const auto tests_at = [&](double place) {
    WorldAccess::state(world).asking.count();
    world.move(other, at(place, place, place));
    EXPECT_EQ(world.collide(), place < 1);
    return WorldAccess::state(world).asking.counters().nv;
  };
  EXPECT_GT(tests_at(1.5), 0u);  // a line is not worth its table yet
  for (int round = 0; round < 20; ++round) tests_at(1.5);
  EXPECT_EQ(tests_at(1.5), 0u);
  for (int round = 0; round < 40; ++round) tests_at(0.6);  // looks in vain: the next ones are left out
  EXPECT_GT(tests_at(1.5), 0u);
  for (int round = 0; round < 70; ++round) tests_at(1.5);
  EXPECT_EQ(tests_at(1.5), 0u);
}

TEST(Work, TheClosestPairAmongSmallBodiesWhereSomeAreLarge) {
  const Model large(scenes::scaled(scenes::box({0.5, 0.5, 0.5}), 1'000));
  World world({.threads = 1});
  const std::vector<BodyId> small = add_lattice(world, 13, 3);
  for (int i = 0; i < 20; ++i) world.add(large, at(1'500.0 * (i + 1), 0, 0));
  EXPECT_NEAR(world.closest()->distance.distance, 2, 1e-12);
  world.move(small[5], at(0, 0, 14));
  EXPECT_LT(work_of(world, [&] { EXPECT_NEAR(world.closest()->distance.distance, 1, 1e-12); }), 100 * small.size());
}

TEST(Work, TheClosestPairOfALattice) {
  // The first look finds nothing, and a far one would find nearly all pairs.
  for (const double spacing : {3.0, 9.0}) {
    World world({.threads = 1});
    const std::vector<BodyId> all = add_lattice(world, 13, spacing);
    EXPECT_LT(work_of(world, [&] { EXPECT_NEAR(world.closest()->distance.distance, spacing - 1, 1e-12); }),
              200 * all.size())
        << spacing;
  }
}

TEST(Work, TheClosestPairWhereLargeBodiesOverlapInTheirBoxesAlone) {
  // Two large rods that cross without contact, far apart; of the boxes only theirs overlap.
  World world({.threads = 1});
  const std::vector<BodyId> small = add_lattice(world, 13, 4);
  const Model diagonal(scenes::box({2'000, 1, 1}));
  world.add(diagonal, Pose::from_quaternion(1, 0, 0, 0.4, {0, 0, 5'000}));
  world.add(diagonal, Pose::from_quaternion(1, 0, 0, 0.4, {0, 500, 5'000}));
  EXPECT_LT(work_of(world, [&] { EXPECT_NEAR(world.closest()->distance.distance, 3, 1e-9); }), 100 * small.size());
}

TEST(Work, AQuestionAboutOneBodyLooksAtFewOfMany) {
  World world({.threads = 1});
  const std::vector<BodyId> ids = add_lattice(world, 13, 3);
  const BodyId one = ids[700];
  world.neighbours();
  const Pose home = world.pose(one);
  for (int i = 1; i < 8; ++i) {
    world.move(one, at(home.translation().x + 0.25 * i, home.translation().y, home.translation().z));
    const auto ask = [&](const Subject& subject) {
      EXPECT_LT(work_of(world, [&] { world.collide({}, subject); }), 300u) << i;
      EXPECT_LT(work_of(world, [&] { world.colliding({}, subject); }), 300u) << i;
      EXPECT_LT(work_of(world, [&] { world.contacts({}, subject); }), 300u) << i;
      EXPECT_LT(work_of(world, [&] { world.within({.distance = 0.5}, subject); }), 300u) << i;
      EXPECT_LT(work_of(world, [&] { world.distances({.upper_bound = 0.5}, subject); }), 300u) << i;
      EXPECT_LT(work_of(world, [&] { world.neighbours(subject); }), 300u) << i;
      EXPECT_LT(work_of(world, [&] { world.run(CollideRequest{}, {}, subject); }), 300u) << i;
      EXPECT_LT(work_of(world, [&] { EXPECT_TRUE(world.closest({}, subject)); }), 600u) << i;
    };
    ask(one);
    ask(Visitor{cube(), world.pose(one)});
  }
}

TEST(Work, WhatIsFarFromOneBodyIsFound) {
  World world({.threads = 1});
  const std::vector<BodyId> ids = add_lattice(world, 4, 3);
  const BodyId far = world.add(cube(), at(1e7, 0, 0));
  EXPECT_NEAR(world.closest({}, far)->distance.distance, 1e7 - 10, 1e-3);
  EXPECT_LT(work_of(world, [&] { world.closest({}, far); }), 20 * ids.size());
  for (const BodyId id : ids) world.ignore(id, far);
  EXPECT_LT(work_of(world, [&] { EXPECT_FALSE(world.closest({}, far)); }), 20 * ids.size());
}

}  // namespace
}  // namespace tumble
