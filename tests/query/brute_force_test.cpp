// SPDX-License-Identifier: Apache-2.0
#include "brute_force.h"
#include "geometry/triangle_pair.h"
#include "mesh/shapes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>
#include <utility>

namespace tumble {
namespace {

using IdPair = std::pair<std::uint32_t, std::uint32_t>;

std::vector<IdPair> ids(const Contacts& contacts) {
  std::vector<IdPair> pairs;
  for (const Contact& c : contacts) pairs.emplace_back(c.triangle_a, c.triangle_b);
  return pairs;
}

std::size_t count(const Contacts& contacts, ContactKind kind) {
  return std::size_t(std::ranges::count(contacts, kind, &Contact::kind));
}

TEST(BruteForce, CubesApart) {
  const Pose away = Pose::from_translation({std::nextafter(1, 2), 0, 0});
  EXPECT_TRUE(brute_force_contacts(test::cube(), {}, test::cube(), away).empty());
  EXPECT_FALSE(brute_force_collide(test::cube(), {}, test::cube(), away));
}

TEST(BruteForce, CubesFaceToFaceTouch) {
  const Pose beside = Pose::from_translation({1, 0, 0});
  const Contacts contacts = brute_force_contacts(test::cube(), {}, test::cube(), beside);
  EXPECT_TRUE(brute_force_collide(test::cube(), {}, test::cube(), beside));
  EXPECT_GE(count(contacts, ContactKind::coplanar), 2u);
  EXPECT_EQ(count(contacts, ContactKind::cross), 0u);
  for (const Contact& c : contacts)
    for (const Vec3& p : c.outline()) EXPECT_EQ(p.x, 1);
}

TEST(BruteForce, CubesCornerInCornerCross) {
  const Pose shifted = Pose::from_translation({0.5, 0.625, 0.75});
  const Contacts contacts = brute_force_contacts(test::cube(), {}, test::cube(), shifted);
  EXPECT_GT(count(contacts, ContactKind::cross), 0u);
  EXPECT_EQ(count(contacts, ContactKind::coplanar), 0u);
}

TEST(BruteForce, ACubeInsideAnotherTouchesNothing) {
  EXPECT_FALSE(brute_force_collide(test::cube(), {}, test::box({0.25, 0.25, 0.25}, {0.75, 0.75, 0.75}), {}));
}

TEST(BruteForce, NothingTouchesTheEmptyMesh) {
  EXPECT_TRUE(brute_force_contacts(Mesh{}, {}, test::cube(), {}).empty());
  EXPECT_TRUE(brute_force_contacts(test::cube(), {}, Mesh{}, {}).empty());
  EXPECT_FALSE(brute_force_collide(Mesh{}, {}, Mesh{}, {}));
}

/// Every pair by the exact test alone, without boxes and without order.
std::set<IdPair> without_culling(const Mesh& a, const Pose& pose_a, const Mesh& b, const Pose& pose_b) {
  const auto corners = [](const Mesh& mesh, const Pose& pose, const Triangle& t) {
    return Corners{pose * mesh.vertices[t[0]], pose * mesh.vertices[t[1]], pose * mesh.vertices[t[2]]};
  };
  std::set<IdPair> pairs;
  for (std::uint32_t i = 0; i < a.triangles.size(); ++i)
    for (std::uint32_t j = 0; j < b.triangles.size(); ++j)
      if (intersects(corners(a, pose_a, a.triangles[i]), corners(b, pose_b, b.triangles[j]))) pairs.insert({i, j});
  return pairs;
}

TEST(BruteForce, CullingLosesNothingAndSidesMirror) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  const auto any_mesh = [&random](bool on_grid) {
    std::uniform_real_distribution<double> real(0, 4);
    const auto coordinate = [&] { return on_grid ? double(random() % 5) : real(random); };
    Mesh mesh;
    for (int v = 0; v < 20; ++v) mesh.vertices.push_back({coordinate(), coordinate(), coordinate()});
    for (auto t = random() % 40; t > 0; --t) {
      const auto index = [&random] { return std::uint32_t(random() % 20); };
      mesh.triangles.push_back({index(), index(), index()});
    }
    return mesh;
  };
  for (int round = 0; round < 60; ++round) {
    const bool on_grid = round % 2 == 0;  // on a grid most contacts touch, and many triangles are degenerate
    const Mesh a = any_mesh(on_grid), b = any_mesh(on_grid);
    const Pose pose_a = on_grid ? Pose::from_translation({1, 2, 3}) : Pose::from_quaternion(1, 2, 3, 4, {1, 2, 3});
    const Pose pose_b = on_grid ? Pose::from_translation({2, 2, 4}) : Pose::from_quaternion(4, 3, 2, 1, {1, 2, 3});
    const Contacts contacts = brute_force_contacts(a, pose_a, b, pose_b);
    const std::set<IdPair> expected = without_culling(a, pose_a, b, pose_b);
    EXPECT_EQ(ids(contacts), std::vector<IdPair>(expected.begin(), expected.end()));  // in order, each once
    EXPECT_EQ(brute_force_collide(a, pose_a, b, pose_b), !expected.empty());

    const Contacts mirrored = brute_force_contacts(b, pose_b, a, pose_a);
    std::set<std::pair<IdPair, ContactKind>> here, there;
    for (const Contact& c : contacts) here.insert({{c.triangle_a, c.triangle_b}, c.kind});
    for (const Contact& c : mirrored) there.insert({{c.triangle_b, c.triangle_a}, c.kind});
    EXPECT_EQ(here, there);
  }
}

}  // namespace
}  // namespace tumble
