// SPDX-License-Identifier: Apache-2.0
// Hulls before trees: what they tell is true at every size and pose, nothing they do changes an answer, and what they
// save is counted.
#include "brute_force.h"
#include "convex/colored_hull.h"
#include "convex/hull_look.h"
#include "geometry/triangle_pair.h"
#include "mesh/shapes.h"
#include "nearly_rigid.h"
#include "scenes/random.h"
#include "scenes/shapes.h"

#include <tumble/query.h>
#include <tumble/world.h>

#include <gtest/gtest.h>

#include <cstdio>
#include <optional>
#include <utility>
#include <vector>

namespace tumble {
namespace {

Pose at(double x, double y = 0, double z = 0) { return Pose::from_translation({x, y, z}); }

void append(Mesh& mesh, const Mesh& other, Vec3 by) {
  const auto base = static_cast<std::uint32_t>(mesh.vertices.size());
  for (const Vec3& v : other.vertices) mesh.vertices.push_back(v + by);
  for (const Triangle& t : other.triangles) mesh.triangles.push_back({base + t[0], base + t[1], base + t[2]});
}

/// Two upright plates with a gap of 1 between them, |x| <= 0.7: the hull bridges it.
Mesh two_plates() {
  Mesh mesh = scenes::placed(scenes::box({0.1, 0.5, 0.5}), {});
  for (Vec3& v : mesh.vertices) v.x -= 0.6;
  append(mesh, scenes::box({0.1, 0.5, 0.5}), {0.6, 0, 0});
  return mesh;
}

/// A square in the plane z = 0.
Mesh square() { return {{{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}}, {{0, 1, 2}, {0, 2, 3}}, {}}; }

/// Straight and without area.
Mesh needle() { return {{{-1, 0, 0}, {1, 0, 0}, {0, 0, 0}}, {{0, 1, 2}}, {}}; }

/// Its corner at the origin meets faces.
Mesh pyramid() { return scenes::tetrahedron({0, 0, 0}, {-0.2, -0.2, 1}, {0.2, -0.2, 1}, {0, 0.3, 1}); }

/// A face in the plane z = 0, with the body below it.
Mesh table() { return scenes::tetrahedron({-3, -3, 0}, {3, -3, 0}, {0, 3, 0}, {0, 0, -2}); }

struct Two {
  World off{{.threads = 1}}, on{{.threads = 1, .hulls = HullStage::on}};

