// SPDX-License-Identifier: Apache-2.0
// Volumes and areas against CGAL's exact kernel: corners as exact intersections of three planes, their exact hull.
#include "bounds/dop_measure.h"

#include "bounds/random.h"
#include "slice.h"

#include <CGAL/Exact_rational.h>
#include <CGAL/Simple_cartesian.h>
#include <CGAL/Surface_mesh.h>
#include <CGAL/convex_hull_3.h>
#include <gtest/gtest.h>

namespace tumble {
namespace {

using Kernel = CGAL::Simple_cartesian<CGAL::Exact_rational>;
using Exact = Kernel::FT;
using Point = Kernel::Point_3;

struct ExactMeasure {
  double volume = 0, area = 0;
};

ExactMeasure exact_measure(std::span<const float> lower, std::span<const float> upper, int k) {
  const auto normals = directions(k);
  const std::size_t count = normals.size();
  struct Plane {
    Exact x, y, z, d;
    std::size_t slab;
  };
  std::vector<Plane> planes;
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3 n = normals[i];
    planes.push_back({n.x, n.y, n.z, Exact(upper[i]), i});
    planes.push_back({-n.x, -n.y, -n.z, Exact(-lower[i]), i});
  }
  std::vector<Point> corners;
  for (std::size_t a = 0; a < planes.size(); ++a)
    for (std::size_t b = a + 1; b < planes.size(); ++b) {
      if (planes[a].slab == planes[b].slab) continue;
      for (std::size_t c = b + 1; c < planes.size(); ++c) {
        const Plane &p = planes[a], &q = planes[b], &r = planes[c];
        const Exact determinant = CGAL::determinant(p.x, p.y, p.z, q.x, q.y, q.z, r.x, r.y, r.z);
        if (determinant == 0) continue;
        const Exact x = CGAL::determinant(p.d, p.y, p.z, q.d, q.y, q.z, r.d, r.y, r.z) / determinant;
        const Exact y = CGAL::determinant(p.x, p.d, p.z, q.x, q.d, q.z, r.x, r.d, r.z) / determinant;
        const Exact z = CGAL::determinant(p.x, p.y, p.d, q.x, q.y, q.d, r.x, r.y, r.d) / determinant;
        bool inside = true;
        for (std::size_t m = 0; inside && m < planes.size(); ++m)
          if (m != a && m != b && m != c) inside = planes[m].x * x + planes[m].y * y + planes[m].z * z <= planes[m].d;
        if (inside) corners.emplace_back(x, y, z);
      }
    }
  std::sort(corners.begin(), corners.end());
  corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
  ExactMeasure result;
  if (corners.size() < 3) return result;
  CGAL::Surface_mesh<Point> hull;
  CGAL::convex_hull_3(corners.begin(), corners.end(), hull);
  Exact volume = 0;
  for (const auto face : hull.faces()) {
    std::vector<Point> outline;
    for (const auto v : hull.vertices_around_face(hull.halfedge(face))) outline.push_back(hull.point(v));
    for (std::size_t i = 2; i < outline.size(); ++i) {
      volume += CGAL::volume(corners[0], outline[0], outline[i - 1], outline[i]);
      result.area +=
          0.5 * std::sqrt(CGAL::to_double(
                    CGAL::cross_product(outline[i - 1] - outline[0], outline[i] - outline[0]).squared_length()));
    }
  }
  if (volume == 0) result.area *= 2;  // a flat hull comes as one of its two sides
  result.volume = std::abs(CGAL::to_double(volume));
  return result;
}

void expect_exact(std::span<const float> lower, std::span<const float> upper, int k) {
  const ExactMeasure exact = exact_measure(lower, upper, k);
  EXPECT_NEAR(volume(lower, upper, k), exact.volume, 1e-9 * exact.volume);
  EXPECT_NEAR(area(lower, upper, k), exact.area, 1e-9 * exact.area);
}

TEST(DopMeasure, AgreesWithTheExactKernelOnFittedClouds) {
  for (const int k : listed_k)
    with_k(k, [](auto listed) {
      const std::uint64_t rounds = listed() <= 18 ? 40 : listed() == 26 ? 15 : listed() == 50 ? 3 : 1;
      for (std::uint64_t seed = 0; seed < testing::slice(rounds); ++seed) {
        SCOPED_TRACE(::testing::Message() << "k " << listed() << " seed " << seed);
        Random random(seed + 1000);
        const double size = std::pow(10.0, random.integer(-12, 12));
        const Dop<listed()> dop = fit<listed()>(random.cloud(12, size));
        expect_exact(dop.lower, dop.upper, listed());
      }
    });
}

// Small integer bounds make ties of every kind: redundant planes through edges and corners, slabs of width zero, sets
// that are flat, a segment, a point or empty.
TEST(DopMeasure, AgreesWithTheExactKernelOnTies) {
  int flat = 0, empty = 0;
  for (const int k : {6, 8, 12, 14, 18, 26})
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      SCOPED_TRACE(::testing::Message() << "k " << k << " seed " << seed);
      Random random(seed);
      std::vector<float> lower(static_cast<std::size_t>(k) / 2), upper(lower.size());
      const int spread = random.integer(1, 4);
      const bool may_invert = random.integer(0, 9) == 0;
      for (std::size_t i = 0; i < lower.size(); ++i) {
        lower[i] = static_cast<float>(random.integer(-spread, may_invert ? spread : 0));
        upper[i] = static_cast<float>(random.integer(may_invert ? -spread : 0, spread));
      }
      expect_exact(lower, upper, k);
      flat += area(lower, upper, k) > 0 && volume(lower, upper, k) == 0;
      empty += area(lower, upper, k) == 0;
    }
  EXPECT_GT(flat, 20);
  EXPECT_GT(empty, 20);
}

