// SPDX-License-Identifier: Apache-2.0
// Robots and parts in a world, against every pair of shapes asked one by one.
#include "assembly/primitives.h"
#include "scenes/random.h"

#include <tumble/assembly.h>
#include <tumble/error.h>
#include <tumble/query.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace tumble::test {
namespace {

/// A chain of bars about 1 long that turn about alternating axes; the third has two shapes, the second none.
Robot snake() {
  const Model bar(box_mesh({0.9, 0.2, 0.2})), ball(sphere_mesh(0.2));
  std::vector<Link> links{{"base", {{bar, Pose::from_translation({0.5, 0, 0}), "bar"}}},
                          {"frame"},
                          {"two", {{bar, Pose::from_translation({0.5, 0, 0}), "bar"}, {ball, {}, "ball"}}}};
  std::vector<Joint> joints{{.name = "lift",
                             .type = JointType::prismatic,
                             .parent = "base",
                             .child = "frame",
                             .axis = {0, 0, 1},
                             .lower = -0.3,
                             .upper = 0.3},
                            {.name = "turn",
                             .type = JointType::revolute,
                             .parent = "frame",
                             .child = "two",
                             .origin = Pose::from_translation({1, 0, 0}),
                             .axis = {0, 0, 1},
                             .lower = -2,
                             .upper = 2}};
  for (int i = 0; i < 4; ++i) {
    const std::string name = "bar " + std::to_string(i);
    links.push_back({name, {{bar, Pose::from_translation({0.5, 0, 0}), "bar"}}});
    joints.push_back({.name = "to " + name,
                      .type = JointType::continuous,
                      .parent = links[links.size() - 2].name,
                      .child = name,
                      .origin = Pose::from_translation({1, 0, 0}),
                      .axis = {0, i % 2 ? 0.0 : 1.0, i % 2 ? 1.0 : 0.0}});
  }
  Robot robot("snake", std::move(links), std::move(joints));
  robot.ignore(0, 2);  // the ball is in the joint
  return robot;
}

std::vector<double> random_configurations(const Robot& robot, std::size_t count, std::uint64_t seed) {
  scenes::Random random(seed);
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i)
    for (const std::size_t joint : robot.free_joints()) {
      const Joint& j = robot.joints()[joint];
      values.push_back(j.type == JointType::continuous ? random.between(-3, 3) : random.between(j.lower, j.upper));
    }
  return values;
}

using Names = std::set<std::pair<std::string, std::string>>;

/// Which links and obstacles collide, by every pair of shapes.
Names brute_force(const Robot& robot, const Pose& base, std::span<const double> values, const Parts& parts) {
  struct Placed {
    std::string name;
    std::size_t link;
    Model model;
    Pose pose;
  };
  constexpr std::size_t none = static_cast<std::size_t>(-1);
  std::vector<Placed> all;
  const std::vector<Pose> poses = robot.poses(values);
  for (std::size_t i = 0; i < robot.links().size(); ++i)
    for (const LinkShape& shape : robot.links()[i].shapes)
      all.push_back({robot.links()[i].name, i, shape.model, base * poses[i] * shape.pose});
  for (const PlacedPart& part : parts.parts) all.push_back({part.name, none, part.model, part.pose});
  Names found;
  for (std::size_t a = 0; a < all.size(); ++a)
    for (std::size_t b = a + 1; b < all.size(); ++b) {
      if (all[a].link == all[b].link) continue;  // of one link, or two parts, which stand
      if (all[b].link != none && robot.ignored().contains({all[a].link, all[b].link})) continue;
      if (collide(all[a].model, all[a].pose, all[b].model, all[b].pose)) found.emplace(all[a].name, all[b].name);
    }
  return found;
}

Names colliding(World& world) {
  Names found;
  for (const BodyPair& pair : world.colliding()) found.emplace(world.name(pair.a), world.name(pair.b));
  return found;
}

Parts obstacles() {
  const Model box(box_mesh({0.6, 0.6, 0.6}));
  Parts parts{"m", {}, {}};
  parts.parts.push_back({"left", box, Pose::from_translation({2, 1.5, 0}), "", false});
  parts.parts.push_back({"right", box, Pose::from_translation({2, -1.2, 0.4}), "", false});
  return parts;
}

