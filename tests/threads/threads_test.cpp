// SPDX-License-Identifier: Apache-2.0
// Building and asking on several threads: the same answers as on one, and no data race. `make check` runs these tests
// under the thread sanitizer; they are small for its sake, but large enough for every parallel loop to be divided.
#include "mesh/shapes.h"
#include "scenes/flight.h"
#include "scenes/meshes.h"
#include "scenes/placings.h"
#include "tree/model_data.h"

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

}  // namespace
}  // namespace tumble
