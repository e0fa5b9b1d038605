// SPDX-License-Identifier: Apache-2.0
// Boundaries of k-DOPs against exact corners, found as intersections of three planes in rationals.
#include "bounds/dop_brep.h"

#include "bounds/dop_measure.h"
#include "bounds/random.h"

#include <gtest/gtest.h>
#include <boost/multiprecision/cpp_int.hpp>

#include <map>

namespace tumble {
namespace {

using Rational = boost::multiprecision::cpp_rational;

struct Planes {
  std::vector<std::array<Rational, 4>> rows;  // x, y, z, offset

  Planes(std::span<const float> lower, std::span<const float> upper, int k) {
    for (std::size_t i = 0; i < lower.size(); ++i) {
      const Vec3 n = directions(k)[i];
      rows.push_back({Rational(n.x), Rational(n.y), Rational(n.z), Rational(upper[i])});
      rows.push_back({-Rational(n.x), -Rational(n.y), -Rational(n.z), -Rational(lower[i])});
    }
  }
  std::vector<Vec3> corners() const {
    std::vector<Vec3> found;
    const auto minor = [](const auto& p, const auto& q, const auto& r, std::size_t a, std::size_t b, std::size_t c) {
      return Rational(p[a] * (q[b] * r[c] - q[c] * r[b]) - p[b] * (q[a] * r[c] - q[c] * r[a]) +
                      p[c] * (q[a] * r[b] - q[b] * r[a]));
    };
    for (std::size_t a = 0; a < rows.size(); ++a)
      for (std::size_t b = a + 1; b < rows.size(); ++b)
        for (std::size_t c = b + 1; c < rows.size(); ++c) {
          const auto &p = rows[a], &q = rows[b], &r = rows[c];
          const Rational determinant = minor(p, q, r, 0, 1, 2);
          if (determinant == 0) continue;
          const Rational x = minor(p, q, r, 3, 1, 2) / determinant, y = minor(p, q, r, 0, 3, 2) / determinant,
                         z = minor(p, q, r, 0, 1, 3) / determinant;
          const bool inside = std::all_of(rows.begin(), rows.end(), [&](const auto& row) {
            return row[0] * x + row[1] * y + row[2] * z <= row[3];
          });
          if (inside) found.push_back({static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)});
        }
    return found;
  }
};

void expect_boundary(std::span<const float> lower, std::span<const float> upper, int k, IntersectBy way,
                     std::span<const Vec3> exact, Random& random) {
  const Polytope polytope = boundary(lower, upper, k, way);
  EXPECT_LE(polytope.vertices.size(), 2 * static_cast<std::size_t>(k) - 4);
  const SlabCentre centre = slab_centre(lower, upper, k);
  const double scale = centre.reach + length(centre.point);
  ASSERT_LE(polytope.margin, 1e-9 * scale + 1e-40);
  if (exact.empty()) {
    EXPECT_TRUE(polytope.vertices.empty());
    return;
  }
  ASSERT_FALSE(polytope.vertices.empty());
  for (int i = 0; i < 40; ++i) {  // the same support, from both sides
    Vec3 direction = random.vector(1);
    direction = direction / length(direction);
    const auto reach = [direction](std::span<const Vec3> points) {
      double most = -std::numeric_limits<double>::infinity();
      for (const Vec3& p : points) most = std::max(most, dot(direction, p));
      return most;
    };
    ASSERT_GE(reach(polytope.vertices) + polytope.margin, reach(exact));
    ASSERT_LE(reach(polytope.vertices), reach(exact) + 1e-9 * scale);
  }
  // Closed and outward: the faces enclose the volume measured another way, and have its area.
  double six_volumes = 0, twice_area = 0;
  std::map<std::array<std::uint32_t, 2>, int> balance;
  for (const auto& t : triangulate(polytope)) {
    const Vec3 a = polytope.vertices[t[0]] - centre.point, b = polytope.vertices[t[1]] - centre.point,
               c = polytope.vertices[t[2]] - centre.point;
    six_volumes += dot(a, cross(b, c));
    twice_area += length(cross(b - a, c - a));
    for (std::size_t i = 0; i < 3; ++i) ++balance[{t[i], t[(i + 1) % 3]}], --balance[{t[(i + 1) % 3], t[i]}];
  }
  const double size_3 = scale * scale * scale;
  EXPECT_NEAR(six_volumes / 6, volume(lower, upper, k), 1e-9 * size_3);
  EXPECT_NEAR(twice_area / 2, area(lower, upper, k), 1e-8 * scale * scale);
  for (const auto& [edge, count] : balance) EXPECT_EQ(count, 0);
  for (std::size_t face = 0; face < polytope.face_count(); ++face) {
    const std::uint32_t plane = polytope.face_plane[face];
    const Vec3 n = directions(k)[plane / 2];
    const float bound = plane % 2 == 0 ? upper[plane / 2] : lower[plane / 2];
    for (const std::uint32_t v : polytope.ring(face))
      EXPECT_NEAR(dot(n, polytope.vertices[v]), bound, 1e-10 * scale * length(n));
  }
}

void expect_boundary(std::span<const float> lower, std::span<const float> upper, int k, Random& random) {
  const std::vector<Vec3> exact = Planes(lower, upper, k).corners();
  for (const IntersectBy way : {IntersectBy::dual_hull, IntersectBy::clipping}) {
    SCOPED_TRACE(way == IntersectBy::dual_hull ? "dual hull" : "clipping");
    expect_boundary(lower, upper, k, way, exact, random);
  }
}

TEST(DopBrep, AgreesWithExactCornersOfFittedClouds) {
  for (const int k : listed_k)
    with_k(k, [](auto listed) {
      const std::uint64_t rounds = listed() <= 18 ? 15 : listed() == 26 ? 4 : 0;
      for (std::uint64_t seed = 0; seed < rounds; ++seed) {
        SCOPED_TRACE(testing::Message() << "k " << listed() << " seed " << seed);
        Random random(seed + 500);
        const Dop<listed()> dop = fit<listed()>(random.cloud(12, std::pow(10.0, random.integer(-12, 12))));
        expect_boundary(dop.lower, dop.upper, listed(), random);
      }
    });
}

// For 50 and 98 directions the exact enumeration takes too long: the points themselves must be inside, and the faces
// enclose the volume measured another way.
TEST(DopBrep, HoldsThePointsOfLargeSets) {
  for (const int k : {50, 98})
    with_k(k, [](auto listed) {
      for (std::uint64_t seed = 0; seed < 60; ++seed) {
        SCOPED_TRACE(testing::Message() << "k " << listed() << " seed " << seed);
        Random random(seed);
        const std::vector<Vec3> points = random.cloud(40);
        const Dop<listed()> dop = fit<listed()>(points);
        const Polytope polytope = boundary(dop, seed % 2 == 0 ? IntersectBy::dual_hull : IntersectBy::clipping);
        ASSERT_LE(polytope.vertices.size(), 2u * listed() - 4u);
        double six_volumes = 0;
        for (const auto& t : triangulate(polytope))
          six_volumes += dot(polytope.vertices[t[0]] - points[0],
                             cross(polytope.vertices[t[1]] - points[0], polytope.vertices[t[2]] - points[0]));
        const double reach = slab_centre(dop.lower, dop.upper, listed()).reach;
        EXPECT_NEAR(six_volumes / 6, volume(dop), 1e-9 * reach * reach * reach);
        for (int i = 0; i < 40; ++i) {
          const Vec3 direction = random.vector(1);
          double most = -std::numeric_limits<double>::infinity();
          for (const Vec3& v : polytope.vertices) most = std::max(most, dot(direction, v));
          for (const Vec3& p : points) ASSERT_GE(most + polytope.margin * length(direction), dot(direction, p));
        }
      }
    });
}

TEST(DopBrep, AgreesWithExactCornersOnTies) {
  int solid = 0, flat = 0, thinner = 0, empty = 0;
  for (const int k : {6, 8, 12, 14, 18, 26})
    for (std::uint64_t seed = 0; seed < 25; ++seed) {
      SCOPED_TRACE(testing::Message() << "k " << k << " seed " << seed);
      Random random(seed);
      std::vector<float> lower(static_cast<std::size_t>(k) / 2), upper(lower.size());
      const int spread = random.integer(1, 4);
      for (std::size_t i = 0; i < lower.size(); ++i) {
        lower[i] = static_cast<float>(random.integer(-spread, seed % 8 == 0 ? 1 : 0));
        upper[i] = static_cast<float>(random.integer(seed % 8 == 0 ? -1 : 0, spread));
      }
      expect_boundary(lower, upper, k, random);
      const Polytope polytope = boundary(lower, upper, k);
      (polytope.vertices.empty()      ? empty
       : polytope.face_count() == 0   ? thinner
       : volume(lower, upper, k) == 0 ? flat
                                      : solid)++;
    }
  EXPECT_GT(solid, 20);
  EXPECT_GT(flat, 5);
  EXPECT_GT(thinner, 5);
  EXPECT_GT(empty, 5);
}

TEST(DopBrep, HasTheCornersOfTheGeneralDop) {
  // With normalised offsets the corners of 12-, 14-, 18- and 26-DOPs are simple: the bound 2k − 4 is reached.
  for (const int k : {6, 12, 14, 18, 26}) {
    std::vector<float> upper, lower;
    for (const double size : direction_lengths(k))
      upper.push_back(static_cast<float>(size)), lower.push_back(-upper.back());
    EXPECT_EQ(boundary(lower, upper, k).vertices.size(), 2 * static_cast<std::size_t>(k) - 4) << k;
    EXPECT_EQ(boundary(lower, upper, k).face_count(), static_cast<std::size_t>(k)) << k;
  }
}

}  // namespace
}  // namespace tumble
