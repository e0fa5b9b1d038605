// SPDX-License-Identifier: Apache-2.0
#include "dynamics/heap.h"
#include "scenes/meshes.h"
#include "simd/dispatch.h"

#include <tumble/error.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace tumble {
namespace {

constexpr double third = 1.0 / 3;

DynamicsOptions with_gravity(Vec3 gravity, double step = 1.0 / 240) {
  DynamicsOptions options;
  options.gravity.uniform = gravity;
  options.step = step;
  options.world.threads = 1;
  return options;
}

Model cube(double half = 0.5) { return Model(test::box({-half, -half, -half}, {half, half, half})); }
Model floor_at_0() { return Model(test::box({-50, -50, -1}, {50, 50, 0})); }
RigidOptions standing(double friction = 0.3) {
  return {.kind = RigidKind::standing, .restitution = 0, .friction = friction};
}

TEST(Dynamics, FliesOnAParabola) {
  Dynamics dynamics(with_gravity({0, 0, -10}, 1.0 / 64));
  const BodyId id = dynamics.add(cube(), Pose::from_translation({0, 0, 5}), {.velocity = {1, 2, 8}});
  const double first = dynamics.energy();
  for (int i = 0; i < 128; ++i) dynamics.step();
  const Vec3 there = dynamics.pose(id).translation();
  EXPECT_NEAR(there.x, 2, 1e-12);
  EXPECT_NEAR(there.y, 4, 1e-12);
  EXPECT_NEAR(there.z, 5 + 16 - 20, 1e-9);
  EXPECT_NEAR(dynamics.energy(), first, 1e-11);
}

TEST(Dynamics, TumblesAboutItsCentreOfMass) {
  // A spin near the middle axis of a book turns over and back; energy stays, and so nearly does angular momentum.
  DynamicsOptions options = with_gravity({0, 0, 0}, 1e-3);
  Dynamics dynamics(options);
  const Model book(test::box({0, 0, 0}, {3, 2, 0.5}));  // its origin is a corner
  const BodyId id = dynamics.add(book, {}, {.spin = {0.01, 5, 0.01}});
  const Vec3 centre = dynamics.mass(id).centre;
  const double first = dynamics.energy();
  bool over = false;
  for (int i = 0; i < 6'000; ++i) {
    dynamics.step();
    over = over || dynamics.pose(id).row(1).y < -0.9;
  }
  EXPECT_TRUE(over) << "the middle axis is not stable";
  EXPECT_NEAR(dynamics.energy(), first, 1e-10 * first);
  const Vec3 there = dynamics.pose(id) * centre;
  for (int axis = 0; axis < 3; ++axis) EXPECT_NEAR(there[axis], centre[axis], 1e-9);
}

TEST(Dynamics, FallsTowardACentreAndComesBack) {
  DynamicsOptions options = with_gravity({0, 0, 0}, 1e-3);
  options.gravity.centre = {1, 2, 3};
  options.gravity.toward_centre = 4;
  Dynamics dynamics(options);
  const BodyId id = dynamics.add(cube(0.1), Pose::from_translation({3, 2, 3}), {.velocity = {0, 1, 0}});
  const double first = dynamics.energy();
  double nearest = 10, farthest = 0;
  for (int i = 0; i < 20'000; ++i) {
    dynamics.step();
    const double distance = length(dynamics.pose(id).translation() - options.gravity.centre);
    nearest = std::min(nearest, distance);
    farthest = std::max(farthest, distance);
    ASSERT_LE(dynamics.energy(), first * (1 + 1e-9));
  }
  EXPECT_NEAR(dynamics.energy(), first, 1e-6 * first);
  EXPECT_LT(nearest, 0.6);
  EXPECT_GT(nearest, 0.2);
  EXPECT_NEAR(farthest, 2.02, 0.05);
}

TEST(Dynamics, BouncesToTheHeightThatRestitutionLeaves) {
  for (const double restitution : {1.0, 0.7, 0.0}) {
    Dynamics dynamics(with_gravity({0, 0, -10}, 1e-3));
    dynamics.add(floor_at_0(), {}, standing());
    const BodyId id = dynamics.add(cube(), Pose::from_translation({0, 0, 2.5}), {.restitution = restitution});
    const double first = dynamics.energy();
    bool landed = false;
    double top = 0;
    for (int i = 0; i < 1'500; ++i) {
      landed = !dynamics.step().contacts.empty() || landed;
      ASSERT_LE(dynamics.energy(), first * (1 + 1e-12)) << i;
      if (landed && dynamics.velocity(id).z < 0) break;
      if (landed) top = std::max(top, dynamics.pose(id).translation().z - 0.5);
    }
    EXPECT_NEAR(top, 2 * restitution * restitution, 0.05) << restitution;
    for (int i = 0; i < 3; ++i)
      EXPECT_NEAR(std::abs(dynamics.pose(id).row(i)[i]), 1, 1e-6) << "landed flat, but turned";
  }
}

TEST(Dynamics, EqualBodiesExchangeTheirVelocities) {
  for (const double restitution : {1.0, 0.5, 0.0}) {
    Dynamics dynamics(with_gravity({0, 0, 0}));
    const RigidOptions options{.restitution = restitution, .friction = 0, .velocity = {3, 0, 0}};
    const BodyId a = dynamics.add(cube(), Pose::from_translation({-2, 0, 0}), options);
    const BodyId b = dynamics.add(cube(), {}, {.restitution = 0, .friction = 0});
    const double first = dynamics.energy();
    for (int i = 0; i < 240; ++i) {
      dynamics.step();
      ASSERT_LE(dynamics.energy(), first * (1 + 1e-12));
    }
    EXPECT_NEAR(dynamics.velocity(a).x, 3 * (1 - restitution) / 2, 1e-9);
    EXPECT_NEAR(dynamics.velocity(b).x, 3 * (1 + restitution) / 2, 1e-9);
    EXPECT_NEAR(length(dynamics.spin(b)), 0, 1e-9);
    EXPECT_FALSE(dynamics.world().collide());
  }
}

TEST(Dynamics, FrictionHoldsABlockOnASlopeOrLetsItSlide) {
  const double slope = 0.5;  // gravity is tilted instead of the floor: tan(angle) = 0.5
  for (const double friction : {0.8, 0.2}) {
    Dynamics dynamics(with_gravity({10 * slope, 0, -10}));
    dynamics.add(floor_at_0(), {}, standing(friction));
    const BodyId id = dynamics.add(Model(test::box({-1, -1, -0.2}, {1, 1, 0.2})),
                                   Pose::from_translation({0, 0, 0.2001}), {.restitution = 0, .friction = friction});
    for (int i = 0; i < 240; ++i) dynamics.step();
    const double way = dynamics.pose(id).translation().x, speed = dynamics.velocity(id).x;
    if (friction > slope) {
      EXPECT_LT(way, 0.01);
    } else {
      EXPECT_NEAR(speed, 10 * (slope - friction), 0.3);
      EXPECT_NEAR(way, 5 * (slope - friction), 0.3);
    }
  }
}

TEST(Dynamics, ABodyBalancedOnAnEdgeTopplesAndComesToRest) {
  Dynamics dynamics(with_gravity({0, 0, -10}));
  dynamics.add(floor_at_0(), {}, standing());
  const BodyId id = dynamics.add(Model(test::box({-0.2, -0.5, -1}, {0.2, 0.5, 1})),
                                 Pose::from_quaternion(1, 0, 0.13, 0, {0, 0, 1.1}), {.restitution = 0.2});
  const double first = dynamics.energy();
  int rested = 0;
  for (int i = 0; i < 1'500; ++i) {
    rested = dynamics.step().resting.empty() ? 0 : rested + 1;
    ASSERT_LE(dynamics.energy(), first * (1 + 1e-12));
  }
  EXPECT_GT(rested, 200);
  EXPECT_NEAR(dynamics.pose(id).translation().z, 0.2, 0.01) << "lies on its side";
  EXPECT_EQ(dynamics.kinetic_energy(), 0);
}

TEST(Dynamics, DrivenBodiesPushOthers) {
  Dynamics dynamics(with_gravity({0, 0, -10}));
  dynamics.add(floor_at_0(), {}, standing());
  const BodyId pusher = dynamics.add(cube(), Pose::from_translation({-3, 0, 0.6}),
                                     {.kind = RigidKind::driven, .restitution = 0, .velocity = {1, 0, 0}});
  const BodyId pushed = dynamics.add(cube(), Pose::from_translation({-1.5, 0, 0.501}), {.restitution = 0});
  for (int i = 0; i < 720; ++i) {
    dynamics.step();
    ASSERT_FALSE(dynamics.world().collide()) << i;
  }
  EXPECT_NEAR(dynamics.pose(pusher).translation().x, 0, 0.2);
  EXPECT_GT(dynamics.pose(pushed).translation().x, dynamics.pose(pusher).translation().x + 0.99);
}

TEST(Dynamics, EnergyNeverGrowsAndBodiesNeverOverlap) {
  for (const std::uint64_t seed : {1u, 2u, 3u})
    for (const double restitution : {1.0, 0.4}) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", restitution " + std::to_string(restitution));
      Dynamics heap = test::heap(
          {.bodies = 12, .restitution = restitution, .friction = seed == 1 ? 0 : 0.4, .seed = seed, .speed = 3});
      const double first = heap.energy();
      std::size_t contacts = 0;
      for (int i = 0; i < 300; ++i) {
        contacts += heap.step().contacts.size();
        ASSERT_LE(heap.energy(), first * (1 + 1e-9)) << "step " << i;
        ASSERT_FALSE(heap.world().collide()) << "step " << i;
      }
      EXPECT_GT(contacts, 100u);
    }
}

