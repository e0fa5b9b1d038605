// SPDX-License-Identifier: Apache-2.0
// Fine boxes and gaps against all vertices and triangles below, exactly where bodies almost touch; and that parts
// which almost touch, or lie opposite each other, cost no more than others.
#include "traverse/fine_look.h"

#include "brute_force.h"
#include "geometry/distance.h"
#include "mesh/shapes.h"
#include "scenes/meshes.h"
#include "scenes/random.h"

#include <tumble/query.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace tumble {
namespace {

constexpr std::uint64_t seed = 31;

/// A flat box of so many squares along each side of its two large faces.
Mesh plate(int squares, double thickness) {
  Mesh mesh;
  const auto n = static_cast<std::uint32_t>(squares), row = n + 1;
  const auto at = [row](std::uint32_t side, std::uint32_t i, std::uint32_t j) { return (side * row + i) * row + j; };
  for (std::uint32_t side = 0; side < 2; ++side)
    for (std::uint32_t i = 0; i <= n; ++i)
      for (std::uint32_t j = 0; j <= n; ++j)
        mesh.vertices.push_back({i / double(n) - 0.5, j / double(n) - 0.5, side ? thickness / 2 : -thickness / 2});
  const auto square = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
    mesh.triangles.push_back({a, b, c});
    mesh.triangles.push_back({a, c, d});
  };
  for (std::uint32_t i = 0; i < n; ++i) {
    for (std::uint32_t j = 0; j < n; ++j) {
      square(at(1, i, j), at(1, i + 1, j), at(1, i + 1, j + 1), at(1, i, j + 1));
      square(at(0, i, j), at(0, i, j + 1), at(0, i + 1, j + 1), at(0, i + 1, j));
    }
    square(at(0, i, 0), at(0, i + 1, 0), at(1, i + 1, 0), at(1, i, 0));
    square(at(0, i + 1, n), at(0, i, n), at(1, i, n), at(1, i + 1, n));
    square(at(0, 0, i + 1), at(0, 0, i), at(1, 0, i), at(1, 0, i + 1));
    square(at(0, n, i), at(0, n, i + 1), at(1, n, i + 1), at(1, n, i));
  }
  return mesh;
}

Mesh scaled(Mesh mesh, double factor, Vec3 moved = {}) {
  for (Vec3& v : mesh.vertices) v = v * factor + moved;
  return mesh;
}

Pose turned(Vec3 at) { return Pose::from_quaternion(0.8, 0.3, -0.4, 0.25, at); }

std::vector<std::uint32_t> triangles_below(const Tree& tree, Child child) {
  std::vector<std::uint32_t> all;
  if (child.is_leaf()) {
    const LeafView leaf = tree.leaf(child.index());
    for (std::uint32_t slot = leaf.first; slot < leaf.last; ++slot) all.push_back(tree.triangle_ids[slot]);
    return all;
  }
  const NodeView node = tree.node(child.index());
  for (int lane = 0; lane < node.used_lanes(); ++lane)
    for (const std::uint32_t t : triangles_below(tree, node.children[lane])) all.push_back(t);
  return all;
}

std::vector<VolumeId> volumes(const Tree& tree) {
  std::vector<VolumeId> all;
  for (std::uint32_t n = 0; n < tree.node_count; ++n)
    for (int lane = 0; lane < tree.node(n).used_lanes(); ++lane)
      all.push_back(VolumeId::of(n, static_cast<std::uint32_t>(lane)));
  return all;
}

TEST(FineBox, HoldsEveryVertexAndFitsFlatFaces) {
  for (const double size : {1e-90, 1.0, 1e95})
    for (const Mesh& mesh : {scenes::wrinkled_torus(480), plate(6, 0.1), scenes::sphere(200)})
      for (const Bound bound : {Bound::obb, Bound::dop}) {
        const Model model(scaled(mesh, size), {.bound = bound});
        const ModelData& data = data_of(model);
        for (const VolumeId volume : volumes(data.tree)) {
          const Child child = data.tree.child(volume);
          const FineBox box = data.fine_box(volume);
          ASSERT_GT(box.reach, 0);
          for (const std::uint32_t t : triangles_below(data.tree, child))
            for (const std::uint32_t v : data.triangles[t])
              for (std::size_t i = 0; i < 3; ++i)
                EXPECT_LE(std::abs(dot(box.normals[i], data.vertices[v] - box.center)),
                          dot(box.normals[i], box.half_edges[i]) + 1e-14 * box.reach);
        }
      }
  // The faces of a plate that stands askew in its own coordinates are known to roundings.
  Mesh askew = plate(30, 0.1);
  for (Vec3& v : askew.vertices) v = turned({0.1, 0.2, 0.3}) * v;
  const Model model(askew);
  const FineBox root = data_of(model).fine_box(VolumeId::root());
  EXPECT_NEAR(dot(root.normals[0], root.half_edges[0]), 0.05, 1e-15);
}