std::string refusal(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
    return error.message();
  }
  ADD_FAILURE() << "was accepted";
  return "";
}

TEST(Assembly, ARobotCollidesAsItsShapesDo) {
  const Robot robot = snake();
  const Pose base = Pose::from_quaternion(1, 0.1, 0, 0.2, {0.1, 0.2, 0});
  const Parts scene = obstacles();
  World world;
  RobotBodies bodies = add(world, robot, {.base = base});
  add(world, scene);
  ASSERT_EQ(bodies.links().size(), 7u);
  EXPECT_EQ(bodies.links()[1], BodyId{});
  EXPECT_EQ(world.members(bodies.links()[2]).size(), 2u);
  EXPECT_EQ(world.name(bodies.links()[6]), "bar 3");
  const std::uint64_t seed = 11;
  SCOPED_TRACE("seed " + std::to_string(seed));
  const std::vector<double> values = random_configurations(robot, 60, seed);
  std::size_t free = 0, pairs = 0;
  for (std::size_t i = 0; i < 60; ++i) {
    const auto one = std::span(values).subspan(6 * i, 6);
    bodies.set_joints(world, one);
    const Names expected = brute_force(robot, base, one, scene);
    EXPECT_EQ(colliding(world), expected) << i;
    free += expected.empty();
    pairs += expected.size();
  }
  EXPECT_GT(free, 5u);
  EXPECT_GT(pairs, 40u);
}

TEST(Assembly, BatchesGiveTheSameForAnyNumberOfThreads) {
  const Robot robot = snake();
  const Parts scene = obstacles();
  World world;
  const RobotBodies bodies = add(world, robot);
  add(world, scene);
  const std::size_t count = 80;
  const std::vector<double> values = random_configurations(robot, count, 3);
  std::vector<std::uint8_t> expected;
  for (std::size_t i = 0; i < count; ++i)
    expected.push_back(!brute_force(robot, {}, std::span(values).subspan(6 * i, 6), scene).empty());
  const Names before = colliding(world);
  for (const int threads : {0, 1, 2, 5}) {
    EXPECT_EQ(collide_configurations(world, bodies, values, {}, {.threads = threads}), expected) << threads;
    std::vector<double> nearest(count);
    for_each_configuration(world, bodies, values, {.threads = threads}, [&](std::size_t i, World& at) {
      nearest[i] = at.closest({.last_bit = true})->distance.distance;
    });
    for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(nearest[i] == 0, expected[i] == 1) << i;
    static std::vector<double> first;
    if (first.empty()) first = nearest;
    EXPECT_EQ(nearest, first) << threads;
  }
  EXPECT_EQ(colliding(world), before);  // copies moved, not this one
  EXPECT_TRUE(collide_configurations(world, bodies, {}).empty());
}

TEST(Assembly, RefusesConfigurations) {
  World world;
  RobotBodies bodies = add(world, snake());
  std::vector<double> values = random_configurations(bodies.robot(), 3, 1);
  const auto ask = [&](const ConfigurationOptions& options = {}) {
    collide_configurations(world, bodies, values, {}, options);
  };
  EXPECT_EQ(refusal([&] { ask({.threads = -1}); }), "threads is -1; it must be 0 (all cores) or more");
  values[6 + 1] = 2.5;
  EXPECT_EQ(refusal([&] { ask(); }),
            "configuration 1: joint 'turn' has the value 2.5, beyond its limits -2 and 2; beyond_limits "
            "(--beyond-limits) accepts that");
  EXPECT_NO_THROW(ask({.poses = {.beyond_limits = true}}));
  values.pop_back();
  EXPECT_EQ(refusal([&] { ask(); }), "configurations of 6 joints were expected, and 17 is no multiple of it");
  const Pose before = world.pose(bodies.links()[3]);
  EXPECT_NE(refusal([&] { bodies.set_joints(world, std::array{0.0, 2.5, 0.0, 0.0, 0.0, 0.0}); }), "");
  EXPECT_EQ(world.pose(bodies.links()[3]), before);
  World fixed;
  const RobotBodies one = add(fixed, Robot("one", {{"a"}}, {}));
  EXPECT_EQ(refusal([&] { collide_configurations(fixed, one, std::array{1.0}); }),
            "the robot has no joint that takes a value, so there are no configurations");
}

