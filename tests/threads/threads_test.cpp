// SPDX-License-Identifier: Apache-2.0
// Building and asking on several threads: the same answers as on one, and no data race. `make check` runs these tests
// under the thread sanitizer; they are small for its sake, but large enough for every parallel loop to be divided.
#include "dynamics/heap.h"
#include "mesh/shapes.h"
#include "scenes/brickwork.h"
#include "scenes/flight.h"
#include "scenes/meshes.h"
#include "scenes/placings.h"
#include "scenes/random.h"
#include "scenes/shapes.h"
#include "tree/model_data.h"
#include "world/asking.h"

#include <gtest/gtest.h>
#include <tumble/tumble.h>

#include <algorithm>
#include <cstring>
#include <thread>
#include <vector>

namespace tumble {
namespace {

constexpr int threads = 2;  // no more are started on the smallest machines
constexpr int rounds = 8;   // of loops so short that the second thread may come too late

std::vector<Pose> small_turns(std::size_t count) {
  std::vector<Pose> poses;
  for (std::size_t i = 0; i < count; ++i) {
    const auto turned = static_cast<double>(i);
    poses.push_back(Pose::from_quaternion(100, turned, 2 * turned, 3, {0.02 * turned, 0.1, 0}));
  }
  return poses;
}

void expect_same_tree(const Tree& a, const Tree& b) {
  ASSERT_EQ(a.node_count, b.node_count);
  EXPECT_EQ(std::memcmp(a.nodes, b.nodes, a.node_count * a.node_bytes()), 0);
  EXPECT_TRUE(std::ranges::equal(a.triangle_ids, b.triangle_ids));
}

TEST(Threads, BuildTheSameTree) {
  const Mesh mesh = scenes::wrinkled_torus(30'000);
  const TreeOptions kinds[] = {
      {},
      {.bound = Bound::dop, .k = 18},
      {.bound = Bound::dop, .k = 26, .split = Split::min_sum},
      {.bound = Bound::obb, .split = Split::far_pair},
      {.bound = Bound::dop, .split = Split::longest_side, .build = Build::bottom_up},
  };
  for (TreeOptions options : kinds) {
    options.threads = 1;
    const Model one(mesh, options);
    options.threads = threads;
    expect_same_tree(data_of(one).tree, data_of(Model(mesh, options)).tree);
  }
}

TEST(Threads, AnswerBatchesTheSame) {
  const Model a(scenes::wrinkled_torus(1'000)), b(scenes::wrinkled_torus(600));
  const std::vector<Pose> poses = small_turns(300);
  const BatchOptions one{.threads = 1}, several{.threads = threads};
  for (const bool solid : {false, true})
    EXPECT_EQ(collide_many(a, b, poses, {.solid = solid}, one), collide_many(a, b, poses, {.solid = solid}, several));
  const auto contacts = contacts_many(a, b, poses, {}, one), same_contacts = contacts_many(a, b, poses, {}, several);
  const auto distances = distance_many(a, b, poses, {}, one), same_distances = distance_many(a, b, poses, {}, several);
  const Request within = WithinRequest{.distance = 0.01};
  const auto outcomes = run_many(a, b, poses, within, {}, one),
             same_outcomes = run_many(a, b, poses, within, {}, several);
  for (std::size_t i = 0; i < poses.size(); ++i) {
    SCOPED_TRACE(i);
    ASSERT_EQ(contacts[i].size(), same_contacts[i].size());
    EXPECT_EQ(distances[i].distance, same_distances[i].distance);
    ASSERT_EQ(outcomes[i].pairs.size(), same_outcomes[i].pairs.size());
  }
}

/// Large batches bring their poses into an order first, in parallel, too.
TEST(Threads, AnswerLargeBatchesTheSame) {
  const Model cube(test::cube());
  const std::vector<Pose> poses = small_turns(3'000);
  const std::vector<std::uint8_t> alone = collide_many(cube, cube, poses, {}, {.threads = 1});
  for (int round = 0; round < rounds; ++round)
    EXPECT_EQ(collide_many(cube, cube, poses, {}, {.threads = threads}), alone);
}

TEST(Threads, AnswerForPointsAndRaysTheSame) {
  const Model model(scenes::wrinkled_torus(1'000));
  std::vector<Vec3> points;
  std::vector<Ray> rays;
  for (const Pose& pose : small_turns(600)) {
    points.push_back(pose.translation());
    rays.push_back({pose.translation(), {1, 0.1, 0.2}});
  }
  const PointBatchOptions one{.threads = 1}, several{.threads = threads};
  const std::vector<Side> sides = locate_many(model, {}, points, one);
  for (int round = 0; round < rounds; ++round) EXPECT_EQ(locate_many(model, {}, points, several), sides);
  const auto nearest = closest_point_many(model, {}, points, {}, one),
             same_nearest = closest_point_many(model, {}, points, {}, several);
  const auto hits = all_hits_many(model, {}, rays, one), same_hits = all_hits_many(model, {}, rays, several);
  for (std::size_t i = 0; i < points.size(); ++i) {
    EXPECT_EQ(nearest[i]->triangle, same_nearest[i]->triangle) << i;
    EXPECT_EQ(hits[i].size(), same_hits[i].size()) << i;
  }
}

/// Fine boxes are made by whoever needs them first.
TEST(Threads, TellPartsThatAlmostTouchApart) {
  for (const scenes::Placing& placing : {scenes::facing_plates(1e-8, 12), scenes::shaft_in_bore(1e-7, 12)}) {
    const Model a(placing.env), b(placing.object);
    const std::vector<Pose> poses(130, placing.pose);
    const BatchOptions several{.threads = threads};
    EXPECT_EQ(collide_many(a, b, poses, {}, several), std::vector<std::uint8_t>(poses.size(), 0));
    const double alone =
        distance(Model(placing.env), {}, Model(placing.object), placing.pose, {.last_bit = true}).distance;
    for (const Distance& d : distance_many(a, b, poses, {}, several)) EXPECT_NEAR(d.distance, alone, 1e-13);
  }
}

/// What is found out once for each model may be asked for by all threads at the same time.
TEST(Threads, ShareAModel) {
  for (int round = 0; round < 6; ++round) {
    const Model outer(scenes::wrinkled_torus(2'000)), inner(scenes::tetrahedron_field(100, 2));
    std::vector<int> right(4);
    std::vector<std::thread> asking;
    for (int& mine : right)
      asking.emplace_back([&] {
        mine = locate(outer, {}, {0, 0, 50}) == Side::outside &&
               !collide(outer, {}, inner, Pose::from_translation({9, 0, 0}), {.solid = true}) &&
               distance(outer, {}, inner, Pose::from_translation({9, 0, 0})).distance > 0;
      });
    for (std::thread& thread : asking) thread.join();
    EXPECT_EQ(right, std::vector<int>(4, 1));
  }
}

TEST(Threads, StepAWorldTheSame) {
  const Model torus(scenes::wrinkled_torus(300));
  World one({.threads = 1}), several({.threads = threads});
  std::vector<BodyId> ids;
  for (World* world : {&one, &several}) {
    ids.clear();
    for (int i = 0; i < 60; ++i) ids.push_back(world->add(torus));
  }
  for (int step = 0; step < 6; ++step) {
    std::vector<Pose> poses;
    for (int i = 0; i < 60; ++i)
      poses.push_back(
          Pose::from_quaternion(10, step, i % 7, i % 5, {1.2 * (i % 4), 1.2 * (i / 4 % 4), 1.2 * (i / 16)}));
    one.move(ids, poses);
    several.move(ids, poses);
    const Step &a = one.step({.solid = true, .contacts = true}), &b = several.step({.solid = true, .contacts = true});
    EXPECT_EQ(a.colliding.began, b.colliding.began);
    EXPECT_EQ(a.colliding.ended, b.colliding.ended);
    EXPECT_TRUE(std::ranges::equal(a.contacts, b.contacts, [](const WorldContact& p, const WorldContact& q) {
      return p.a == q.a && p.b == q.b && p.contact.triangle_a == q.contact.triangle_a &&
             p.contact.triangle_b == q.contact.triangle_b && p.contact.point == q.contact.point;
    }));
    EXPECT_GT(a.contacts.size(), 100u);
    const WorldDistances near = one.distances({.upper_bound = 0.5}), same = several.distances({.upper_bound = 0.5});
    EXPECT_TRUE(std::ranges::equal(
        near, same, {}, [](const WorldDistance& d) { return d.distance.distance; },
        [](const WorldDistance& d) { return d.distance.distance; }));
  }
}

/// Small worlds use several threads while there is one of these.
class ShareAlways {
 public:
  ShareAlways() { least_microseconds_to_share = 0; }
  ~ShareAlways() { least_microseconds_to_share = before_; }
  ShareAlways(const ShareAlways&) = delete;
  ShareAlways& operator=(const ShareAlways&) = delete;

 private:
  const float before_ = least_microseconds_to_share;
};

void expect_same(const WorldOutcome& a, const WorldOutcome& b) {
  EXPECT_EQ(a.verdict, b.verdict);
  EXPECT_EQ(a.finished, b.finished);
  ASSERT_EQ(a.pairs.size(), b.pairs.size());
  for (std::size_t i = 0; i < a.pairs.size(); ++i) {
    SCOPED_TRACE(i);
    const PairOutcome &p = a.pairs[i], &q = b.pairs[i];
    EXPECT_EQ(p.a, q.a);
    EXPECT_EQ(p.b, q.b);
    const Certainty &of_p = p.outcome.certainty, &of_q = q.outcome.certainty;
    EXPECT_EQ(of_p.verdict, of_q.verdict);
    EXPECT_EQ(of_p.lower, of_q.lower);
    EXPECT_EQ(of_p.closest.distance, of_q.closest.distance);
    EXPECT_EQ(of_p.node_pairs, of_q.node_pairs);
    EXPECT_EQ(of_p.finished, of_q.finished);
    EXPECT_EQ(p.outcome.contacts.size(), q.outcome.contacts.size());
    EXPECT_EQ(p.outcome.pairs.size(), q.outcome.pairs.size());
    EXPECT_EQ(p.outcome.penetration.in_contact, q.outcome.penetration.in_contact);
    EXPECT_EQ(p.outcome.overlap_depth.lower, q.outcome.overlap_depth.lower);
  }
}

/// Bodies come, go, move and are asked everything, with a budget and without. random_world asks more, but with budgets
/// only whether anything collides.
TEST(Threads, AskChangingWorldsWithBudgetsTheSame) {
  const ShareAlways share_always;
  scenes::Random random(5);
  const BodyModel shapes[] = {Model(scenes::torus(0.5, 0.2, 8, 6)), Model(scenes::box({0.5, 0.3, 0.2})),
                              ConvexModel::hull_of(scenes::bipyramid(0.4, 0.7, 7)),
                              Model(scenes::cylinder(0.2, 1.5, 7))};
  World worlds[] = {World({.threads = 1}), World({.threads = threads, .hulls = HullStage::on})};
  std::vector<BodyId> ids;
  const auto any_pose = [&] {
    const Vec3 turn = random.direction();
    return Pose::from_quaternion(1, turn.x, turn.y, turn.z, random.in_box({0, 0, 0}, {2, 2, 2}));
  };
  const auto in_both = [&](const auto& change) {
    for (World& world : worlds) change(world);
  };
  const auto add = [&] {
    const Pose pose = any_pose();
    const BodyModel& shape = shapes[random.index(std::size(shapes))];
    BodyId id;
    in_both([&](World& world) { id = world.add(shape, pose, {.margin = 0.05}); });
    ids.push_back(id);
  };
  while (ids.size() < 10) add();
  const Request requests[] = {CollideRequest{.solid = true},  ContactRequest{},     DistanceRequest{},
                              WithinRequest{.distance = 0.1}, PenetrationRequest{}, OverlapDepthRequest{},
                              ClosestPairsRequest{},          ClosingPairsRequest{}};
  const std::uint64_t most = Budget{}.node_pairs;
  for (int step = 0; step < 3; ++step) {
    for (int i = 0; i < 5; ++i) {
      const BodyId id = ids[random.index(ids.size())];
      const Pose pose = any_pose();
      in_both([&](World& world) { world.move(id, pose); });
    }
    const std::size_t gone = random.index(ids.size());
    const BodyId a = ids[(gone + 1) % ids.size()], b = ids[(gone + 2) % ids.size()];
    const std::uint32_t cares_about = step % 2 == 0 ? 1 : ~0U;
    in_both([&](World& world) {
      world.remove(ids[gone]);
      step % 3 == 0 ? world.ignore(a, b) : world.unignore(a, b);
      world.set_categories(a, 2, cares_about);
    });
    ids.erase(ids.begin() + static_cast<std::ptrdiff_t>(gone));
    add();
    for (std::size_t kind = 0; kind < std::size(requests); ++kind)
      for (const std::uint64_t node_pairs : {std::uint64_t{100}, most}) {
        SCOPED_TRACE(testing::Message() << "step " << step << ", request " << kind << ", budget " << node_pairs);
        const RunOptions options{.budget = {.node_pairs = node_pairs}, .each = {}};
        expect_same(worlds[0].run(requests[kind], options), worlds[1].run(requests[kind], options));
      }
    const Step &one = worlds[0].step({.solid = true}), &several = worlds[1].step({.solid = true});
    EXPECT_EQ(one.colliding.began, several.colliding.began);
    EXPECT_EQ(one.colliding.ended, several.colliding.ended);
    EXPECT_EQ(one.near.persisting, several.near.persisting);
  }
}

TEST(Threads, FindTheSameClashes) {
  const scenes::Brickwork work = scenes::brickwork(40);
  Parts parts;
  const std::vector<Model> models(work.assembly.meshes.begin(), work.assembly.meshes.end());
  for (const Instance& instance : work.assembly.instances)
    parts.parts.push_back({instance.name, models[instance.mesh], instance.pose});
  ClashOptions options{.clearance = scenes::Brickwork::gap, .depth_budget = {.node_pairs = 300}, .threads = 1};
  const Clashes one = find_clashes(parts, options);
  options.threads = threads;
  std::size_t told = 0, most_done = 0;  // calls come one at a time, from any thread
  options.each = [&](const Clash&) { ++told; };
  options.progress = [&](std::size_t done, std::size_t) {
    most_done = std::max(most_done, done);
    return true;
  };
  const Clashes several = find_clashes(parts, options);
  EXPECT_GT(one.pairs.size(), 15u);
  EXPECT_GE(told, one.pairs.size());
  EXPECT_EQ(most_done, told);
  EXPECT_EQ(one.clear, several.clear);
  ASSERT_EQ(one.pairs.size(), several.pairs.size());
  for (std::size_t i = 0; i < one.pairs.size(); ++i) {
    SCOPED_TRACE(i);
    const Clash &p = one.pairs[i], &q = several.pairs[i];
    EXPECT_EQ(p.a, q.a);
    EXPECT_EQ(p.b, q.b);
    EXPECT_EQ(p.kind, q.kind);
    EXPECT_EQ(p.contacts, q.contacts);
    EXPECT_EQ(p.point, q.point);
    ASSERT_EQ(p.depth.has_value(), q.depth.has_value());
    EXPECT_EQ(p.depth ? p.depth->lower : 0, q.depth ? q.depth->lower : 0);
  }
}

/// An arm of three links between posts.
TEST(Threads, CheckConfigurationsTheSame) {
  const Model bar(scenes::box({0.1, 0.1, 0.5})), post(scenes::torus(0.3, 0.1, 16, 12));
  std::vector<Link> links{{.name = "base"}};
  std::vector<Joint> joints;
  for (const char* name : {"upper", "lower", "hand"}) {
    links.push_back({.name = name, .shapes = {{bar, Pose::from_translation({0, 0, 0.55})}}});
    joints.push_back({.name = std::string(name) + " joint",
                      .type = JointType::revolute,
                      .parent = links[links.size() - 2].name,
                      .child = name,
                      .origin = Pose::from_translation({0, 0, joints.empty() ? 0.0 : 1.1}),
                      .axis = {0, 1, 0.2},
                      .lower = -2.5,
                      .upper = 2.5});
  }
  World world({.threads = 1});
  const RobotBodies arm = add(world, Robot("arm", links, joints));
  for (const double x : {-1.5, 1.0, 2.0}) world.add(post, Pose::from_translation({x, 0.1, 1.2}), {.moves = false});
  scenes::Random random(3);
  std::vector<double> values(3 * 400);
  for (double& value : values) value = random.between(-2.5, 2.5);
  const auto alone = collide_configurations(world, arm, values, {}, {.threads = 1});
  EXPECT_GT(std::ranges::count(alone, 0), 40);
  EXPECT_GT(std::ranges::count(alone, 1), 40);
  for (int round = 0; round < rounds; ++round)
    EXPECT_EQ(collide_configurations(world, arm, values, {}, {.threads = threads}), alone);
}

/// A world that nobody changes may be asked for first contacts by all threads at the same time.
TEST(Threads, ShareAWorldForFirstContacts) {
  const Model torus(scenes::torus(0.5, 0.2, 12, 8)), box(scenes::box({0.3, 0.2, 0.1}));
  World made({.threads = threads});
  std::vector<BodyMotion> motions;
  for (int i = 0; i < 12; ++i) {
    const Pose from = Pose::from_translation({1.5 * (i % 4), 1.5 * (i / 4), 0});
    const BodyId id = made.add(i % 2 ? torus : box, from, {.moves = true});
    if (i % 3 != 0) motions.push_back({id, Motion::steady(from, {0.4 - 0.1 * i, 0.3, 0}, {0.1 * i, 1, 0.3})});
  }
  const World& world = made;
  const WorldFirstContact alone = first_contact(world, motions, {.solid = true});
  EXPECT_TRUE(alone.contact.found && !alone.contact.initial);
  std::vector<WorldFirstContact> found(4);
  std::vector<std::thread> asking;
  for (WorldFirstContact& mine : found)
    asking.emplace_back([&] { mine = first_contact(world, motions, {.solid = true}); });
  for (std::thread& thread : asking) thread.join();
  for (const WorldFirstContact& one : found) {
    EXPECT_EQ(one.a, alone.a);
    EXPECT_EQ(one.b, alone.b);
    EXPECT_EQ(one.contact.time, alone.contact.time);
    EXPECT_EQ(one.contact.node_pairs, alone.contact.node_pairs);
  }
}

TEST(Threads, LetBodiesFallTheSame) {
  const ShareAlways share_always;
  Dynamics one = test::heap({.bodies = 18, .step = 1.0 / 60, .threads = 1}),
           several = test::heap({.bodies = 18, .step = 1.0 / 60, .threads = threads});
  std::size_t contacts = 0;
  for (int step = 0; step < 60; ++step) {
    contacts += one.step().contacts.size();
    several.step();
    ASSERT_EQ(one.hash(), several.hash()) << "step " << step;
  }
  EXPECT_GT(contacts, 100u);
}

}  // namespace
}  // namespace tumble
