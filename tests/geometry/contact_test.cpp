// SPDX-License-Identifier: Apache-2.0
#include "geometry/contact.h"

#include "geometry/pair_generators.h"
#include "geometry/predicates.h"
#include "geometry/triangle_pair.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace tumble {
namespace {

using testing::Random;

const Corners floor_{Vec3{0, 0, 0}, Vec3{8, 0, 0}, Vec3{0, 8, 0}};

Contact contact(const Corners& a, const Corners& b) {
  const auto kind = classify(a, b);
  EXPECT_TRUE(kind.has_value());
  return make_contact(a, b, *kind, 0, 0);
}

void expect_outline(const Corners& a, const Corners& b, std::vector<Vec3> expected) {
  for (const bool swapped : {false, true}) {
    const Contact c = swapped ? contact(b, a) : contact(a, b);
    std::vector<Vec3> got(c.outline().begin(), c.outline().end());
    Vec3 middle{};
    for (const Vec3& p : got) middle += p / static_cast<double>(got.size());
    EXPECT_LT(length(c.point - middle), 1e-12);
    std::ranges::sort(got, lexicographic_less);
    std::ranges::sort(expected, lexicographic_less);
    EXPECT_EQ(got, expected);
  }
}

TEST(CommonSet, OfCrossingAndTouchingTriangles) {
  expect_outline(floor_, {Vec3{2, 2, -2}, Vec3{2, 2, 2}, Vec3{4, 2, 2}}, {{2, 2, 0}, {3, 2, 0}});
  expect_outline(floor_, {Vec3{-9, 1, -9}, Vec3{-9, 1, 9}, Vec3{99, 1, 0}}, {{0, 1, 0}, {7, 1, 0}});
  expect_outline(floor_, {Vec3{2, 2, 0}, Vec3{2, 2, 2}, Vec3{4, 2, 2}}, {{2, 2, 0}});
  expect_outline(floor_, {Vec3{8, 0, 0}, Vec3{9, 0, 2}, Vec3{9, 0, -2}}, {{8, 0, 0}});
  expect_outline(floor_, {Vec3{4, 0, -2}, Vec3{4, 0, 2}, Vec3{4, -5, 0}}, {{4, 0, 0}});
  expect_outline(floor_, {Vec3{2, 0, 0}, Vec3{12, 0, 0}, Vec3{4, -5, 3}}, {{2, 0, 0}, {8, 0, 0}});
  expect_outline(floor_, {Vec3{1, 1, 0}, Vec3{12, 1, 0}, Vec3{4, 1, 3}}, {{1, 1, 0}, {7, 1, 0}});
}

TEST(CommonSet, OfCoplanarTriangles) {
  expect_outline(floor_, floor_, {floor_[0], floor_[1], floor_[2]});
  const Corners inner{Vec3{1, 1, 0}, Vec3{2, 1, 0}, Vec3{1, 2, 0}};
  expect_outline(floor_, inner, {inner[0], inner[1], inner[2]});
  expect_outline(floor_, {Vec3{0, 0, 0}, Vec3{8, 0, 0}, Vec3{0, -8, 0}}, {{0, 0, 0}, {8, 0, 0}});
  expect_outline(floor_, {Vec3{2, 0, 0}, Vec3{12, 0, 0}, Vec3{4, -8, 0}}, {{2, 0, 0}, {8, 0, 0}});
  expect_outline(floor_, {Vec3{4, 4, 0}, Vec3{8, 8, 0}, Vec3{4, 9, 0}}, {{4, 4, 0}});
  expect_outline(floor_, {Vec3{2, 0, 0}, Vec3{4, 0, 0}, Vec3{2, 2, 0}}, {{2, 0, 0}, {4, 0, 0}, {2, 2, 0}});
  expect_outline(floor_, {Vec3{-2, 2, 0}, Vec3{2, -2, 0}, Vec3{2, 2, 0}}, {{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}});
  const Corners up{Vec3{0, 0, 0}, Vec3{12, 0, 0}, Vec3{6, 12, 0}}, down{Vec3{0, 8, 0}, Vec3{12, 8, 0}, Vec3{6, -4, 0}};
  expect_outline(up, down, {{4, 0, 0}, {8, 0, 0}, {10, 4, 0}, {8, 8, 0}, {4, 8, 0}, {2, 4, 0}});
}

TEST(CommonSet, OfDegenerateTriangles) {
  const auto segment = [](const Vec3& p, const Vec3& q) { return Corners{p, q, p}; };
  expect_outline(floor_, segment({2, 2, -2}, {2, 2, 2}), {{2, 2, 0}});
  expect_outline(floor_, segment({2, 2, 0}, {2, 2, 2}), {{2, 2, 0}});
  expect_outline(floor_, segment({-2, 2, 0}, {12, 2, 0}), {{0, 2, 0}, {6, 2, 0}});
  expect_outline(floor_, segment({-2, 2, 0}, {4, 2, 0}), {{0, 2, 0}, {4, 2, 0}});
  expect_outline(floor_, segment({-2, -2, 0}, {2, 2, 0}), {{0, 0, 0}, {2, 2, 0}});
  expect_outline(floor_, segment({-2, 0, 0}, {2, 0, 0}), {{0, 0, 0}, {2, 0, 0}});
  expect_outline(floor_, segment({-2, 2, 0}, {2, -2, 0}), {{0, 0, 0}});
  expect_outline(segment({0, 0, 0}, {4, 4, 4}), segment({4, 0, 0}, {0, 4, 4}), {{2, 2, 2}});
  expect_outline(segment({0, 0, 0}, {4, 4, 4}), segment({2, 2, 2}, {8, 8, 8}), {{2, 2, 2}, {4, 4, 4}});
  expect_outline(segment({0, 0, 0}, {4, 4, 4}), segment({4, 4, 4}, {8, 8, 8}), {{4, 4, 4}});
  expect_outline(floor_, segment({1, 2, 0}, {1, 2, 0}), {{1, 2, 0}});
}

TEST(Contact, DegenerateOnesHaveNoNormal) {
  const Contact c = contact(floor_, {Vec3{2, 2, -2}, Vec3{2, 2, 2}, Vec3{2, 2, 0}});
  EXPECT_TRUE(std::isnan(c.depth) && std::isnan(c.normal.x) && std::isnan(c.normal.y) && std::isnan(c.normal.z));
  EXPECT_EQ(c.kind, ContactKind::touch);
}

TEST(Contact, NormalPointsFromBToA) {
  const Corners tip{Vec3{2, 2, -0.5}, Vec3{2, 2, 4}, Vec3{4, 2, 4}};  // dips into the floor
  const Contact c = contact(tip, floor_);
  EXPECT_EQ(c.normal, (Vec3{0, 0, 1}));
  EXPECT_EQ(c.depth, 0.5);
  const Contact mirrored = contact(floor_, tip);
  EXPECT_EQ(mirrored.normal, (Vec3{0, 0, -1}));
  EXPECT_EQ(mirrored.depth, 0.5);
  EXPECT_EQ(mirrored.point, c.point);
}

TEST(Contact, DepthCountsOnlyWhatLiesOverTheOther) {
  // The long lower part hangs beside the floor: only what is over it must come up.
  const Corners hanging{Vec3{-16, 1, -9}, Vec3{2, 1, 0.5}, Vec3{2, 1, 9}};
  const Contact c = contact(hanging, floor_);
  const double at_edge = 0.5 - 2 * 9.5 / 18;  // where its lower side passes x = 0
  EXPECT_NEAR(c.depth, -at_edge, 1e-12);
  EXPECT_EQ(c.normal, (Vec3{0, 0, 1}));
}

TEST(Contact, CoplanarAndTouchingFromAboveHaveNoDepth) {
  EXPECT_EQ(contact(floor_, floor_).depth, 0);
  const Corners standing{Vec3{2, 2, 0}, Vec3{2, 2, 4}, Vec3{4, 2, 4}};
  const Contact c = contact(standing, floor_);
  EXPECT_EQ(c.depth, 0);
  EXPECT_EQ(c.normal, (Vec3{0, 0, 1}));
}

TEST(Contact, ATouchThatNeedsNoMoveIsNotDeep) {
  // Turned and moved about, so that nothing is round: a corner or an edge on a face, and edges that cross in a point.
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> any(-1, 1);
  int touches = 0;
  for (int i = 0; i < 20000; ++i) {
    const auto point = [&] { return Vec3{any(random), any(random), any(random)} * 1000; };
    const Corners a{point(), point(), point()};
    const Vec3 away = point();
    const bool at_corner = i % 2 == 0;
    const Vec3 shared = at_corner ? a[0] : a[0] * 0.5 + a[1] * 0.5;  // the second is on the edge, if it is not rounded
    const Vec3 n = cross(a[1] - a[0], a[2] - a[0]);
    const double side = dot(n, away) > 0 ? 1 : -1;
    const Corners b{shared, shared + away, shared + n * (side / length(n)) + point() * 1e-3};
    if (classify(a, b) != ContactKind::touch) continue;
    ++touches;
    const Contact c = contact(a, b);
    EXPECT_TRUE(c.depth == 0 || c.depth > 1e-9) << "pair " << i << ": " << c.depth;
  }
  EXPECT_GT(touches, 5000);
}

TEST(Contact, WorksAtEveryScale) {
  const Corners tip{Vec3{2, 2, -0.5}, Vec3{2, 2, 4}, Vec3{4, 2, 4}};
  for (const int exponent : {-1070, -600, -100, 100, 328}) {
    const auto scaled = [exponent](Corners t) {
      for (Vec3& p : t) p = {std::ldexp(p.x, exponent), std::ldexp(p.y, exponent), std::ldexp(p.z, exponent)};
      return t;
    };
    const Contact c = contact(scaled(tip), scaled(floor_));
    EXPECT_EQ(c.depth, std::ldexp(0.5, exponent));
    EXPECT_EQ(c.normal, (Vec3{0, 0, 1}));
    EXPECT_EQ(c.vertex_count, 2);
  }
}

Corners moved(Corners t, const Vec3& by) {
  for (Vec3& p : t) p += by;
  return t;
}

TEST(Contact, DepthIsTheLeastMoveAlongTheNormalThatSeparates) {
  const std::uint64_t seed = 17;
  RecordProperty("seed", seed);
  Random random(seed);
  int checked = 0;
  for (int i = 0; i < 20000; ++i) {
    const auto [a, b] = testing::generators()[0].make(random);
    if (classify(a, b) != ContactKind::cross) continue;
    const Contact c = contact(a, b);
    ASSERT_NEAR(length(c.normal), 1, 1e-15);
    if (c.depth < 1e-4) continue;  // moving rounds to 1e-16, which must be little beside 1e-9 of the depth
    ++checked;
    ASSERT_FALSE(intersects(moved(a, c.normal * (c.depth * (1 + 1e-9))), b)) << "pair " << i;
    ASSERT_TRUE(intersects(moved(a, c.normal * (c.depth * (1 - 1e-9))), b)) << "pair " << i;
    ASSERT_FALSE(intersects(a, moved(b, c.normal * (-c.depth * (1 + 1e-9))))) << "pair " << i;
    // No other triangle normal does it in less.
    for (const Corners* t : {&a, &b})
      for (const double sign : {-1.0, 1.0}) {
        const Vec3 n = cross((*t)[1] - (*t)[0], (*t)[2] - (*t)[0]);
        ASSERT_TRUE(intersects(moved(a, n * (sign * c.depth * (1 - 1e-9) / length(n))), b)) << "pair " << i;
      }
  }
  EXPECT_GT(checked, 4000);
}

TEST(Contact, IndependentOfOrderOnEveryGenerator) {
  const std::uint64_t seed = 5;
  RecordProperty("seed", seed);
  for (const testing::Generator& generator : testing::generators()) {
    SCOPED_TRACE(generator.name);
    Random random(seed);
    for (int i = 0; i < 300; ++i) {
      const auto [a, b] = generator.make(random);
      const auto kind = classify(a, b);
      if (!kind) continue;
      // The same corners in another order, of the same winding only if nothing else tells the triangles apart.
      const bool coincide = sorted(a) == sorted(b);
      const Corners other = coincide ? Corners{a[1], a[2], a[0]} : Corners{a[1], a[0], a[2]};
      const Contact c = make_contact(a, b, *kind, 3, 5), d = make_contact({b[2], b[0], b[1]}, other, *kind, 5, 3);
      ASSERT_EQ(c.vertices, d.vertices);
      ASSERT_EQ(c.vertex_count, d.vertex_count);
      ASSERT_EQ(c.point, d.point);
      if (dimension(a) < 2 || dimension(b) < 2) {
        ASSERT_TRUE(std::isnan(c.depth));
        continue;
      }
      ASSERT_EQ(c.depth, d.depth);
      ASSERT_GE(c.depth, 0);
      ASSERT_NEAR(length(c.normal), 1, 1e-14);
      ASSERT_EQ(c.normal, -d.normal);
    }
  }
}

/// Small triangles of a plane's grid: most meet, many coincide, wound either way.
TEST(Contact, SwappingCoplanarTrianglesTurnsTheNormal) {
  const std::uint64_t seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  const Vec3 u{3, 1, -2}, v{-1, 4, 0.5};
  const auto triangle = [&] {
    Corners t;
    do {
      for (Vec3& p : t) p = u * double(random() % 2) + v * double(random() % 2) + Vec3{1, 2, 3};
    } while (dimension(t) < 2);
    return t;
  };
  int coplanar = 0, coincident = 0, facing = 0;
  for (int i = 0; i < 3000; ++i) {
    const Corners a = triangle(), b = triangle();
    const auto kind = classify(a, b);
    if (!kind) continue;
    const std::uint32_t of_a = static_cast<std::uint32_t>(random() % 4),
                        of_b = static_cast<std::uint32_t>(random() % 4);
    const Contact c = make_contact(a, b, *kind, of_a, of_b), d = make_contact(b, a, *kind, of_b, of_a);
    ASSERT_EQ(c.kind, d.kind);
    ASSERT_EQ(c.vertices, d.vertices);
    ASSERT_EQ(c.point, d.point);
    ASSERT_EQ(c.depth, d.depth);
    const bool coincide = sorted(a) == sorted(b);
    const Vec3 front_a = cross(a[1] - a[0], a[2] - a[0]), front_b = cross(b[1] - b[0], b[2] - b[0]);
    const bool face = dot(front_a, front_b) < 0;
    coplanar += *kind == ContactKind::coplanar;
    coincident += coincide;
    facing += coincide && face;
    if (coincide && face) {
      ASSERT_GT(dot(c.normal, front_b), 0);  // a is in front of b
    }
    // Nothing tells them apart, so nothing can change.
    ASSERT_EQ(c.normal, coincide && !face && of_a == of_b ? d.normal : -d.normal);
  }
  EXPECT_GT(coplanar, 1000);
  EXPECT_GT(coincident, 300);
  EXPECT_GT(facing, 100);
}

}  // namespace
}  // namespace tumble