  BodyId add(const Model& model, const Pose& pose) {
    off.add(model, pose);
    return on.add(model, pose);
  }
  void move(BodyId id, const Pose& pose) {
    off.move(id, pose);
    on.move(id, pose);
  }
  /// Asks both whatever can be asked of closed or open bodies.
  bool collide(bool closed) {
    for (const bool solid : {false, true})
      for (const bool ignore_touch : {false, true}) {
        if (solid && !closed) continue;
        EXPECT_EQ(off.colliding({.ignore_touch = ignore_touch, .solid = solid}),
                  on.colliding({.ignore_touch = ignore_touch, .solid = solid}));
        EXPECT_EQ(off.collide({.ignore_touch = ignore_touch, .solid = solid}),
                  on.collide({.ignore_touch = ignore_touch, .solid = solid}));
        const auto a = off.contacts({.ignore_touch = ignore_touch, .solid = solid});
        const auto b = on.contacts({.ignore_touch = ignore_touch, .solid = solid});
        EXPECT_EQ(a.size(), b.size());
        for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
          EXPECT_EQ(a[i].a, b[i].a);
          EXPECT_EQ(a[i].contact.triangle_a, b[i].contact.triangle_a);
          EXPECT_EQ(a[i].contact.triangle_b, b[i].contact.triangle_b);
          EXPECT_EQ(a[i].contact.kind, b[i].contact.kind);
          EXPECT_EQ(a[i].contact.point, b[i].contact.point);
        }
      }
    const Step &step_off = off.step({.contacts = true}), &step_on = on.step({.contacts = true});
    EXPECT_EQ(step_off.colliding.began, step_on.colliding.began);
    EXPECT_EQ(step_off.colliding.ended, step_on.colliding.ended);
    EXPECT_EQ(step_off.neighbours.persisting, step_on.neighbours.persisting);
    EXPECT_EQ(step_off.contacts.size(), step_on.contacts.size());
    return !on.colliding().empty();
  }
};

void expect_counted(const HullCounters& counted) {
  EXPECT_EQ(counted.asked, counted.apart + counted.red + counted.to_trees);
}

TEST(HullStage, ColorsFaces) {
  const auto colored = [](const Model& model) { return hull_of(data_of(model)); };
  const Model tetrahedron{pyramid()}, ball{scenes::bipyramid(0.4, 0.7, 7)}, plates{two_plates()}, flat{square()};
  EXPECT_EQ(colored(tetrahedron)->red_faces, 4u);
  EXPECT_EQ(colored(ball)->red_faces, 14u);
  ASSERT_TRUE(colored(plates));
  // Of the box around two plates, the two outer sides are the plates' own; the others cross the gap.
  EXPECT_EQ(colored(plates)->data.hull.triangles.size(), 12u);
  EXPECT_LE(colored(plates)->red_faces, 4u);
  for (std::uint32_t v = 0; v < colored(plates)->data.hull.vertices.size(); ++v)
    EXPECT_FALSE(colored(plates)->triangles_at(v).empty());
  ASSERT_TRUE(colored(flat));
  EXPECT_EQ(colored(flat)->data.hull.triangles.size(), 4u);  // both sides
  EXPECT_FALSE(colored(Model{needle()}));
  const Model again{pyramid()};
  const std::size_t before = again.bytes();
  const ColoredHull* const hull = colored(again);
  EXPECT_EQ(again.bytes(), before + hull->bytes());
  EXPECT_EQ(hull, colored(again));
}

TEST(HullStage, RejectsWhatBoxesDoNot) {
  // Two octahedra, face to face. A box around one has at most one of its four directions of faces.
  const Model model{scenes::bipyramid(1, 1, 4)};
  std::optional<Two> found;
  Vec3 toward;
  BodyId b;
  for (const Vec3& corner : {Vec3{1, 1, 1}, Vec3{1, 1, -1}, Vec3{1, -1, 1}, Vec3{-1, 1, 1}}) {
    toward = corner;
    found.emplace();
    found->add(model, {});
    b = found->add(model, Pose::from_translation(toward * 0.7));
    EXPECT_TRUE(found->on.colliding().empty());
    if (found->on.hull_counters().asked > 0) break;
  }
  Two& two = *found;
  EXPECT_EQ(two.on.hull_counters().asked, 1u);
  EXPECT_EQ(two.on.hull_counters().apart, 1u);
  EXPECT_TRUE(two.on.contacts().empty());
  EXPECT_EQ(two.on.hull_counters().apart, 2u);
  EXPECT_FALSE(two.on.collide());
  EXPECT_EQ(two.on.hull_counters().apart, 3u);
  EXPECT_FALSE(two.collide(true));
  two.move(b, Pose::from_translation(toward * 0.63));
  EXPECT_TRUE(two.collide(true));
  expect_counted(two.on.hull_counters());
  EXPECT_EQ(two.off.hull_counters().asked, 0u);
}

TEST(HullStage, RedTrianglesAnswerWhenHullsMeet) {
  const Model below{table()}, tip{pyramid()};
  Two two;
  two.add(below, {});
  const BodyId b = two.add(tip, at(0.1, 0.1, 0.01));
  EXPECT_FALSE(two.on.collide());
  EXPECT_EQ(two.on.hull_counters().red, 0u);
  two.move(b, at(0.1, 0.1, -0.01));
  EXPECT_TRUE(two.on.collide());
  EXPECT_EQ(two.on.hull_counters().red, 1u);
  EXPECT_EQ(two.on.hull_counters().to_trees, 0u);
  EXPECT_TRUE(two.on.collide());  // begins with what it found, so hulls are not asked
  EXPECT_EQ(two.on.hull_counters().red, 1u);
  EXPECT_TRUE(two.collide(true));
  // A tip on the face touches; without touches there is nothing.
  two.move(b, at(0.1, 0.1, 0.5));
  EXPECT_FALSE(two.collide(true));
  two.move(b, at(0.1, 0.1, 0));
  const std::uint64_t before = two.on.hull_counters().red;
  EXPECT_FALSE(two.on.collide({.ignore_touch = true}));
  EXPECT_EQ(two.on.hull_counters().red, before);
  EXPECT_TRUE(two.on.collide());
  EXPECT_TRUE(two.collide(true));
  expect_counted(two.on.hull_counters());
}

TEST(HullStage, GreenFacesProveNothing) {
  // From above into the gap between two plates, without touching either; then against one of them.
  const Model plates{two_plates()}, tip{pyramid()};
  Two two;
  two.add(plates, {});
  const BodyId b = two.add(tip, at(0, 0, 0.501));
  EXPECT_FALSE(two.on.collide());
  two.move(b, at(0, 0, 0.1));
  EXPECT_FALSE(two.on.collide());
  EXPECT_EQ(two.on.hull_counters().red, 0u);
  EXPECT_GT(two.on.hull_counters().to_trees, 0u);
  EXPECT_FALSE(two.collide(true));
  two.move(b, at(0.5, 0, 0.1));
  EXPECT_TRUE(two.collide(true));
}

TEST(HullStage, BodiesInsideHulls) {
  const Model plates{two_plates()}, small{scenes::box({0.1, 0.1, 0.1})}, large{scenes::box({2, 2, 2})};
  Two two;
  two.add(plates, {});
  const BodyId inside = two.add(small, {});  // in the gap
  EXPECT_FALSE(two.collide(true));
  two.add(large, {});  // around both, without contact of surfaces
  EXPECT_FALSE(two.collide(true));
  EXPECT_EQ(two.on.colliding({.solid = true}).size(), 2u);
  two.move(inside, at(0.55));
  EXPECT_TRUE(two.collide(true));
}

TEST(HullStage, FlatAndStraightBodies) {
  const Model flat{square()}, straight{needle()}, thin{scenes::box({0.5, 0.4, 1e-12})}, cube{test::cube()};
  for (const Model* first : {&flat, &straight, &thin, &cube})
    for (const Model* second : {&flat, &straight, &thin, &cube})
      for (const Pose& pose : {at(0), at(0, 0, 1e-13), at(0.3, 0.2, 1e-300), at(2), at(1.9, 1.9), at(0, 0, 1e-3)}) {
        Two two;
        two.add(*first, {});
        two.add(*second, pose);
        two.collide(false);
        expect_counted(two.on.hull_counters());
        EXPECT_TRUE(two.on.hull_counters().asked == 0 || (first != &straight && second != &straight));
      }
}

TEST(HullStage, WhatHullsTellIsTrue) {
  constexpr std::uint64_t seed = 11;
  std::printf("seed %d\n", static_cast<int>(seed));
  scenes::Random random(seed);
  std::size_t apart = 0, hits = 0, red = 0, close = 0;
  for (const double size : {1e-90, 1e-30, 1.0, 1e30, 1e90}) {
    std::vector<Mesh> meshes;
    for (const Mesh& mesh : {scenes::box({1, 0.5, 0.2}), scenes::box({1, 1, 1e-12}), scenes::torus(0.6, 0.2, 10, 6),
                             two_plates(), square(), pyramid(), scenes::bipyramid(0.4, 0.7, 7)})
      meshes.push_back(scenes::scaled(mesh, size));
    std::vector<Model> models;
    for (const Mesh& mesh : meshes) models.emplace_back(mesh);
    for (int round = 0; round < 150; ++round) {
      const std::size_t a = random.index(models.size()), b = random.index(models.size());
      const double offset = round % 4 == 0 ? 1e6 * size : 0;
      HullMemory memory;
      for (int step = 0; step < 3; ++step) {  // with what the last look left behind
        const Pose pose_a = test::nearly_rigid(random, 0, offset),
                   pose_b = test::nearly_rigid(random, random.between(0, 2) * size, offset);
        const auto seen =
            look_at_hulls({data_of(models[a]), pose_a}, {data_of(models[b]), pose_b}, memory, RedContacts::all);
        ASSERT_TRUE(seen);
        const bool hit = brute_force_collide(meshes[a], pose_a, meshes[b], pose_b);
        EXPECT_FALSE(seen->are_apart && hit) << "size " << size << ", round " << round;
        if (seen->contact) {
          const auto corners = [&](std::size_t model, const Pose& pose, std::uint32_t triangle) {
            return Body{data_of(models[model]), pose}.corners(triangle);
          };
          EXPECT_TRUE(intersects(corners(a, pose_a, seen->contact->a), corners(b, pose_b, seen->contact->b)));
        }
        apart += seen->are_apart ? 1 : 0;
        red += seen->contact ? 1 : 0;
        hits += hit ? 1 : 0;
        close += !seen->are_apart && !hit ? 1 : 0;
      }
    }
  }
  std::printf("apart %zu, red %zu of %zu contacts, left %zu\n", apart, red, hits, close);
  EXPECT_GT(apart, 800u);
  EXPECT_GT(red, 100u);
  EXPECT_GT(hits, 400u);
  EXPECT_LT(close, apart / 3);  // mostly inside the torus, between the plates, or near a flat one
}

/// Bodies a rounding apart: hulls must not tell apart what touches.
TEST(HullStage, TouchingBodies) {
  constexpr std::uint64_t seed = 3;
  std::printf("seed %d\n", static_cast<int>(seed));
  scenes::Random random(seed);
  std::size_t touching = 0;
  for (int round = 0; round < 300; ++round) {
    // The same triangulated ball beside itself, turned by any pose: a vertex of one on a vertex of the other.
    const Mesh mesh = scenes::bipyramid(0.4, 0.7, 5 + random.index(6));
    const Model model{mesh};
    const Vec3 turn = random.direction();
    const Pose pose_a = Pose::from_quaternion(1, turn.x, turn.y, turn.z, random.direction() * 100);
    const auto& rows = pose_a.rows();
    const Vec3 v = mesh.vertices[random.index(mesh.vertices.size())],
               w = mesh.vertices[random.index(mesh.vertices.size())];
    const Vec3 by{rows[0] * (v.x - w.x) + rows[1] * (v.y - w.y) + rows[2] * (v.z - w.z),
                  rows[4] * (v.x - w.x) + rows[5] * (v.y - w.y) + rows[6] * (v.z - w.z),
                  rows[8] * (v.x - w.x) + rows[9] * (v.y - w.y) + rows[10] * (v.z - w.z)};
    auto moved = rows;
    for (int i = 0; i < 3; ++i) moved[static_cast<std::size_t>(4 * i + 3)] += by[i];
    const Pose pose_b = Pose::from_rows(moved);
    HullMemory memory;
    const auto seen = look_at_hulls({data_of(model), pose_a}, {data_of(model), pose_b}, memory, RedContacts::none);
    const bool hit = brute_force_collide(mesh, pose_a, mesh, pose_b);
    EXPECT_FALSE(seen->are_apart && hit) << round;
    touching += hit ? 1 : 0;
  }
  EXPECT_GT(touching, 50u);
}

TEST(HullStage, ChangesNoAnswerOfRandomWorlds) {
  constexpr std::uint64_t seed = 5;
  std::printf("seed %d\n", static_cast<int>(seed));
  scenes::Random random(seed);
  const std::vector<Model> models{Model{scenes::torus(0.5, 0.2, 12, 8)}, Model{two_plates()},
                                  Model{scenes::bipyramid(0.4, 0.7, 7)}, Model{scenes::box({0.5, 0.4, 1e-12})},
                                  Model{scenes::cylinder(0.2, 1.5, 9)}};
  Two two;
  std::vector<BodyId> ids;
  std::vector<Vec3> places;
  for (std::size_t i = 0; i < 12; ++i) {
    places.push_back(random.in_box({0, 0, 0}, {2.5, 2.5, 2.5}));
    ids.push_back(two.add(models[i % models.size()], Pose::from_translation(places.back())));
  }
  for (int step = 0; step < 40; ++step) {
    for (std::size_t i = 0; i < ids.size(); ++i) {
      places[i] += random.direction() * 0.1;
      const Vec3 turn = random.direction() * 0.1;
      two.move(ids[i], Pose::from_quaternion(1, turn.x, turn.y, turn.z, places[i]));
    }
    two.collide(true);
  }
  const HullCounters counted = two.on.hull_counters();
  expect_counted(counted);
  std::printf("asked %zu, apart %zu, red %zu\n", static_cast<std::size_t>(counted.asked),
              static_cast<std::size_t>(counted.apart), static_cast<std::size_t>(counted.red));
  EXPECT_GT(counted.apart, 50u);
  EXPECT_GT(counted.red, 5u);
  EXPECT_GT(counted.to_trees, 50u);
}

TEST(HullStage, KeepsNothingWhereNothingMayBeKept) {
  const Model below{table()}, tip{pyramid()};
  World world({.threads = 1, .pair = {.coherent = Coherent::off}, .hulls = HullStage::on});
  world.add(below, {});
  const BodyId b = world.add(tip, at(0.1, 0.1, -0.01));
  EXPECT_TRUE(world.collide());
  EXPECT_TRUE(world.collide());
  EXPECT_EQ(world.hull_counters().asked, 2u);
  EXPECT_EQ(world.hull_counters().red, 2u);
  world.move(b, at(0.1, 0.1, 0.5));
  EXPECT_FALSE(world.collide());
  EXPECT_EQ(world.hull_counters().red, 2u);
  // Visitors have no memory either.
  EXPECT_TRUE(world.collide({}, Visitor{.model = tip, .pose = at(0.1, 0.1, -0.01)}));
  EXPECT_EQ(world.hull_counters().red, 3u);
}

/// Hulls that have met before are not tested for red contacts again: as long as that is kept.
TEST(HullStage, WhatHullsKeepCountsAsMemory) {
  const Model below{table()}, tip{pyramid()};
  for (const std::size_t memory : {std::size_t{1} << 20, std::size_t{0}}) {
    World world({.threads = 1, .memory = memory, .hulls = HullStage::on});
    world.add(below, {});
    world.add(tip, at(0.1, 0.1, -0.01));
    for (int i = 0; i < 3; ++i) world.step();
    EXPECT_EQ(world.hull_counters().red, memory == 0 ? 3u : 1u);
  }
}

}  // namespace
}  // namespace tumble
