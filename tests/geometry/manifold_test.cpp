// SPDX-License-Identifier: Apache-2.0
#include <tumble/manifold.h>

#include "geometry/distance.h"
#include "mesh/shapes.h"
#include "scenes/meshes.h"
#include "scenes/random.h"
#include "scenes/shapes.h"

#include <tumble/query.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>
#include <string>

namespace tumble {
namespace {

std::set<std::array<double, 3>> points_of(const Manifold& m) {
  std::set<std::array<double, 3>> points;
  for (const ManifoldPoint& p : m) points.insert({p.point.x, p.point.y, p.point.z});
  return points;
}

TEST(Manifold, OfABoxOnABoxIsTheCornersOfTheirCommonFace) {
  const Model below(test::box({0, 0, 0}, {4, 4, 1})), above(test::box({1, 1, 1}, {2, 3, 2}));
  const Manifold m = manifold(contacts(above, {}, below, {}));
  EXPECT_EQ(points_of(m), (std::set<std::array<double, 3>>{{1, 1, 1}, {1, 3, 1}, {2, 1, 1}, {2, 3, 1}}));
}

TEST(Manifold, OfACornerIsOnePoint) {
  const Model below(test::box({-4, -4, -1}, {4, 4, 0}));
  const Mesh spike{{{0, 0, 0}, {1, 0, 1}, {0, 1, 1}, {-1, -1, 1}}, {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}, {}};
  const Manifold m = manifold(contacts(Model(spike), {}, below, {}));
  ASSERT_EQ(m.size(), 1u);
  EXPECT_EQ(m.points[0].point, (Vec3{0, 0, 0}));
}

TEST(Manifold, OfAnEdgeIsItsEnds) {
  const Model below(test::box({-4, -4, -1}, {4, 4, 0}));
  const Mesh wedge{{{-1, 0, 0}, {1, 0, 0}, {0, 1, 1}, {0, -1, 1}}, {{0, 1, 3}, {0, 2, 1}, {0, 3, 2}, {1, 2, 3}}, {}};
  EXPECT_EQ(points_of(manifold(contacts(Model(wedge), {}, below, {}))),
            (std::set<std::array<double, 3>>{{-1, 0, 0}, {1, 0, 0}}));
}

TEST(Manifold, OfNothingAndOfDegenerateContactsIsEmpty) {
  EXPECT_EQ(manifold({}).size(), 0u);
  Contact contact;
  contact.vertex_count = 1;
  contact.depth = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(manifold({&contact, 1}).size(), 0u);
}

/// Turned as Contact says a swap turns it.
Contacts swapped(Contacts all) {
  for (Contact& c : all) {
    std::swap(c.triangle_a, c.triangle_b);
    c.normal = -c.normal;
  }
  std::ranges::sort(all, [](const Contact& a, const Contact& b) {
    return std::pair(a.triangle_a, a.triangle_b) < std::pair(b.triangle_a, b.triangle_b);
  });
  return all;
}

TEST(Manifold, SpansRandomContacts) {
  constexpr std::uint64_t seed = 11;
  SCOPED_TRACE("seed " + std::to_string(seed));
  scenes::Random random(seed);
  const Model horse(scenes::horse(2'000)), torus(scenes::wrinkled_torus(400)), cube(test::box({-1, -1, -1}, {1, 1, 1}));
  const Model* const models[] = {&horse, &torus, &cube};
  std::size_t four = 0;
  for (int round = 0; round < 300; ++round) {
    const Model &a = *models[random.index(3)], &b = *models[random.index(3)];
    const Vec3 axis = random.direction(), way = random.direction();
    const Pose pose = Pose::from_quaternion(1, axis.x, axis.y, axis.z, way * random.between(0, 2));
    const Contacts all = contacts(a, {}, b, pose);
    const Manifold m = manifold(all);
    ASSERT_EQ(all.empty(), m.size() == 0);
    if (all.empty()) continue;
    four += m.size() == 4;

    double deepest = 0;
    for (const Contact& c : all) deepest = std::max(deepest, c.depth);
    EXPECT_EQ(m.points[0].depth, deepest);
    for (const ManifoldPoint& p : m) {
      ASSERT_LT(p.contact, all.size());
      const Contact& c = all[p.contact];
      EXPECT_EQ(p.normal, c.normal);
      EXPECT_TRUE(std::ranges::count(c.outline(), p.point) > 0);
    }
    // No vertex is farther from the hull of the first ones than the next one.
    for (std::size_t chosen = 1; chosen < 4; ++chosen) {
      const auto at = [&](std::size_t i) { return m.points[std::min({i, chosen - 1, m.size() - 1})].point; };
      const Corners hull{at(0), at(1), at(2)};
      const double next =
          chosen < m.size() ? distance(m.points[chosen].point, hull).distance_sq : 1e-20;  // roundings alone
      for (const Contact& c : all)
        for (const Vec3& v : c.outline()) EXPECT_LE(distance(v, hull).distance_sq, next * (1 + 1e-9) + 1e-20);
    }
    const Manifold other = manifold(swapped(all));
    ASSERT_EQ(other.size(), m.size());
    for (std::size_t i = 0; i < m.size(); ++i) EXPECT_EQ(other.points[i].point, m.points[i].point);
    Contacts reversed(all.rbegin(), all.rend());
    EXPECT_EQ(points_of(manifold(reversed)), points_of(m));
  }
  EXPECT_GT(four, 50u);
}

}  // namespace
}  // namespace tumble