// Plates and needles through the origin, down to a thickness of 1e-8, along the normals of slabs.
TEST(DopMeasure, AgreesWithTheExactKernelOnThinSets) {
  for (const int k : listed_k) {
    if (k > 26) continue;
    for (std::uint64_t seed = 0; seed < testing::slice(30u); ++seed) {
      SCOPED_TRACE(::testing::Message() << "k " << k << " seed " << seed);
      Random random(seed);
      std::vector<float> lower(static_cast<std::size_t>(k) / 2, -1), upper(lower.size(), 1);
      for (int thin = random.integer(1, 2); thin > 0; --thin) {
        const auto i = static_cast<std::size_t>(random.integer(0, k / 2 - 1));
        const double width = std::pow(10.0, -random.uniform(1, 8));
        lower[i] = static_cast<float>(-width * random.uniform(0, 1));
        upper[i] = static_cast<float>(width);
      }
      expect_exact(lower, upper, k);
    }
  }
}

TEST(DopMeasure, QuickVolumesAreWithinTheirBound) {
  for (const int k : listed_k)
    with_k(k, [](auto listed) {
      for (std::uint64_t seed = 0; seed < (listed() <= 26 ? 200 : 10); ++seed) {
        SCOPED_TRACE(::testing::Message() << "k " << listed() << " seed " << seed);
        Random random(seed);
        const Dop<listed()> dop = fit<listed()>(random.cloud(12));
        const double reach = slab_centre(dop.lower, dop.upper, listed()).reach;
        EXPECT_NEAR(quick_volume(dop.lower, dop.upper, listed()), volume(dop), 1e-14 * reach * reach * reach);
      }
    });
}

TEST(DopMeasure, KnowsTheUnitBodies) {
  const std::vector<float> one(49, 1), minus_one(49, -1);
  const auto rows = [&](int k, const std::vector<float>& row) {
    return std::span(row).first(static_cast<std::size_t>(k) / 2);
  };
  EXPECT_DOUBLE_EQ(volume(rows(6, minus_one), rows(6, one), 6), 8);
  EXPECT_DOUBLE_EQ(area(rows(6, minus_one), rows(6, one), 6), 24);
  EXPECT_DOUBLE_EQ(volume(rows(8, minus_one), rows(8, one), 8), 4.0 / 3);  // the octahedron |x| + |y| + |z| <= 1
  EXPECT_DOUBLE_EQ(area(rows(8, minus_one), rows(8, one), 8), 4 * std::sqrt(3.0));
  EXPECT_EQ(volume(rows(6, one), rows(6, minus_one), 6), 0);
  EXPECT_EQ(volume(Dop<18>::empty()), 0);
  EXPECT_EQ(area(Dop<18>::empty()), 0);
}

}  // namespace
}  // namespace tumble