TEST(Dynamics, OneStateForEveryInstructionSetAndNumberOfThreads) {
  const auto hash_of = [](int threads) {
    Dynamics heap = test::heap({.bodies = 30, .step = 1.0 / 120, .seed = 4, .threads = threads, .speed = 2});
    for (int i = 0; i < 120; ++i) heap.step();
    return heap.hash();
  };
  constexpr std::uint64_t golden = 13990161516095340520u;
  for (const InstructionSet set : available()) {
    limit_to(set);
    EXPECT_EQ(hash_of(1), golden) << name(set);
  }
  unlimit();
  for (const int threads : {2, 8}) EXPECT_EQ(hash_of(threads), golden) << threads;
}

TEST(Dynamics, TellsWhereItTriedToGo) {
  Dynamics dynamics(with_gravity({0, 0, -10}));
  const Model ground = floor_at_0(), model = cube();
  dynamics.add(ground, {}, standing());
  const BodyId id = dynamics.add(model, Pose::from_quaternion(1, 0.2, 0.3, 0, {0, 0, 2}), {});
  std::size_t contacts = 0;
  for (int i = 0; i < 500; ++i) {
    const DynamicsStep& step = dynamics.step();
    EXPECT_EQ(tumble::contacts(ground, {}, model, dynamics.tried(id)).size(), step.contacts.size());
    contacts += step.contacts.size();
  }
  EXPECT_GT(contacts, 0u);
  EXPECT_EQ(dynamics.steps(), 500u);
}

