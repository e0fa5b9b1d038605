// SPDX-License-Identifier: Apache-2.0
#include "geometry/triangle_pair.h"

#include "geometry/pair_generators.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

namespace tumble {
namespace {

using Kind = std::optional<ContactKind>;
constexpr ContactKind touch = ContactKind::touch, cross = ContactKind::cross, coplanar = ContactKind::coplanar;
constexpr std::nullopt_t apart = std::nullopt;
constexpr double denorm = std::numeric_limits<double>::denorm_min();

constexpr std::size_t orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};

Vec3 turned(const Vec3& p, int axes) { return axes == 0 ? p : axes == 1 ? Vec3{p.y, p.z, p.x} : Vec3{p.z, p.x, p.y}; }

/// Every order of corners, both orders of triangles, every cyclic order of axes, mirrored, and at every scale.
void expect_kind(const Corners& a, const Corners& b, Kind expected) {
  for (const double scale : {1.0, -1.0, 0x1p300, 0x1p-400, 0x1p-1040})
    for (int axes = 0; axes < 3; ++axes)
      for (const auto& i : orders)
        for (const auto& j : orders) {
          const auto placed = [&](const Vec3& p) { return turned(p, axes) * scale; };
          const Corners ta{placed(a[i[0]]), placed(a[i[1]]), placed(a[i[2]])};
          const Corners tb{placed(b[j[0]]), placed(b[j[1]]), placed(b[j[2]])};
          ASSERT_EQ(classify(ta, tb), expected) << "scale " << scale << ", axes " << axes;
          ASSERT_EQ(classify(tb, ta), expected) << "swapped, scale " << scale << ", axes " << axes;
          ASSERT_EQ(intersects(ta, tb), expected.has_value());
        }
}

const Corners floor_{Vec3{0, 0, 0}, Vec3{8, 0, 0}, Vec3{0, 8, 0}};

Corners wall(const Vec3& p, const Vec3& q, const Vec3& r) { return {p, q, r}; }

TEST(TrianglePair, ApartInEveryWay) {
  expect_kind(floor_, wall({0, 0, 1}, {8, 0, 1}, {0, 8, 1}), apart);    // parallel planes
  expect_kind(floor_, wall({1, 1, 1}, {2, 1, 4}, {1, 2, 3}), apart);    // above
  expect_kind(floor_, wall({9, 9, -1}, {9, 9, 1}, {12, 9, 0}), apart);  // beside, across the plane
  expect_kind(floor_, wall({5, 5, -1}, {5, 5, 1}, {9, 9, 1}), apart);   // just outside the long edge
  expect_kind(floor_, wall({9, 0, 0}, {12, 0, 0}, {9, 4, 0}), apart);   // coplanar
  expect_kind(floor_, wall({5, 4, 0}, {8, 8, 0}, {4, 5, 0}), apart);    // coplanar, along the long edge
  expect_kind(floor_, wall({8, 1, 0}, {8, 1, 1}, {9, 2, 1}), apart);    // a corner in the plane, outside
  expect_kind(floor_, wall({-1, -1, 0}, {-1, -1, 4}, {-2, -1, 4}), apart);
}

TEST(TrianglePair, Crosses) {
  expect_kind(floor_, wall({2, 2, -1}, {2, 2, 3}, {3, 1, 3}), cross);     // through the inside
  expect_kind(floor_, wall({2, 2, -4}, {2, 2, 4}, {40, 40, 4}), cross);   // over the edge
  expect_kind(floor_, wall({-9, 1, -4}, {-9, 1, 4}, {90, 1, 0}), cross);  // right through, ends outside
  expect_kind(floor_, wall({2, 2, 0}, {1, 1, 4}, {1, 2, -4}), cross);     // one corner in the plane, two sides
}

TEST(TrianglePair, Touches) {
  expect_kind(floor_, wall({2, 2, 0}, {2, 2, 3}, {3, 1, 3}), touch);    // corner on face
  expect_kind(floor_, wall({4, 4, 0}, {4, 4, 3}, {5, 5, 3}), touch);    // corner on edge
  expect_kind(floor_, wall({8, 0, 0}, {9, 0, 3}, {9, 1, -3}), touch);   // corner on corner
  expect_kind(floor_, wall({1, 1, 0}, {2, 1, 0}, {1, 1, 5}), touch);    // edge on face
  expect_kind(floor_, wall({-3, 1, 0}, {9, 1, 0}, {1, 1, 5}), touch);   // edge across face
  expect_kind(floor_, wall({0, 0, 0}, {8, 0, 0}, {1, -1, 5}), touch);   // a common edge
  expect_kind(floor_, wall({2, 0, 0}, {4, 0, 0}, {1, -1, 5}), touch);   // edge along edge
  expect_kind(floor_, wall({4, 0, -2}, {4, 0, 2}, {4, -5, 0}), touch);  // edge through edge
  expect_kind(floor_, wall({4, 4, -2}, {4, 4, 2}, {6, 6, 0}), touch);
  expect_kind(floor_, wall({0, 0, -2}, {0, 0, 2}, {-4, -4, 0}), touch);  // edge through corner
}

TEST(TrianglePair, CoplanarOnesShareAreaOrTouch) {
  expect_kind(floor_, floor_, coplanar);
  expect_kind(floor_, wall({1, 1, 0}, {2, 1, 0}, {1, 2, 0}), coplanar);      // inside
  expect_kind(floor_, wall({-9, -9, 0}, {40, 0, 0}, {0, 40, 0}), coplanar);  // around
  expect_kind(floor_, wall({4, -4, 0}, {4, 9, 0}, {6, 9, 0}), coplanar);
  expect_kind(floor_, wall({0, 0, 0}, {8, 0, 0}, {0, -8, 0}), touch);    // a common edge, on either side
  expect_kind(floor_, wall({0, 0, 0}, {8, 0, 0}, {3, 3, 0}), coplanar);  // a common edge, on one side
  expect_kind(floor_, wall({2, 0, 0}, {12, 0, 0}, {3, -3, 0}), touch);   // edge along edge
  expect_kind(floor_, wall({4, 4, 0}, {8, 8, 0}, {4, 9, 0}), touch);     // corner on edge
  expect_kind(floor_, wall({8, 0, 0}, {12, 0, 0}, {12, 5, 0}), touch);   // corner on corner
}

TEST(TrianglePair, DegenerateTrianglesAreSegmentsAndPoints) {
  const auto segment = [](const Vec3& p, const Vec3& q) { return Corners{p, (p + q) / 2, q}; };
  const auto doubled = [](const Vec3& p, const Vec3& q) { return Corners{p, q, q}; };
  const auto point = [](const Vec3& p) { return Corners{p, p, p}; };
  for (const auto& make : {+segment, +doubled}) {
    expect_kind(floor_, make({2, 2, -2}, {2, 2, 2}), touch);
    expect_kind(floor_, make({2, 2, 0}, {2, 2, 2}), touch);
    expect_kind(floor_, make({4, 4, -2}, {4, 4, 2}), touch);
    expect_kind(floor_, make({4, 6, -2}, {4, 6, 2}), apart);
    expect_kind(floor_, make({2, 2, 2}, {2, 2, 4}), apart);
    expect_kind(floor_, make({-2, 2, 0}, {12, 2, 0}), touch);
    expect_kind(floor_, make({2, 2, 0}, {4, 2, 0}), touch);
    expect_kind(floor_, make({8, 2, 0}, {2, 8, 0}), apart);
    expect_kind(floor_, make({8, 0, 0}, {12, 6, 0}), touch);
    expect_kind(make({0, 0, 0}, {4, 4, 4}), make({4, 0, 0}, {0, 4, 4}), touch);
    expect_kind(make({0, 0, 0}, {4, 4, 4}), make({4, 0, 0}, {0, 4, 6}), apart);
    expect_kind(make({0, 0, 0}, {4, 4, 4}), make({2, 2, 2}, {8, 8, 8}), touch);
    expect_kind(make({0, 0, 0}, {4, 4, 4}), make({4, 4, 4}, {8, 8, 8}), touch);
    expect_kind(make({0, 0, 0}, {4, 4, 4}), make({6, 6, 6}, {8, 8, 8}), apart);
    expect_kind(make({0, 0, 0}, {4, 4, 4}), make({0, 0, 2}, {4, 4, 6}), apart);
    expect_kind(make({0, 0, 0}, {4, 2, 0}), make({2, 1, 0}, {2, 5, 0}), touch);
    expect_kind(make({0, 0, 0}, {4, 2, 0}), make({2, 2, 0}, {2, 5, 0}), apart);
    expect_kind(make({0, 0, 0}, {4, 2, 6}), point({2, 1, 3}), touch);
    expect_kind(make({0, 0, 0}, {4, 2, 6}), point({6, 3, 9}), apart);
    expect_kind(make({0, 0, 0}, {4, 2, 6}), point({2, 1, 4}), apart);
  }
  expect_kind(floor_, point({2, 2, 0}), touch);
  expect_kind(floor_, point({4, 4, 0}), touch);
  expect_kind(floor_, point({0, 8, 0}), touch);
  expect_kind(floor_, point({4, 6, 0}), apart);
  expect_kind(floor_, point({2, 2, 2}), apart);
  expect_kind(point({2, 4, 6}), point({2, 4, 6}), touch);
  expect_kind(point({2, 4, 6}), point({2, 4, 8}), apart);
}

TEST(TrianglePair, NegativeZeroIsZero) {
  expect_kind({Vec3{0, 0, 0}, Vec3{0, 0, 0}, Vec3{0, 0, 0}}, {Vec3{-0.0, 0, -0.0}, Vec3{0, -0.0, 0}, Vec3{0, 0, 0}},
              touch);
}

TEST(TrianglePair, OneUlpDecides) {
  const Corners face{Vec3{0.1, 0.1, 0.3}, Vec3{0.9, 0.1, 0.3}, Vec3{0.1, 0.7, 0.3}};
  const auto needle = [](double tip) { return Corners{Vec3{0.3, 0.3, tip}, Vec3{0.2, 0.2, 1}, Vec3{0.4, 0.2, 1}}; };
  EXPECT_EQ(classify(face, needle(0.3)), Kind(touch));
  EXPECT_EQ(classify(face, needle(std::nextafter(0.3, 1))), Kind(apart));
  EXPECT_EQ(classify(face, needle(std::nextafter(0.3, 0))), Kind(cross));
}

TEST(TrianglePair, MagnitudesMayDifferByAnything) {
  const Corners huge{Vec3{-1e100, -1e100, 0}, Vec3{1e100, -1e100, 0}, Vec3{0, 1e100, 0}};
  const auto speck = [](double low) {
    return Corners{Vec3{0, 0, low}, Vec3{0, denorm, denorm}, Vec3{denorm, 0, denorm}};
  };
  EXPECT_EQ(classify(huge, speck(-denorm)), Kind(cross));
  EXPECT_EQ(classify(huge, speck(0)), Kind(touch));
  EXPECT_EQ(classify(huge, speck(denorm)), Kind(apart));
}

TEST(TrianglePair, SymmetricOnEveryGenerator) {
  const std::uint64_t seed = 3;
  RecordProperty("seed", seed);
  for (const testing::Generator& generator : testing::generators()) {
    SCOPED_TRACE(generator.name);
    testing::Random random(seed);
    for (int n = 0; n < 100; ++n) {
      const auto [a, b] = generator.make(random);
      const Kind kind = classify(a, b);
      for (const auto& i : orders) {
        const Corners permuted{a[i[0]], a[i[1]], a[i[2]]};
        ASSERT_EQ(classify(permuted, b), kind);
        ASSERT_EQ(classify(b, permuted), kind);
      }
    }
  }
}

}  // namespace
}  // namespace tumble
