// SPDX-License-Identifier: Apache-2.0
#include "bounds/obb.h"

#include "bounds/obb_fit.h"
#include "bounds/random.h"

#include <gtest/gtest.h>
#include <boost/multiprecision/cpp_int.hpp>

#include <algorithm>
#include <cmath>

namespace tumble {
namespace {

using Rational = boost::multiprecision::cpp_rational;
using RationalVector = std::array<Rational, 3>;

Vec3 vector(const std::array<float, 3>& v) { return {v[0], v[1], v[2]}; }
RationalVector rational(const std::array<float, 3>& v) { return {Rational(v[0]), Rational(v[1]), Rational(v[2])}; }
Rational dot(const RationalVector& a, const RationalVector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
RationalVector cross(const RationalVector& a, const RationalVector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

void expect_certain_containment(const Obb& box, Vec3 p) {
  const RationalVector offset{Rational(p.x) - Rational(box.center[0]), Rational(p.y) - Rational(box.center[1]),
                              Rational(p.z) - Rational(box.center[2])};
  std::array<RationalVector, 3> axes;
  for (std::size_t i = 0; i < 3; ++i) axes[i] = rational(box.axes[i]);
  const Rational determinant = dot(axes[0], cross(axes[1], axes[2]));
  for (std::size_t i = 0; i < 3; ++i) {
    ASSERT_LE(abs(dot(axes[i], offset)), Rational(box.half[i])) << "slab form, axis " << i;
    // offset = Σ z_i a_i by Cramer's rule
    const Rational z = dot(offset, cross(axes[(i + 1) % 3], axes[(i + 2) % 3])) / determinant;
    ASSERT_LE(abs(z), Rational(box.half[i])) << "vertex form, axis " << i;
  }
}

Mat3 random_frame(Random& random) {
  for (;;) {
    Vec3 w = random.vector(1), u = random.vector(1);
    if (length(w) < 0.1) continue;
    w = w / length(w);
    u = u - w * tumble::dot(u, w);
    if (length(u) < 0.1) continue;
    u = u / length(u);
    return {{u, tumble::cross(w, u), w}};
  }
}

Obb around(const Mat3& frame, std::span<const Vec3> points) {
  ObbExtents extents(frame);
  for (const Vec3& p : points) extents.add(p);
  return extents.finish();
}

Obb random_box(Random& random, double size) {
  const Mat3 frame = random_frame(random);
  const Vec3 centre = random.vector(size);
  Vec3 half{std::abs(random.uniform(0, size)), random.uniform(0, size), random.uniform(0, size)};
  for (int axis = 0; axis < 3; ++axis)
    if (random.integer(0, 4) == 0) half[axis] = 0;
  std::vector<Vec3> corners;
  for (int i = 0; i < 8; ++i) {
    Vec3 corner = centre;
    for (int axis = 0; axis < 3; ++axis)
      corner += frame.rows[static_cast<std::size_t>(axis)] * ((i >> axis & 1) != 0 ? half[axis] : -half[axis]);
    corners.push_back(corner);
  }
  return around(frame, corners);
}

TEST(Obb, ContainsItsPointsExactlyInBothForms) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    const double size = std::pow(10.0, random.integer(-12, 12));
    const std::vector<Vec3> points = random.cloud(10, size);
    const Obb box = around(random_frame(random), points);
    double largest = 0;
    for (const Vec3& p : points) {
      expect_certain_containment(box, p);
      EXPECT_TRUE(contains(box, p));
      largest = std::max(largest, length(p));
    }
    for (std::size_t i = 0; i < 3; ++i) {  // and is no larger than rounding asks for
      double low = 1e300, high = -1e300;
      for (const Vec3& p : points) {
        low = std::min(low, tumble::dot(vector(box.axes[i]), p));
        high = std::max(high, tumble::dot(vector(box.axes[i]), p));
      }
      EXPECT_LE(box.half[i], (high - low) / 2 + 1e-6 * largest);
    }
  }
}

TEST(Obb, AxesGoFromLongestToShortestAndStayRightHanded) {
  Random random(23);
  std::array<int, 3> longest_was{};
  for (int round = 0; round < 300; ++round) {
    const Mat3 frame = random_frame(random);
    std::array<Vec3, 20> points;
    const Vec3 size{random.uniform(0.1, 1), random.uniform(0.1, 1), random.uniform(0.1, 1)};
    for (Vec3& p : points) {
      p = {};
      for (int axis = 0; axis < 3; ++axis)
        p += frame.rows[static_cast<std::size_t>(axis)] * (size[axis] * random.uniform(-1, 1));
    }
    const Obb box = around(frame, points);
    EXPECT_GE(box.half[0], box.half[1]);
    EXPECT_GE(box.half[1], box.half[2]);
    const auto handedness = [](Vec3 u, Vec3 v, Vec3 w) { return tumble::dot(u, tumble::cross(v, w)); };
    EXPECT_NEAR(handedness(vector(box.axes[0]), vector(box.axes[1]), vector(box.axes[2])),
                handedness(frame.rows[0], frame.rows[1], frame.rows[2]), 1e-6);
    for (std::size_t axis = 0; axis < 3; ++axis)
      longest_was[axis] += std::abs(tumble::dot(vector(box.axes[0]), frame.rows[axis])) > 0.999;
  }
  for (const int times : longest_was) EXPECT_GT(times, 50);
}

TEST(Obb, ContainsRefusesWhatIsOutside) {
  Random random(5);
  for (int round = 0; round < 200; ++round) {
    const Obb box = random_box(random, 0.5);
    for (std::size_t i = 0; i < 3; ++i) {
      const double beyond = box.half[i] * (1 + 1e-12) + 1e-15;
      EXPECT_FALSE(contains(box, vector(box.center) + vector(box.axes[i]) * (beyond * (1 + 1e-6))));
    }
  }
}

TEST(Obb, EmptyIsNowhere) {
  const Obb none = ObbExtents(Mat3{}).finish();
  EXPECT_EQ(none, Obb::empty());
  EXPECT_TRUE(none.is_empty());
  EXPECT_FALSE(overlap(none, none));
  EXPECT_EQ(gap(none, none), std::numeric_limits<double>::infinity());
  EXPECT_EQ(area(none), 0);
  EXPECT_EQ(volume(none), 0);
  EXPECT_TRUE(fit_smallest(std::span<const CornersOfTriangle>{}).is_empty());
}

TEST(Obb, KnowsAreaAndVolume) {
  const Obb box{{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {0, 0, 0}, {0.5f, 1, 2}};
  EXPECT_EQ(volume(box), 8);
  EXPECT_EQ(area(box), 2 * (2 + 8 + 4));
}

/// The point of the box nearest to p, in the vertex form, up to the axes' rounding.
Vec3 nearest(const Obb& box, Vec3 p) {
  Vec3 q = vector(box.center);
  const Vec3 offset = p - q;
  for (std::size_t i = 0; i < 3; ++i) {
    const double h = box.half[i];
    q += vector(box.axes[i]) * std::clamp(tumble::dot(offset, vector(box.axes[i])), -h, h);
  }
  return q;
}

// Alternating projections walk to the nearest points; every pair of points on the way bounds the distance from above.
TEST(Obb, OverlapAndGapAgreeWithAlternatingProjections) {
  int apart = 0, together = 0, tight = 0;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    const double size = std::pow(10.0, random.integer(-12, 12));
    const Obb a = random_box(random, size), b = random_box(random, size);
    Vec3 p = vector(a.center), q;
    for (int step = 0; step < 300; ++step) {
      q = nearest(b, p);
      p = nearest(a, q);
    }
    const double distance = length(p - q), bound = gap(a, b);
    ASSERT_EQ(overlap(a, b), overlap(b, a));
    ASSERT_NEAR(bound, gap(b, a), 1e-12 * size);
    ASSERT_LE(bound, distance + 2e-7 * size);  // nearest() itself is as exact as the axes are orthonormal
    if (distance < 1e-9 * size) {
      ASSERT_TRUE(overlap(a, b));
      ++together;
    }
    if (distance > 0.02 * size) {  // by then the walk has converged well enough to trust it
      ASSERT_FALSE(overlap(a, b));
      ASSERT_GT(bound, 0);
      ++apart;
      tight += bound > 0.7 * distance;
    }
  }
  EXPECT_GT(apart, 500);
  EXPECT_GT(together, 50);
  EXPECT_GT(tight, apart / 2);
}

// Boxes that hold a common point always overlap, also when their edges are parallel but for rounding.
TEST(Obb, NeverLosesACommonPoint) {
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    const double size = std::pow(10.0, random.integer(-12, 12));
    std::vector<Vec3> points = random.cloud(6, size), others = random.cloud(6, size);
    others.push_back(points[0]);
    const Mat3 frame = random_frame(random);
    Mat3 other = random_frame(random);
    if (random.integer(0, 2) != 0) {  // turned by next to nothing
      const double angle = std::pow(10.0, -random.uniform(2, 17));
      const double c = std::cos(angle), s = std::sin(angle);
      other.rows = {frame.rows[0] * c + frame.rows[1] * s, frame.rows[1] * c - frame.rows[0] * s, frame.rows[2]};
    }
    const Obb a = around(frame, points), b = around(other, others);
    ASSERT_TRUE(overlap(a, b));
    ASSERT_EQ(gap(a, b), 0);
  }
}

TEST(Obb, SeparatesNearParallelPlates) {
  for (const double angle : {0.0, 1e-8, 1e-6, 1e-4}) {
    const double c = std::cos(angle), s = std::sin(angle);
    const Mat3 turned{{Vec3{c, s, 0}, Vec3{-s, c, 0}, Vec3{0, 0, 1}}};
    std::vector<Vec3> low, high;
    for (int i = 0; i < 4; ++i) {
      const Vec3 corner{(i & 1) != 0 ? 1.0 : -1.0, (i & 2) != 0 ? 1.0 : -1.0, 0};
      low.push_back(corner * 0.5);
      high.push_back(corner * 0.5 + Vec3{0, 0, 1e-5});
    }
    const Obb a = around(Mat3{}, low), b = around(turned, high);
    EXPECT_FALSE(overlap(a, b)) << angle;
    EXPECT_NEAR(gap(a, b), 1e-5, 1e-6) << angle;
  }
}

std::vector<CornersOfTriangle> random_triangles(Random& random, int count, double size) {
  std::vector<CornersOfTriangle> triangles;
  for (int i = 0; i < count; ++i) {
    const std::vector<Vec3> points = random.cloud(3, size);
    triangles.push_back({points[0], points[points.size() / 2], points.back()});
  }
  return triangles;
}

TEST(ObbFit, ContainsEveryCornerOfNastyTriangles) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    const double size = std::pow(10.0, random.integer(-12, 12));
    const auto triangles = random_triangles(random, random.integer(1, 20), size);
    const Obb box = fit_smallest(triangles);
    for (const CornersOfTriangle& t : triangles)
      for (const Vec3& p : t) expect_certain_containment(box, p);
  }
}