TEST(Dynamics, RefusesWhatIsNotPhysics) {
  const auto code_of = [](const auto& call) {
    try {
      call();
    } catch (const Error& error) {
      return error.code();
    }
    ADD_FAILURE() << "was accepted";
    return ErrorCode::unsupported;
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto add = [&](const Model& model, const RigidOptions& options) {
    return code_of([&] { Dynamics().add(model, {}, options); });
  };
  Mesh open = test::cube();
  open.triangles.pop_back();
  EXPECT_EQ(add(Model(open), {}), ErrorCode::not_closed);
  EXPECT_NO_THROW(Dynamics().add(Model(open), {}, standing()));
  EXPECT_EQ(add(cube(), {.density = 0}), ErrorCode::invalid_argument);
  EXPECT_EQ(add(cube(), {.restitution = 1.01}), ErrorCode::invalid_argument);
  EXPECT_EQ(add(cube(), {.friction = nan}), ErrorCode::invalid_argument);
  EXPECT_EQ(add(cube(), {.velocity = {nan, 0, 0}}), ErrorCode::invalid_argument);
  EXPECT_EQ(add(cube(), {.kind = RigidKind::standing, .spin = {1, 0, 0}}), ErrorCode::invalid_argument);
  EXPECT_EQ(code_of([&] { Dynamics(with_gravity({0, 0, nan})); }), ErrorCode::invalid_argument);
  EXPECT_EQ(code_of([&] { Dynamics(with_gravity({}, 0)); }), ErrorCode::invalid_argument);
  EXPECT_EQ(code_of([&] {
              Dynamics overlapping;
              overlapping.add(cube());
              overlapping.add(cube(), Pose::from_translation({0.5, third, third}));
              overlapping.step();
            }),
            ErrorCode::invalid_argument);
  EXPECT_EQ(code_of([&] { (void)Dynamics().pose({1}); }), ErrorCode::invalid_argument);
}

}  // namespace
}  // namespace tumble
