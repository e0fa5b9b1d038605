// SPDX-License-Identifier: Apache-2.0
#include "scenes/meshes.h"
#include "scenes/placings.h"
#include "scenes/plate.h"
#include "scenes/random.h"
#include "scenes/shapes.h"
#include "simd/dispatch.h"

#include <tumble/convex.h>
#include <tumble/error.h>
#include <tumble/model.h>
#include <tumble/motion.h>
#include <tumble/query.h>
#include <tumble/world.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace tumble {
namespace {

Model plate() { return Model(scenes::plate(4, 0, 0.1)); }
Pose at(double x, double y, double z) { return Pose::from_translation({x, y, z}); }

TEST(FirstContact, OfFallingPlates) {
  const Model a = plate();
  const Motion falling = Motion::steady(at(0.1, 0.2, 2.1), {0, 0, -4}, {});
  const FirstContact first = first_contact(a, {}, a, falling, {.tolerance = 1e-9});
  ASSERT_TRUE(first.found);
  EXPECT_TRUE(first.finished);
  EXPECT_FALSE(first.initial);
  EXPECT_NEAR(first.time, 0.5, 1e-9);
  EXPECT_LT(first.time, 0.5);
  EXPECT_EQ(first.time, first.free_until);
  EXPECT_GT(first.gap, 0);
  EXPECT_LE(first.gap, 1e-9);
  EXPECT_NEAR(first.normal.z, -1, 1e-5);  // from b, which is above, to a
  EXPECT_NEAR(first.point_a.z, 0.1, 1e-8);
  EXPECT_NEAR(first.point_b.z, 0.1, 1e-8);
  EXPECT_LT(first.node_pairs, 2000u);
}

TEST(FirstContact, ThinPlatesDoNotTunnel) {
  const Model thin(scenes::plate(2, 0, 1e-7));
  const Motion bullet = Motion::steady(at(0, 0, 50), {0, 0, -1e6}, {300, 0, 0});
  const FirstContact first = first_contact(thin, {}, thin, bullet);
  ASSERT_TRUE(first.found);
  EXPECT_LT(first.time, 50e-6);
  EXPECT_GT(first.time, 48e-6);
}

TEST(FirstContact, SlidingAboveAFaceTakesNoTime) {
  const Model wide(scenes::plate(40, -0.1, 0)), small(scenes::plate(10, 0, 0.1));
  const Motion slide = Motion::steady(at(-3, 0, 1e-3), {6, 0, 0}, {});
  const FirstContact first = first_contact(wide, {}, small, slide);
  EXPECT_FALSE(first.found);
  EXPECT_TRUE(first.finished);
  EXPECT_EQ(first.free_until, std::numeric_limits<double>::infinity());
  EXPECT_LT(first.node_pairs, 100u);
}

TEST(FirstContact, AtTheVeryEnd) {
  const Model a = plate();
  EXPECT_TRUE(first_contact(a, {}, a, Motion::line(at(0, 0, 1), at(0, 0, 0.1))).found);
  EXPECT_FALSE(first_contact(a, {}, a, Motion::line(at(0, 0, 1), at(0, 0, 0.1001))).found);
}

TEST(FirstContact, AtTheStart) {
  const Model a = plate();
  const FirstContact touching = first_contact(a, {}, a, Motion::line(at(0, 0, 0.1), at(0, 0, 1)));
  EXPECT_TRUE(touching.found);
  EXPECT_TRUE(touching.initial);
  EXPECT_EQ(touching.time, 0);
  EXPECT_EQ(touching.gap, 0);
  // Within the tolerance but not in contact.
  const FirstContact near = first_contact(a, {}, a, Motion::line(at(0, 0, 0.101), at(0, 0, 1)), {.tolerance = 0.01});
  EXPECT_TRUE(near.found);
  EXPECT_FALSE(near.initial);
  EXPECT_EQ(near.time, 0);
  EXPECT_NEAR(near.gap, 0.001, 1e-12);
  // Both at rest.
  EXPECT_TRUE(first_contact(a, {}, a, at(0.5, 0, 0)).initial);
  EXPECT_FALSE(first_contact(a, {}, a, at(0, 0, 0.5)).found);
}

TEST(FirstContact, OfSolids) {
  const Model outer(scenes::plate(2, -0.5, 0.5));
  const Model inner(scenes::zachmann_sphere(200));
  const Motion out = Motion::line(Pose::from_translation({0.1, 0, 0}), at(10, 0, 0));
  const Model small([&] {
    Mesh mesh = scenes::zachmann_sphere(200);
    for (Vec3& v : mesh.vertices) v = v * 0.2;
    return mesh;
  }());
  const FirstContact surface = first_contact(outer, {}, small, out);
  EXPECT_TRUE(surface.found);
  EXPECT_NEAR(surface.time, 0.2 / 9.9, 1e-3);
  const FirstContact solid = first_contact(outer, {}, small, out, {.solid = true});
  EXPECT_TRUE(solid.initial);
  EXPECT_TRUE(solid.inside);
  EXPECT_EQ(solid.time, 0);
  const FirstContact outside =
      first_contact(outer, {}, small, Motion::line(at(10, 0, 0), at(0, 0, 0)), {.solid = true});
  EXPECT_TRUE(outside.found);
  EXPECT_FALSE(outside.initial);
}

TEST(FirstContact, AlongAPath) {
  const Model a = plate();
  const Pose poses[] = {at(0, 0, 3), at(5, 0, 3), at(5, 0, -3), at(0, 0, -3), at(0, 0, -1), at(0, 0, 1)};
  const FirstContact first = first_contact(a, {}, a, Motion::path(poses), {.tolerance = 1e-6});
  ASSERT_TRUE(first.found);
  EXPECT_NEAR(first.time, 4 + 0.9 / 2, 1e-6);
  // The other body moves away in time.
  const Pose away[] = {at(0, 0, 0), at(0, 0, 0), at(0, 0, 0), at(0, 0, 0), at(9, 0, 0)};
  EXPECT_FALSE(first_contact(a, Motion::path(away), a, Motion::path(poses)).found);
}

TEST(FirstContact, BothWaysRound) {
  const Model a(scenes::zachmann_torus(400)), b(scenes::zachmann_sphere(400));
  const Motion of_a = Motion::steady(at(-3, 0, 0), {5, 0.3, 0}, {0, 3, 1});
  const Motion of_b = Motion::screw(at(3, 0.2, 0), {3, 0, 0}, {1, 1, 0}, 5, -1);
  const FirstContact first = first_contact(a, of_a, b, of_b), swapped = first_contact(b, of_b, a, of_a);
  ASSERT_TRUE(first.found);
  ASSERT_TRUE(swapped.found);
  EXPECT_NEAR(first.time, swapped.time, 1e-5);
  EXPECT_NEAR(dot(first.normal, swapped.normal), -1, 1e-3);
  const Distance apart = distance(a, of_a.at(first.time), b, of_b.at(first.time));
  EXPECT_GT(apart.distance, 0);
  EXPECT_LE(apart.distance, first.gap);
  EXPECT_LE(first.gap, 1e-5);
}

TEST(FirstContact, TheBudgetIsHonest) {
  const Model a(scenes::zachmann_torus(2000)), b(scenes::zachmann_sphere(2000));
  const Motion motion = Motion::steady(at(4, 0.3, 0.1), {-4, 0, 0}, {1, 2, 3});
  const FirstContact first = first_contact(a, {}, b, motion);
  ASSERT_TRUE(first.found);
  double last = 0;
  for (std::uint64_t looks = 0; looks < first.node_pairs; looks += 1 + first.node_pairs / 20) {
    const FirstContact early = first_contact(a, {}, b, motion, {.budget = {.node_pairs = looks}});
    EXPECT_FALSE(early.finished);
    EXPECT_FALSE(early.found);
    EXPECT_EQ(early.node_pairs, looks);
    EXPECT_GE(early.free_until, last);
    EXPECT_LE(early.free_until, first.time);
    last = early.free_until;
  }
  EXPECT_GT(last, 0.9 * first.time);
}

TEST(FirstContact, FarFromTheOriginAndTiny) {
  for (const double size : {1e-30, 1e-3, 1e3, 1e60}) {
    Mesh mesh = scenes::plate(2, 0, 0.1);
    for (Vec3& v : mesh.vertices) v = v * size;
    const Model model(mesh);
    const FirstContact first = first_contact(model, {}, model, Motion::steady(at(0, 0, size), {0, 0, -size}, {}));
    ASSERT_TRUE(first.found) << size;
    EXPECT_NEAR(first.time, 0.9, 1e-5) << size;
  }
  const Model model = plate();
  const Motion far = Motion::line(at(1e9, 0, 1), at(1e9, 0, -1));
  const FirstContact first = first_contact(model, at(1e9, 0, 0), model, far);
  ASSERT_TRUE(first.found);
  EXPECT_NEAR(first.time, 0.45, 1e-2);
}

TEST(FirstContact, IsTheSameOnEveryInstructionSet) {
  const Model torus(scenes::torus(1, 0.3, 24, 12)), box(scenes::box({0.5, 0.4, 0.3}), {.bound = Bound::dop});
  const auto answers = [&] {
    std::vector<double> all;
    scenes::Random random(3);
    for (int i = 0; i < 20; ++i) {
      const Motion fly = Motion::steady(Pose::from_translation(random.direction() * 3), random.direction() * 3,
                                        random.direction() * random.between(0, 9));
      const FirstContact first = first_contact(torus, {}, box, fly, {.tolerance = 1e-6, .solid = i % 2 == 0});
      all.insert(all.end(),
                 {first.time, first.gap, first.point_a.x, first.point_b.y, first.normal.z, double(first.found),
                  double(first.triangle_a), double(first.triangle_b), double(first.node_pairs)});
    }
    return all;
  };
  unlimit();
  const std::vector<double> expected = answers();
  EXPECT_NE(std::ranges::count(expected, std::numeric_limits<double>::infinity()), 20) << "none was found";
  for (const InstructionSet set : available()) {
    SCOPED_TRACE(name(set));
    limit_to(set);
    EXPECT_EQ(answers(), expected);
  }
  unlimit();
}

TEST(FirstContact, ConvexBodiesOfAWorldAreSolidsAtTheStart) {
  const ConvexModel large(scenes::box({2, 2, 2})), small(scenes::box({0.5, 0.5, 0.5}));
  World world;
  const BodyId a = world.add(large), b = world.add(small);
  const BodyMotion still{b, Motion(at(0.25, 0, 0))};
  const WorldFirstContact first = first_contact(world, {&still, 1});
  EXPECT_TRUE(first.contact.found && first.contact.initial && first.contact.inside);
  EXPECT_TRUE(first.a == a && first.b == b);
  world.remove(a);
  world.add(large.model());  // a surface, as nothing else was asked for
  EXPECT_FALSE(first_contact(world, {&still, 1}).contact.found);
}

/// Every pair asked by itself.
TEST(FirstContact, InAWorldIsTheFirstOfAllPairs) {
  scenes::Random random(11);
  const Model models[] = {Model(scenes::zachmann_torus(200)), plate(), Model(scenes::zachmann_sphere(200))};
  std::size_t found = 0;
  for (int round = 0; round < 60; ++round) {
    World world({.threads = 1});
    std::vector<BodyMotion> motions;
    std::vector<Motion> motion_of;
    std::vector<Model> model_of;
    std::vector<BodyId> ids;
    const std::size_t bodies = 3 + random.index(10);
    for (std::size_t i = 0; i < bodies; ++i) {
      const Model& model = models[random.index(3)];
      const Pose pose =
          Pose::from_quaternion(1, random.unit(), random.unit(), random.unit(), random.in_box({-8, -8, -8}, {8, 8, 8}));
      const BodyId id = world.add(model, pose, {.moves = random.index(4) != 0});
      Motion motion(pose);
      if (random.index(4) != 0) {
        const Pose to = Pose::from_quaternion(1, random.unit(), -random.unit(), random.unit(),
                                              random.in_box({-8, -8, -8}, {8, 8, 8}));
        const Pose poses[] = {pose, to, pose};
        const Vec3 velocity = random.direction() * 6, rotation = random.direction() * random.between(0, 20);
        motion = random.index(2) == 0 ? Motion::path(poses) : Motion::steady(pose, velocity, rotation);
        motions.push_back({id, motion});
      }
      ids.push_back(id);
      motion_of.push_back(motion);
      model_of.push_back(model);
    }
    const std::size_t spared = random.index(bodies - 1);
    world.ignore(ids[spared], ids[spared + 1]);
    const FirstContactRequest request{.tolerance = 1e-4};
    double first = std::numeric_limits<double>::infinity();
    for (std::size_t b = 0; b < bodies; ++b)
      for (std::size_t a = 0; a < b; ++a) {
        const bool moves = world.options(ids[a]).moves || world.options(ids[b]).moves;
        if (!moves || (a == spared && b == spared + 1)) continue;
        first = std::min(first, first_contact(model_of[a], motion_of[a], model_of[b], motion_of[b], request).time);
      }
    const WorldFirstContact in_world = first_contact(world, motions, request);
    EXPECT_TRUE(in_world.contact.finished);
    if (std::isinf(first)) {
      EXPECT_FALSE(in_world.contact.found) << round;
      continue;
    }
    ++found;
    ASSERT_TRUE(in_world.contact.found) << round;
    EXPECT_EQ(in_world.contact.time, first) << round;
    EXPECT_LT(in_world.a, in_world.b);
  }
  EXPECT_GT(found, 20u);
  EXPECT_LT(found, 60u);
}

TEST(FirstContact, OfGroups) {
  const Model a = plate();
  World world({.threads = 1});
  const BodyId ground = world.add(a, {}, {.moves = false});
  const BodyId group = world.add_group(at(0, 0, 5));
  world.add_member(group, a, at(0, 0, 1));
  const BodyId low = world.add_member(group, a, Pose::from_quaternion(1, 0, 0, 0.3, {0.2, 0, -1}));
  const BodyMotion fall{group, Motion::steady(at(0, 0, 5), {0, 0, -10}, {0, 0, 2}, {0.5, 0.5, 0.5})};
  const WorldFirstContact first = first_contact(world, {&fall, 1}, {.tolerance = 1e-6});
  ASSERT_TRUE(first.contact.found);
  EXPECT_EQ(first.a, ground);
  EXPECT_EQ(first.b, low);
  EXPECT_NEAR(first.contact.time, 3.9 / 10, 1e-6);
  // Members have no motion of their own, and nobody has two.
  const BodyMotion of_member{low, Motion()};
  EXPECT_THROW(first_contact(world, {&of_member, 1}), Error);
  const BodyMotion twice[] = {fall, fall};
  EXPECT_THROW(first_contact(world, twice), Error);
}

TEST(FirstContact, RefusesBadRequests) {
  const Model a = plate();
  EXPECT_THROW(first_contact(a, {}, a, {}, {.tolerance = -1}), Error);
  EXPECT_THROW(first_contact(a, {}, a, {}, {.tolerance = std::numeric_limits<double>::quiet_NaN()}), Error);
  const Model open(Mesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}, {}});
  EXPECT_THROW(first_contact(a, {}, open, {}, {.solid = true}), Error);

  World world;
  world.add(a, {});
  world.add(open, {}, {.name = "sheet"});
  try {
    first_contact(world, {}, {.solid = true});
    ADD_FAILURE() << "an open body was taken for a solid";
  } catch (const Error& error) {
    EXPECT_NE(error.message().find("\"sheet\""), std::string::npos) << error.message();
  }
}

}  // namespace
}  // namespace tumble