TEST(FineLook, IsNeverFartherThanTheTriangles) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  scenes::Random random(seed);
  int certain = 0, asked = 0;
  for (int round = 0; round < 60; ++round) {
    const double size = std::pow(10, random.between(-60, 60)), far = round % 3 == 0 ? 1e4 : 1;
    const Vec3 own_place{random.between(-far, far) * size, random.between(-far, far) * size, 0};
    const Model a(scaled(round % 2 ? plate(5, 0.1) : scaled(scenes::wrinkled_torus(200), 0.4), size, own_place),
                  {.bound = round % 4 < 2 ? Bound::obb : Bound::dop});
    const Model b(scaled(plate(4, 0.2), size));
    // Near each other, by very little more or less than touching.
    const double gap = 0.15 + (round % 5 == 0 ? 0.3 : std::pow(10, random.between(-16, -1)) * random.between(-1, 1));
    const Pose common = turned(Vec3{random.between(-far, far), random.between(-far, far), 0.3} * size);
    auto rows = (common * Pose::from_translation(Vec3{0, 0, gap} * size + own_place)).rows();
    if (round % 7 == 0)
      for (std::size_t i = 0; i < 11; ++i) rows[i] *= i % 4 == 3 ? 1 : 1 + 3e-5;  // stretches
    const Pose pose_b = Pose::from_rows(rows);
    const PlacedPair bodies(data_of(a), common, data_of(b), pose_b, round % 2 == 0);
    FineLook look(bodies);
    const Tree &target = bodies.target().model.tree, &source = bodies.source().model.tree;
    const std::vector<VolumeId> of_target = volumes(target), of_source = volumes(source);
    for (int i = 0; i < 40; ++i) {
      const VolumeId t = of_target[random.index(of_target.size())], s = of_source[random.index(of_source.size())];
      double least = std::numeric_limits<double>::infinity();
      for (const std::uint32_t x : triangles_below(target, target.child(t)))
        for (const std::uint32_t y : triangles_below(source, source.child(s)))
          least = std::min(least, distance(bodies.target().corners(x), bodies.source().corners(y)).distance_sq);
      least = std::sqrt(least);
      const double found = look.gap(t, s, std::numeric_limits<double>::infinity());
      EXPECT_LE(found, least * (1 + 1e-12));
      EXPECT_GE(found, 0);
      certain += found > 0;
      ++asked;
    }
  }
  EXPECT_GT(certain, asked / 3);
}

/// Touching, almost touching and just overlapping plates: every answer is brute force's.
TEST(FineLook, LosesNoContact) {
  const Mesh mesh = plate(3, 0.125);
  for (const Bound bound : {Bound::obb, Bound::dop}) {
    const Model a(mesh, {.bound = bound}), b(mesh, {.bound = bound});
    Pair pair(a, b);
    int hits = 0, poses = 0;
    for (const Pose& common : {Pose{}, turned({0.1, 0.2, 0.3}), turned({1e3, -1e3, 1e3})})
      for (int ulps = -40; ulps <= 40; ulps += 4) {
        const double height = 0.125 + ulps * 0x1p-55 * (length(common.translation()) + 1);
        const Pose pose = common * Pose::from_translation({0.01, 0.02, height});
        const Contacts expected = brute_force_contacts(mesh, common, mesh, pose);
        EXPECT_EQ(pair.collide(common, pose), !expected.empty());
        const Contacts found = pair.contacts(common, pose, {.geometry = false});
        ASSERT_EQ(found.size(), expected.size());
        for (std::size_t i = 0; i < found.size(); ++i) {
          EXPECT_EQ(found[i].triangle_a, expected[i].triangle_a);
          EXPECT_EQ(found[i].triangle_b, expected[i].triangle_b);
        }
        EXPECT_EQ(pair.distance(common, pose).distance == 0, !expected.empty());
        hits += !expected.empty();
        ++poses;
      }
    EXPECT_GT(hits, 0);
    EXPECT_LT(hits, poses);
  }
}