// A box given as its twelve triangles, turned at random, comes back: the few-triangle search sees faces and edges, the
// moments see nothing but sums.
TEST(ObbFit, FindsTheBoxOfABox) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    const Mat3 frame = random_frame(random);
    const Vec3 half{0.5, random.uniform(0.05, 0.3), random.uniform(0.001, 0.05)};
    const auto corner = [&](int i) {
      Vec3 p;
      for (int axis = 0; axis < 3; ++axis)
        p += frame.rows[static_cast<std::size_t>(axis)] * ((i >> axis & 1) != 0 ? half[axis] : -half[axis]);
      return p;
    };
    std::vector<CornersOfTriangle> triangles;
    for (int axis = 0; axis < 3; ++axis)
      for (const int side : {0, 1 << axis}) {
        const int u = 1 << (axis + 1) % 3, v = 1 << (axis + 2) % 3;
        triangles.push_back({corner(side), corner(side + u), corner(side + u + v)});
        triangles.push_back({corner(side), corner(side + u + v), corner(side + v)});
      }
    const double exact = 8 * (half.x * half.y + half.y * half.z + half.z * half.x);
    EXPECT_LT(area(fit_smallest(triangles)), 1.02 * exact);
    EXPECT_LT(area(fit_smallest(std::span(triangles).subspan(8, 4))), 1.0001 * exact);  // both sides of the thin axis
  }
}