TEST(Assembly, AddsAllOrNothing) {
  // Each pose is accepted, the product of two is not.
  const auto stretched = Pose::from_rows(std::array{1.00004, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0});
  const Model box(box_mesh({1, 1, 1}));
  World world;
  const BodyId there = world.add(box);
  const auto is_unchanged = [&](const std::vector<Link>& links) {
    std::vector<Joint> joints;
    for (std::size_t i = 1; i < links.size(); ++i)
      joints.push_back({.name = "to " + links[i].name,
                        .type = JointType::fixed,
                        .parent = links[i - 1].name,
                        .child = links[i].name});
    EXPECT_THROW(add(world, Robot("r", links, joints), {.base = stretched}), Error);
    return world.bodies() == std::vector{there} && world.find("a").empty() && world.find("b").empty();
  };
  EXPECT_TRUE(is_unchanged({{"a", {{box}}}, {"b", {{box, stretched}}}}));
  EXPECT_TRUE(is_unchanged({{"a", {{box}, {box}}}, {"b", {{box}, {box, stretched}}}}));
}

TEST(Assembly, BeginsAsNearToZeroAsLimitsAllow) {
  Joint joint{.name = "slide", .type = JointType::prismatic, .parent = "a", .child = "b", .lower = 2, .upper = 3};
  const Model box(box_mesh({1, 1, 1}));
  const Robot robot("r", {{"a", {{box}}}, {"b", {{box}}}}, {joint});
  World world;
  EXPECT_EQ(world.pose(add(world, robot).links()[1]).translation(), (Vec3{2, 0, 0}));
  EXPECT_EQ(world.pose(add(world, robot, {.values = {3}}).links()[1]).translation(), (Vec3{3, 0, 0}));
  EXPECT_NE(refusal([&] { add(world, robot, {.values = {4}}); }), "");
}

TEST(Assembly, PartsKeepTheirGroupsAndIgnoredPairs) {
  const Model box(box_mesh({1, 1, 1}));
  Parts parts{"mm", {}, {}};
  const auto put = [&](const char* name, double x, const char* group, bool moves = true) {
    parts.parts.push_back({name, box, Pose::from_translation({x, 0, 0}), group, moves});
  };
  put("lid", 0, "cover");
  put("hinge", 0.5, "cover");  // touches the lid, but is of its group
  put("bolt", 1, "");
  put("nut", 1.2, "");
  put("wall", 9, "", false);
  put("floor", 9, "", false);
  const auto found = [&] {
    World world;
    const std::vector<BodyId> ids = add(world, parts);
    EXPECT_EQ(ids.size(), 6u);
    for (std::size_t i = 0; i < ids.size(); ++i) {
      EXPECT_EQ(world.name(ids[i]), parts.parts[i].name);
      EXPECT_EQ(world.pose(ids[i]), parts.parts[i].pose);
    }
    return colliding(world);
  };
  EXPECT_EQ(found(), (Names{{"cover", "bolt"}, {"cover", "nut"}, {"bolt", "nut"}}));
  parts.ignore = {{"bolt", "n?t"}};
  EXPECT_EQ(found(), (Names{{"cover", "bolt"}, {"cover", "nut"}}));
  parts.ignore = {{"c*", "bolt"}};
  EXPECT_EQ(found(), (Names{{"cover", "nut"}, {"bolt", "nut"}}));
  parts.ignore = {{"lid", "bolt"}};  // the hinge still touches the bolt
  EXPECT_EQ(found(), (Names{{"cover", "bolt"}, {"cover", "nut"}, {"bolt", "nut"}}));
  parts.ignore = {{"lid", "bolt"}, {"bolt", "hinge"}};
  EXPECT_EQ(found(), (Names{{"cover", "nut"}, {"bolt", "nut"}}));
  parts.ignore = {{"*", "*"}};
  EXPECT_EQ(found(), Names{});
  parts.ignore = {{"lid", "bold"}};
  World world;
  EXPECT_EQ(refusal([&] { add(world, parts); }), "ignore[0]: no part or group fits 'bold'");
}

}  // namespace
}  // namespace tumble::test
