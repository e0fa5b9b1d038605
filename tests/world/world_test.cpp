// SPDX-License-Identifier: Apache-2.0
// Small worlds of boxes, whose answers are known by hand.
#include "mesh/shapes.h"
#include "scenes/shapes.h"
#include "world/body_shape.h"

#include <tumble/error.h>
#include <tumble/world.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace tumble {
namespace {

using Pairs = std::vector<BodyPair>;

Pose at(double x, double y = 0, double z = 0) { return Pose::from_translation({x, y, z}); }

/// A unit cube from the origin.
const Model& cube() {
  static const Model model(test::cube());
  return model;
}

std::string message_of(const auto& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}
void expect_refused(const auto& call, const std::string& part) {
  const std::string message = message_of(call);
  EXPECT_NE(message.find(part), std::string::npos) << message;
}

TEST(World, AnswersAboutThreeCubes) {
  World world;
  const BodyId a = world.add(cube(), {}, {.name = "a"});
  const BodyId b = world.add(cube(), at(0.5), {.name = "b"});
  const BodyId c = world.add(cube(), at(3), {.name = "c"});
  EXPECT_TRUE(world.collide());
  EXPECT_EQ(world.colliding(), (Pairs{{a, b}}));
  for (const WorldContact& contact : world.contacts()) EXPECT_TRUE(contact.a == a && contact.b == b);
  EXPECT_EQ(world.contacts().size(), contacts(cube(), {}, cube(), at(0.5)).size());
  EXPECT_EQ(world.closest()->distance.distance, 0);
  const WorldDistances near = world.distances({.upper_bound = 1.75});
  ASSERT_EQ(near.size(), 2u);
  EXPECT_EQ(near[0].distance.distance, 0);
  EXPECT_TRUE(near[1].a == b && near[1].b == c);
  EXPECT_NEAR(near[1].distance.distance, 1.5, 1e-12);
  EXPECT_EQ(world.distances().size(), 3u);
  EXPECT_FALSE(world.collide({}, c));
  EXPECT_EQ(world.colliding({}, b), (Pairs{{a, b}}));
  EXPECT_NEAR(world.closest({}, c)->distance.distance, 1.5, 1e-12);
  EXPECT_FALSE(world.closest({.upper_bound = 1.25}, c));
  EXPECT_EQ(world.find("c"), std::vector{c});
  EXPECT_EQ(world.bodies(), (std::vector{a, b, c}));

  world.move(c, at(1));
  EXPECT_EQ(world.colliding(), (Pairs{{a, b}, {a, c}, {b, c}})) << "touching is contact";
  EXPECT_EQ(world.colliding({.ignore_touch = true, .solid = true}), (Pairs{{a, b}, {b, c}}));
}

TEST(World, TwoConvexBodiesAreSolids) {
  const ConvexModel large(scenes::box({2, 2, 2})), small(scenes::box({0.5, 0.5, 0.5}));
  World world;
  const BodyId a = world.add(large, {}, {.name = "large", .margin = 0.5});
  const BodyId b = world.add(small, at(0.25));
  EXPECT_EQ(&world.model(a).triangles()[0], &large.model().triangles()[0]);
  EXPECT_TRUE(world.convex(a) && world.convex(b));
  EXPECT_TRUE(world.collide());
  EXPECT_EQ(world.colliding(), (Pairs{{a, b}}));
  EXPECT_EQ(world.colliding({.ignore_touch = true}), (Pairs{{a, b}}));
  ASSERT_EQ(world.contacts().size(), 1u);
  EXPECT_EQ(world.contacts()[0].contact.kind, ContactKind::inside);
  ASSERT_EQ(world.within({.distance = 0.1}).size(), 1u);
  EXPECT_TRUE(world.within({.distance = 0.1})[0].pair.inside);
  EXPECT_EQ(world.closest()->distance.distance, 0);
  EXPECT_TRUE(world.closest()->distance.inside);
  EXPECT_EQ(world.step({.contacts = true}).contacts.size(), 1u);
  EXPECT_EQ(world.run(DistanceRequest{}).verdict, Verdict::colliding);
  EXPECT_TRUE(world.collide({}, Visitor{small}));

  // With a mesh the request decides, as between meshes.
  world.remove(b);
  const BodyId mesh = world.add(small.model());
  EXPECT_FALSE(world.convex(mesh));
  EXPECT_FALSE(world.collide());
  EXPECT_TRUE(world.collide({.solid = true}));
  world.remove(mesh);
  EXPECT_FALSE(world.collide({}, Visitor{small.model()}));

  // Near is decided as by meshes: a gap of exactly the margin is near.
  const BodyId beside = world.add(small, at(3));
  EXPECT_EQ(world.step().near.began, (Pairs{{a, beside}}));
  world.move(beside, at(std::nextafter(3, 4)));
  EXPECT_EQ(world.step().near.ended, (Pairs{{a, beside}}));
  EXPECT_EQ(world.distances({.upper_bound = 0.5}).size(), 0u);
  EXPECT_NEAR(world.closest()->distance.distance, 0.5, 1e-15);
  world.move(beside, at(2.5));
  EXPECT_EQ(world.step().colliding.began, (Pairs{{a, beside}})) << "touching is contact";
  EXPECT_FALSE(world.collide({.ignore_touch = true, .solid = true}));
}

TEST(World, AUnionOfConvexPolytopesIsAGroup) {
  const ConvexModel bar(scenes::box({1, 0.1, 0.1}));
  const auto add_cross = [&](World& world, const Pose& pose) {
    const BodyId group = world.add_group(pose);
    world.add_member(group, bar);
    world.add_member(group, bar, Pose::from_quaternion(1, 0, 0, 1, {}));
    return group;
  };
  World world;
  const BodyId a = add_cross(world, {}), b = add_cross(world, at(0.5, 0.5, 0));
  EXPECT_EQ(world.colliding(), (Pairs{{a, b}}));
  world.move(b, at(1.15, 1.15, 0));
  EXPECT_TRUE(world.step().colliding.began.empty()) << "the corner between two bars is free";
  EXPECT_NEAR(world.closest()->distance.distance, 0.05 * std::sqrt(2), 1e-12);
  const World copy = world;
  world.move(b, at(0.19, 0.5, 0));
  EXPECT_EQ(world.step().colliding.began, (Pairs{{a, b}}));
  EXPECT_EQ(World(copy).step().colliding.began, Pairs{});
}

TEST(World, VisitorsMeetWhatIsThere) {
  World world;
  EXPECT_FALSE(world.collide({}, Visitor{cube()}));
  EXPECT_FALSE(world.closest({}, Visitor{cube()}));
  const BodyId a = world.add(cube(), at(100), {.moves = false});
  EXPECT_FALSE(world.collide({}, Visitor{cube()}));
  EXPECT_TRUE(world.collide({}, Visitor{cube(), at(99.5)}));
  EXPECT_EQ(world.colliding({}, Visitor{cube(), at(99.5)}), (Pairs{{{}, a}}));
  EXPECT_NEAR(world.closest({}, Visitor{cube(), at(0)})->distance.distance, 99, 1e-9);
  EXPECT_FALSE(world.collide({}, Visitor{.model = cube(), .pose = at(99.5), .is = 1, .cares_about = 2}));
  EXPECT_EQ(world.bodies(), std::vector{a});
}

TEST(World, GroupsMoveAsOneAndAreNotTestedAgainstThemselves) {
  World world;
  const BodyId arm = world.add_group({}, {.name = "arm"});
  const BodyId upper = world.add_member(arm, cube(), {}, "upper");
  const BodyId lower = world.add_member(arm, cube(), at(0.5), "lower");
  const BodyId table = world.add(cube(), at(5), {.name = "table", .moves = false});
  EXPECT_FALSE(world.collide());
  world.move(arm, at(4.25));
  EXPECT_EQ(world.pose(lower).translation(), (Vec3{4.75, 0, 0}));
  EXPECT_EQ(world.colliding(), (Pairs{{arm, table}})) << "one pair of groups";
  Pairs members;
  for (const WorldContact& contact : world.contacts()) members.push_back({contact.a, contact.b});
  EXPECT_EQ(members.front(), (BodyPair{upper, table})) << "contacts name members";
  EXPECT_EQ(members.back(), (BodyPair{lower, table}));
  EXPECT_EQ(world.distances().size(), 1u);
  EXPECT_EQ(world.group_of(lower), arm);
  EXPECT_EQ(world.group_of(table), table);
  EXPECT_EQ(world.members(arm), (std::vector{upper, lower}));
  EXPECT_EQ(world.colliding({}, lower), (Pairs{{arm, table}}));

  world.ignore(upper, table);
  EXPECT_EQ(world.contacts().front().a, lower);
  world.ignore(arm, table);
  EXPECT_FALSE(world.collide());
  world.unignore(arm, table);
  EXPECT_TRUE(world.collide());
  world.remove(lower);
  EXPECT_FALSE(world.collide());
  world.remove(arm);
  EXPECT_EQ(world.bodies(), std::vector{table});
  expect_refused([&] { world.pose(upper); }, "was removed");
}

/// Within what is accepted of a pose; twice it is not.
Pose not_quite_rigid(Vec3 translation) {
  std::array<double, 12> rows = Pose::from_translation(translation).rows();
  for (const std::size_t i : {0U, 5U, 10U}) rows[i] = 1 + 4e-5;
  return Pose::from_rows(rows);
}

TEST(World, AMoveThatTakesAMemberToNoRigidPoseMovesNobody) {
  World world;
  const BodyId alone = world.add(cube()), group = world.add_group(at(5));
  const BodyId straight = world.add_member(group, cube()),
               bent = world.add_member(group, cube(), not_quite_rigid({2, 0, 0}));
  const BodyId other = world.add_group(at(20)), part = world.add_member(other, cube());
  world.step();
  const std::vector<BodyId> ids{alone, other, group};
  const std::vector<Pose> poses{at(1), at(19), not_quite_rigid({0.5, 0, 0})};
  expect_refused([&] { world.move(ids, poses); }, "rigid");
  expect_refused([&] { world.move(group, poses.back()); }, "rigid");
  EXPECT_EQ(world.pose(alone), Pose{});
  EXPECT_EQ(world.pose(other), at(20));
  EXPECT_EQ(world.pose(part), at(20));
  EXPECT_EQ(world.pose(group), at(5));
  EXPECT_EQ(world.pose(straight), at(5));
  EXPECT_EQ(world.pose(bent).translation(), (Vec3{7, 0, 0}));
  EXPECT_TRUE(world.step().colliding.began.empty());
  world.move(std::vector{alone, group}, std::vector{at(1), at(0.5)});
  EXPECT_EQ(world.step().colliding.began, (Pairs{{alone, group}})) << "a move that is accepted";
}

TEST(World, InterestIsMutual) {
  World world;
  const BodyId a = world.add(cube(), {}, {.is = 1, .cares_about = 2});
  const BodyId b = world.add(cube(), {}, {.is = 2, .cares_about = 1});
  EXPECT_TRUE(world.collide());
  world.set_categories(b, 2, 4);
  EXPECT_FALSE(world.collide());
  world.set_categories(b, 6, 1);
  EXPECT_TRUE(world.collide());
  world.set_moves(a, false);
  EXPECT_TRUE(world.collide());
  world.set_moves(b, false);
  EXPECT_FALSE(world.collide());
  EXPECT_FALSE(world.collide({}, a));
}

TEST(World, StepsTellWhatChanged) {
  World world;
  const BodyId a = world.add(cube(), {}, {.margin = 0.25});
  const BodyId b = world.add(cube(), at(3), {.margin = 0.25});
  EXPECT_TRUE(world.step().near.began.empty());
  world.move(b, at(1.5));
  EXPECT_EQ(world.step().near.began, (Pairs{{a, b}})) << "exactly at the margin";
  EXPECT_TRUE(world.began().empty());
  world.move(b, at(0.5));
  const Step& touching = world.step({.contacts = true});
  EXPECT_EQ(touching.colliding.began, (Pairs{{a, b}}));
  EXPECT_EQ(touching.near.persisting, (Pairs{{a, b}}));
  EXPECT_FALSE(touching.contacts.empty());
  world.collide();
  EXPECT_EQ(world.began(), (Pairs{{a, b}})) << "only step() changes events";
  EXPECT_EQ(world.step().colliding.persisting, (Pairs{{a, b}}));
  world.ignore(a, b);
  EXPECT_EQ(world.step().colliding.ended, (Pairs{{a, b}}));
  EXPECT_TRUE(world.step().colliding.ended.empty()) << "it ends once";
  world.unignore(a, b);
  EXPECT_EQ(world.step().colliding.began, (Pairs{{a, b}}));
  world.remove(b);
  EXPECT_EQ(world.step().colliding.ended, (Pairs{{a, b}}));
  EXPECT_EQ(world.ended(), (Pairs{{a, b}}));
  EXPECT_TRUE(world.step().colliding.ended.empty());
}

TEST(World, PairMarginsReplaceTheSum) {
  World world;
  const BodyId a = world.add(cube(), {}, {.margin = 0.5}), b = world.add(cube(), at(2), {.margin = 0.5});
  EXPECT_EQ(world.step().near.began.size(), 1u);
  world.set_margin(a, b, 0.75);
  EXPECT_EQ(world.step().near.ended.size(), 1u);
  world.set_margin(a, 0);
  world.set_margin(b, 0);
  world.set_margin(a, b, 1);
  EXPECT_EQ(world.step().near.began.size(), 1u);
  EXPECT_FALSE(world.collide()) << "a margin matters to nearness only";
}

TEST(World, BodiesThatTouchAreNearWhereTouchesAreIgnored) {
  World world;
  const BodyId a = world.add(cube()), b = world.add(cube(), at(1, 1));
  const Step& step = world.step({.ignore_touch = true});
  EXPECT_TRUE(step.colliding.began.empty());
  EXPECT_EQ(step.near.began, (Pairs{{a, b}})) << "0 is at most a margin of 0";
}

TEST(World, TheLargestMarginsCanBeStepped) {
  World world;
  const BodyId a = world.add(cube(), {}, {.margin = 5e99}), b = world.add(cube(), at(9e99), {.margin = 5e99});
  EXPECT_EQ(world.step().near.began, (Pairs{{a, b}}));
  world.set_margin(a, b, 1e100);
  EXPECT_EQ(world.step().near.persisting, (Pairs{{a, b}}));
  expect_refused([&] { world.set_margin(a, 6e99); }, "a margin is 6e+99; it must be from 0 to 5e+99");
  expect_refused([&] { world.set_margin(a, b, 2e100); }, "a margin is 2e+100; it must be from 0 to 1e+100");
}

TEST(World, IdsAreNeverUsedAgain) {
  World world;
  const BodyId a = world.add(cube());
  world.remove(a);
  const BodyId b = world.add(cube());
  EXPECT_NE(a, b);
  EXPECT_FALSE(world.contains(a));
  EXPECT_TRUE(world.contains(b));
  for (int i = 0; i < 1'000; ++i) world.remove(world.add(cube()));
  const BodyId last = world.add(cube());
  EXPECT_EQ(last.value, 1'003u);
  world.remove(b);
  for (const BodyId gone : {a, b, BodyId{500}}) expect_refused([&] { world.move(gone, Pose{}); }, "was removed");
  expect_refused([&] { world.move(BodyId{1'004}, Pose{}); }, "has the id 1004");
  EXPECT_EQ(world.bodies(), std::vector{last});
}

TEST(World, RefusesWhatItDoesNotKnow) {
  World world;
  const BodyId a = world.add(cube(), {}, {.name = "a"});
  const BodyId group = world.add_group();
  const BodyId part = world.add_member(group, cube());
  const BodyId gone = world.add(cube());
  world.remove(gone);
  expect_refused([&] { world.move(BodyId{}, Pose{}); }, "has the id 0");
  expect_refused([&] { world.move(BodyId{77}, {}); }, "has the id 77");
  expect_refused([&] { world.move(gone, {}); }, "was removed");
  expect_refused([&] { world.move(part, {}); }, "name the group");
  expect_refused([&] { world.set_moves(part, false); }, "has no motion of its own");
  expect_refused([&] { world.model(group); }, "name a member");
  expect_refused([&] { world.add_member(a, cube()); }, "add_group()");
  expect_refused([&] { world.ignore(a, a); }, "by itself");
  expect_refused([&] { world.ignore(a, gone); }, "was removed");
  expect_refused([&] { world.set_margin(a, -1); }, "margin");
  expect_refused([&] { world.set_margin(a, std::nan("")); }, "margin");
  expect_refused([&] { world.add(cube(), {}, {.margin = std::numeric_limits<double>::infinity()}); }, "margin");
  expect_refused([&] { world.collide({}, gone); }, "was removed");
  expect_refused([&] { world.within({.distance = -1}); }, "distance");
  expect_refused([] { World({.threads = -1}); }, "threads");
  const std::vector<BodyId> ids{a, gone};
  const std::vector<Pose> poses{at(7), at(8)};
  expect_refused([&] { world.move(ids, poses); }, "was removed");
  EXPECT_EQ(world.pose(a), Pose{}) << "none is moved";
  expect_refused([&] { world.move(ids, std::span(poses).first(1)); }, "as many");
  World other = std::move(world);
  expect_refused([&] { world.collide(); }, "moved from");
  EXPECT_TRUE(other.collide());
}

TEST(World, NamesTheBodyThatIsNotClosed) {
  Mesh open = test::cube();
  open.triangles.pop_back();
  World world;
  world.add(cube());
  world.add(Model(open), at(0.5), {.name = "hood"});
  EXPECT_TRUE(world.collide());
  expect_refused([&] { world.collide({.solid = true}); }, "body 2 \"hood\"");
}

TEST(World, CopiesGoTheirOwnWay) {
  World world;
  const BodyId a = world.add(cube()), b = world.add(cube(), at(0.5));
  world.step();
  World copy = world;
  copy.move(b, at(5));
  EXPECT_EQ(copy.step().colliding.ended, (Pairs{{a, b}}));
  EXPECT_TRUE(world.collide());
  EXPECT_FALSE(copy.collide());
}

TEST(World, AFunctionMustNotCallTheWorld) {
  World world;
  world.add(cube());
  world.add(cube(), at(0.5));
  expect_refused(
      [&] { world.run(CollideRequest{}, {.budget = {}, .each = [&](const PairOutcome&) { return world.collide(); }}); },
      "ask a copy");
  EXPECT_TRUE(world.collide()) << "it works again";
}

TEST(World, NoTimeLeavesAllPairsButOneOpen) {
  World world;
  for (int i = 0; i < 40; ++i) world.add(cube(), at(0.5 * i));
  const WorldOutcome outcome =
      world.run(CollideRequest{}, {.budget = {.time = std::chrono::nanoseconds(0)}, .each = {}});
  EXPECT_FALSE(outcome.finished);
  EXPECT_NE(outcome.verdict, Verdict::free);
  EXPECT_EQ(outcome.pairs.size(), world.neighbours().size());
  const double unasked = std::numeric_limits<double>::infinity();
  EXPECT_EQ(std::ranges::count(outcome.pairs, unasked,
                               [](const PairOutcome& pair) { return pair.outcome.certainty.separation; }),
            std::ssize(outcome.pairs) - 1);
}

TEST(World, ALaterRoundDoesNotForgetWhatAnEarlierOneFound) {
  World world({.threads = 1});
  const Model torus(scenes::torus(0.5, 0.2, 40, 24));
  for (int i = 0; i < 12; ++i)
    world.add(torus, Pose::from_quaternion(1, 0.3 * i, 0.2, 0.1 * i, {0.3 * i, 0.05 * i, 0}));
  const auto colliding = [&](std::uint64_t node_pairs) {
    const WorldOutcome outcome = world.run(ContactRequest{}, {.budget = {.node_pairs = node_pairs}, .each = {}});
    EXPECT_FALSE(outcome.finished);
    return std::ranges::count(outcome.pairs, Verdict::colliding,
                              [](const PairOutcome& pair) { return pair.outcome.certainty.verdict; });
  };
  const std::uint64_t enough = 120 * world.neighbours().size();
  const auto found = colliding(enough);
  EXPECT_GT(found, 10);
  for (std::uint64_t more = 0; more < 2 * enough; more += enough / 16)
    EXPECT_GE(colliding(enough + more), found) << more;
}

TEST(World, DepthsOfAllPairs) {
  World world;
  const BodyId a = world.add(cube()), b = world.add(cube(), at(0.75));
  world.add(cube(), at(1.9, 5));
  const WorldOutcome outcome = world.run(OverlapDepthRequest{.precision = 1e-3});
  ASSERT_EQ(outcome.pairs.size(), 1u);
  EXPECT_EQ((BodyPair{outcome.pairs[0].a, outcome.pairs[0].b}), (BodyPair{a, b}));
  EXPECT_NEAR(outcome.pairs[0].outcome.overlap_depth.upper, 0.25, 2e-3);
}

TEST(World, BoxesAreThoseOfPieces) {
  // Two arms at a right angle. Turned, the box around their common box is twice as large as theirs, whichever that is.
  Mesh arms = test::box({0, 0, 0}, {1, 0.1, 0.1});
  scenes::append(arms, test::box({0, 0.1, 0}, {0.1, 1, 0.1}));
  const Model model(arms);
  const BodyShape shape = shape_of(model);
  for (const double turn : {0.0, std::tan(0.125 * 3.14159265)}) {
    const Pose pose = Pose::from_quaternion(1, 0, 0, turn, {});
    const Box box = box_around(shape, pose, BodyBoxes::dynamic, 0);
    Box least{pose * model.vertices()[0], pose * model.vertices()[0]};
    for (const Vec3& vertex : model.vertices())
      for (int axis = 0; axis < 3; ++axis) {
        least.lower[axis] = std::min(least.lower[axis], (pose * vertex)[axis]);
        least.upper[axis] = std::max(least.upper[axis], (pose * vertex)[axis]);
      }
    const auto area = [](const Box& b) { return (b.upper.x - b.lower.x) * (b.upper.y - b.lower.y); };
    EXPECT_LT(area(box), 1.2 * area(least)) << turn;
  }
}

TEST(World, BoxesHoldBodiesAtAnyPose) {
  for (const double scale : {1e-90, 1e-3, 1.0, 1e50})
    for (const double offset : {0.0, 1.0, 1e6, 1e12}) {
      Mesh mesh = test::box({-0.3 * scale, 0.1 * scale, -0.7 * scale}, {0.9 * scale, 0.4 * scale, 0.2 * scale});
      const Model model(mesh);
      const BodyShape shape = shape_of(model);
      for (int i = 0; i < 200; ++i) {
        const double w = std::sin(i * 1.3), x = std::sin(i * 2.1 + 1), y = std::sin(i * 0.7 + 2), z = std::sin(i * 3.3);
        const Pose exact = Pose::from_quaternion(w, x, y, z, {offset * scale, -offset * scale, 0.3 * offset * scale});
        std::array<double, 12> rows = exact.rows();
        for (double& number : rows) number *= 1 + 4e-5 * (i % 2);
        const Pose pose = Pose::from_rows(rows);
        for (const BodyBoxes kind : {BodyBoxes::dynamic, BodyBoxes::fixed}) {
          const Box box = box_around(shape, pose, kind, 0);
          for (const Vec3& vertex : model.vertices()) {
            const Vec3 p = pose * vertex;
            for (int axis = 0; axis < 3; ++axis)
              ASSERT_TRUE(box.lower[axis] <= p[axis] && p[axis] <= box.upper[axis])
                  << "scale " << scale << ", offset " << offset << ", pose " << i;
          }
          if (kind == BodyBoxes::dynamic && offset <= 1) {
            EXPECT_LE(box.upper.x - box.lower.x, 2.2 * scale);
          }
        }
      }
    }
}

}  // namespace
}  // namespace tumble