TEST(ObbFit, ATriangleGetsItsFlatRectangle) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    const std::array<CornersOfTriangle, 1> one{{{random.vector(1), random.vector(1), random.vector(1)}}};
    const double twice = length(tumble::cross(one[0][1] - one[0][0], one[0][2] - one[0][0]));
    EXPECT_LT(area(fit_smallest(one)), 2 * twice * 1.001 + 1e-5);
  }
}

constexpr std::array covariances{ObbFit::vertex_covariance, ObbFit::hull_vertex_covariance, ObbFit::hull_covariance,
                                 ObbFit::surface_covariance};

TEST(ObbFit, CovarianceContainsNastyClouds) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    const std::vector<Vec3> points = random.cloud(20, std::pow(10.0, random.integer(-12, 12)));
    for (const ObbFit fit : covariances) {
      SCOPED_TRACE(name(fit));
      const Obb box = fit_covariance(points, fit);
      for (const Vec3& p : points) expect_certain_containment(box, p);
    }
  }
  for (const ObbFit fit : covariances) EXPECT_TRUE(fit_covariance({}, fit).is_empty());
}

// Sampling must not matter: a crowd of points in one place inside the hull leaves the frame alone (the flaw that Lin
// 1996 admits of covariance of vertices), and so does a flat hull's crowd.
TEST(ObbFit, CovarianceSeesTheHullAlone) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    const Mat3 frame = random_frame(random);
    for (const double thick : {0.2, 0.0}) {
      std::vector<Vec3> points;
      const Vec3 half{1, 0.5, thick};
      for (int i = 0; i < 8; ++i) {
        Vec3 corner;
        for (int axis = 0; axis < 3; ++axis)
          corner += frame.rows[static_cast<std::size_t>(axis)] * ((i >> axis & 1) != 0 ? half[axis] : -half[axis]);
        points.push_back(corner);
      }
      for (int i = 0; i < 500; ++i) points.push_back((points[0] + points[1] * 0.3) * (0.7 + 0.0001 * i));
      const Mat3 found = covariance_frame(points);
      for (std::size_t i = 0; i < 3; ++i) EXPECT_GT(std::abs(tumble::dot(found.rows[i], frame.rows[i])), 1 - 1e-9) << i;
    }
  }
}