/// Triangles of a few units of the smallest number, in one plane `height` of them above the origin, and ordinary ones
/// around it, so that the body's centre is the origin.
Mesh speck(scenes::Random& random, double height, bool turned_aside) {
  constexpr double unit = std::numeric_limits<double>::denorm_min();
  Mesh mesh;
  const auto add = [&](const Vec3& p, const Vec3& q, const Vec3& r) {
    const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
    for (const Vec3& v : {p, q, r}) mesh.vertices.push_back(turned_aside ? Vec3{v.y, v.x, v.z} : v);
    mesh.triangles.push_back({first, first + 1, first + 2});
  };
  const auto small = [&] {
    const double x = std::round(random.between(-9, 9)), y = std::round(random.between(-9, 9));
    return Vec3{x, y, height} * unit;
  };
  for (int i = 0; i < 6; ++i) {
    const Vec3 p = small(), q = small(), r = small();
    add(p, q, r);
  }
  for (const double x : {-1.0, 1.0})
    for (const double z : {-0.1, 0.1}) add({0.9 * x, z, z}, {0.9 * x, z / 2, z}, {0.8 * x, z, z});
  return mesh;
}

/// Roundings below the normal numbers are no share of what they round: they make sheets of specks meet.
TEST(FineLook, LosesNoContactOfSpecks) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  scenes::Random random(seed);
  int hits = 0;
  for (int round = 0; round < 200; ++round) {
    const Mesh a = speck(random, -2, false), b = speck(random, 0, true);
    const TreeOptions fine{.leaf_size = 1, .arity = 2};
    const double w = random.between(-1, 1), y = random.between(-1, 1);
    const Pose pose = Pose::from_quaternion(w, 0.3, y, 0.2, {});
    const bool expected = brute_force_collide(a, pose, b, pose);
    EXPECT_EQ(collide(Model(a, fine), pose, Model(b, fine), pose), expected) << "round " << round;
    hits += expected;
  }
  EXPECT_GT(hits, 0);
}

/// Counted, not timed: how many tests it takes does not depend on the clearance.
TEST(FineLook, PlatesThatAlmostTouchCostNoMoreThanOthers) {
  const Model a(plate(24, 0.1)), b(plate(24, 0.1));
  Pair pair(a, b, {.coherent = Coherent::off});
  for (const double clearance : {1e-2, 1e-4, 1e-6, 1e-8, 1e-10, 1e-12}) {
    SCOPED_TRACE(clearance);
    const Pose common = turned({0.1, 0.2, 0.3});
    const Pose pose = common * Pose::from_quaternion(1, 0, 0, 0.02, {0.01, 0.02, 0.1 + clearance});
    pair.count(true);
    EXPECT_FALSE(pair.collide(common, pose));
    EXPECT_LE(pair.stats().nv, 16u);
    EXPECT_EQ(pair.stats().np, 0u);
    pair.count(true);
    const Certainty certain = pair.start(common, pose, ContactRequest{}).run({.node_pairs = 1'000'000});
    EXPECT_TRUE(certain.finished && certain.verdict == Verdict::free);
    EXPECT_GT(certain.lower, 0);
    EXPECT_LE(certain.lower, clearance + 1e-15);
    EXPECT_LE(pair.stats().nv, 32u);
    EXPECT_LE(pair.stats().np, 1u);
    pair.count(true);
    EXPECT_NEAR(pair.distance(common, pose).distance, clearance, 1e-15);
    EXPECT_LE(pair.stats().nv, 200u);
    EXPECT_LE(pair.stats().np, 200u);
    if (clearance < 1e-10) continue;  // pairs as near as roundings are measured, all of them
    pair.count(true);
    EXPECT_EQ(pair.within(common, pose, {.distance = clearance * 0.9}).size(), 0u);
    EXPECT_LE(pair.stats().np, 0u);
  }
}

}  // namespace
}  // namespace tumble