// The flaws that Lin 1996, 4.2.1 admits. A dense patch of small triangles lies in a large brick, askew: inside, or on
// one of its faces.
TEST(ObbFit, EachCovarianceHasTheFlawItIsKnownFor) {
  std::vector<Vec3> brick;
  const auto corner = [](int i) { return Vec3{i & 1 ? 1.0 : -1.0, i & 2 ? 0.7 : -0.7, i & 4 ? 0.4 : -0.4}; };
  for (int i = 0; i < 8; ++i)
    for (int axis = 0; axis < 3; ++axis) {  // the corner and its neighbours: triangles that cut off corners
      brick.push_back(corner(i));
      brick.push_back(corner(i ^ 1 << axis));
      brick.push_back(corner(i ^ 1 << (axis + 1) % 3));
    }
  const auto with_patch = [&](double height) {
    std::vector<Vec3> corners = brick;
    for (int i = 0; i < 400; ++i) {
      const Vec3 at = Vec3{0.6, 0.55, 0} * (i / 200.0 - 1) + Vec3{0, 0, height};
      corners.insert(corners.end(), {at, at + Vec3{1e-3, 0, 0}, at + Vec3{0, 1e-3, 0}});
    }
    return corners;
  };
  const auto lies_straight = [](const std::vector<Vec3>& corners, ObbFit fit) {
    return std::abs(covariance_frame(corners, fit).rows[0].x) > 0.999;
  };
  // In the brick: only the covariance of all corners sees it.
  const std::vector<Vec3> inside = with_patch(0);
  EXPECT_FALSE(lies_straight(inside, ObbFit::vertex_covariance));
  EXPECT_TRUE(lies_straight(inside, ObbFit::hull_vertex_covariance));
  EXPECT_TRUE(lies_straight(inside, ObbFit::hull_covariance));
  EXPECT_TRUE(lies_straight(inside, ObbFit::surface_covariance));
  // On an arch over it, all of them vertices of the hull: that of the hull's vertices does, too; the areas hardly do.
  std::vector<Vec3> arch = with_patch(0.4);
  for (std::size_t i = brick.size(); i < arch.size(); ++i)
    arch[i].z += 0.02 * (1 - arch[i].x * arch[i].x - arch[i].y * arch[i].y);
  EXPECT_FALSE(lies_straight(arch, ObbFit::vertex_covariance));
  EXPECT_FALSE(lies_straight(arch, ObbFit::hull_vertex_covariance));
  EXPECT_TRUE(lies_straight(arch, ObbFit::hull_covariance));
  EXPECT_TRUE(lies_straight(arch, ObbFit::surface_covariance));
}

TEST(ObbFit, CovarianceOfASegmentLiesAlongIt) {
  const std::vector<Vec3> points{{0, 0, 0}, {0.3, 0.6, 0.6}, {0.1, 0.2, 0.2}};
  for (const ObbFit fit : covariances) {
    SCOPED_TRACE(name(fit));
    const Obb box = fit_covariance(points, fit);
    EXPECT_NEAR(box.half[0], 0.45, 1e-6);
    EXPECT_LT(box.half[1], 1e-6f);
    EXPECT_LT(box.half[2], 1e-6f);
  }
}

TEST(ObbFit, MomentsAddUp) {
  Random random(11);
  const auto triangles = random_triangles(random, 40, 1);
  ObbMoments all, left, right;
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    all.add(triangles[t][0], triangles[t][1], triangles[t][2]);
    (t % 3 == 0 ? left : right).add(triangles[t][0], triangles[t][1], triangles[t][2]);
  }
  left.merge(right);
  EXPECT_NEAR(left.area, all.area, 1e-12);
  for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(left.second[k], all.second[k], 1e-12);
  EXPECT_NEAR(all.normal[0] + all.normal[1] + all.normal[2], all.area, 1e-12);
  // The second moment of a unit square in the plane z = 1 about its middle is 1/12 along x and y.
  ObbMoments square;
  square.add({0, 0, 1}, {1, 0, 1}, {1, 1, 1});
  square.add({0, 0, 1}, {1, 1, 1}, {0, 1, 1});
  EXPECT_NEAR(square.second[0] - square.first.x * square.first.x, 1.0 / 12, 1e-15);
  EXPECT_NEAR(square.second[2] - square.first.z * square.first.z, 0, 1e-15);
  EXPECT_NEAR(square.normal[2], 1, 1e-15);
}

TEST(ObbFit, ExtremePointsOfPartsAreThoseOfTheWhole) {
  Random random(13);
  std::vector<Vec3> points;
  for (int i = 0; i < 500; ++i) points.push_back(random.vector(1));
  ExtremePoints all, left, right;
  for (std::uint32_t i = 0; i < points.size(); ++i) {
    all.add(points[i], i);
    (i % 2 == 0 ? left : right).add(points[i], i);
  }
  right.merge(left);
  std::array<std::uint32_t, ExtremePoints::count> storage, other_storage;
  const auto numbers = all.numbers(storage);
  EXPECT_TRUE(std::ranges::equal(numbers, right.numbers(other_storage)));
  for (int axis = 0; axis < 3; ++axis) {
    const auto along = [axis](const Vec3& a, const Vec3& b) { return a[axis] < b[axis]; };
    const auto farthest = std::max_element(points.begin(), points.end(), along) - points.begin();
    EXPECT_TRUE(std::ranges::find(numbers, static_cast<std::uint32_t>(farthest)) != numbers.end());
  }
}

}  // namespace
}  // namespace tumble
