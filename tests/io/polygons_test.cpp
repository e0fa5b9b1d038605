// SPDX-License-Identifier: Apache-2.0
#include "io/polygons.h"

#include "geometry/predicates.h"
#include "io/helpers.h"

#include <cmath>
#include <ctime>
#include <numeric>
#include <random>
#include <set>

namespace tumble::test {
namespace {

struct Plane {
  Vec3 u, v;
  Vec3 at(double x, double y) const { return Vec3{3, -2, 1} + u * x + v * y; }
  Vec3 normal() const { return cross(u, v); }
};
const Plane planes[] = {{{1, 0, 0}, {0, 1, 0}}, {{0, 1, 0}, {1, 0, 0}},  {{0, 1, 0}, {0, 0, 1}},
                        {{0, 0, 1}, {1, 0, 0}}, {{1, 1, 0}, {-1, 1, 1}}, {{1, 0, -1}, {0.25, -2, 0.5}}};

Mesh triangulate(const std::vector<Vec3>& corners) {
  Mesh mesh{corners, {}, {}};
  std::vector<std::uint32_t> ids(corners.size());
  std::iota(ids.begin(), ids.end(), 0u);
  io::Polygons polygons(mesh);
  polygons.add(ids);
  polygons.finish();
  EXPECT_EQ(mesh.triangles.size(), corners.size() - 2);
  return mesh;
}

double area_of(const std::vector<std::array<double, 2>>& p) {
  double sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const auto &a = p[i], &b = p[(i + 1) % p.size()];
    sum += a[0] * b[1] - a[1] * b[0];
  }
  return sum;
}

using Polygon = std::vector<std::array<double, 2>>;

/// Right if no triangle is turned over and the areas add up: see polygons.cpp. A simple polygon needs no triangle
/// without area.
void expect_tiled(Polygon polygon, bool simple = true) {
  for (const Plane& plane : planes)
    for (std::size_t start = 0; start < polygon.size(); ++start) {
      std::rotate(polygon.begin(), polygon.begin() + 1, polygon.end());
      std::vector<Vec3> corners;
      for (const auto& p : polygon) corners.push_back(plane.at(p[0], p[1]));
      const Vec3 n = plane.normal();
      const Mesh mesh = triangulate(corners);
      EXPECT_NEAR(area_along(mesh, n) / length_sq(n), area_of(polygon), 1e-9 * area_of(polygon));
      for (const Triangle& t : mesh.triangles)
        EXPECT_TRUE(!simple || !collinear(corners[t[0]], corners[t[1]], corners[t[2]])) << "corner " << start;
    }
}

TEST(Polygons, Convex) { expect_tiled({{0, 0}, {2, 0}, {3, 1}, {2, 2}, {0, 2}}); }
TEST(Polygons, ConcaveQuad) { expect_tiled({{0, 0}, {4, 0}, {1, 1}, {0, 4}}); }
TEST(Polygons, LetterU) { expect_tiled({{0, 0}, {3, 0}, {3, 3}, {2, 3}, {2, 1}, {1, 1}, {1, 3}, {0, 3}}); }
TEST(Polygons, CollinearCorners) { expect_tiled({{0, 0}, {1, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}, {0, 1}}); }
TEST(Polygons, RepeatedCorner) { expect_tiled({{0, 0}, {0, 0}, {4, 0}, {1, 1}, {1, 1}, {0, 4}}, false); }

TEST(Polygons, SquareWithAHoleAndABridge) {
  expect_tiled({{0, 0}, {4, 0}, {4, 4}, {0, 4}, {0, 0}, {1, 1}, {1, 3}, {3, 3}, {3, 1}, {1, 1}}, false);
}
TEST(Polygons, TriangleWithCornersOnOneSide) { expect_tiled({{0, 0}, {1, 0}, {2, 0}, {3, 0}, {4, 0}, {0, 4}}); }

/// Stars with whole-numbered corners, and more corners exactly on their sides.
TEST(Polygons, RandomStarsWithCornersOnSides) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  std::uniform_int_distribution<int> radius(8, 100), parts(1, 4);
  for (int n = 3; n < 14; ++n) {
    Polygon star, all;
    for (int i = 0; i < n; ++i) {
      const double angle = 2 * 3.14159265358979 * i / n, r = 16 * radius(random);
      star.push_back({4 * std::round(r * std::cos(angle)), 4 * std::round(r * std::sin(angle))});
    }
    for (std::size_t i = 0; i < star.size(); ++i) {
      const auto &p = star[i], &q = star[(i + 1) % star.size()];
      const int pieces = parts(random) == 3 ? 4 : 2;
      for (int piece = 0; piece < pieces; ++piece)
        if (piece == 0 || random() % 2 == 0)
          all.push_back({p[0] + (q[0] - p[0]) / pieces * piece, p[1] + (q[1] - p[1]) / pieces * piece});
    }
    if (area_of(all) > 0) expect_tiled(all);
  }
}

/// A cube of six polygons with a further corner on an edge is closed, whichever corner a face begins with.
TEST(Polygons, ClosedWhicheverCornerComesFirst) {
  const std::vector<std::vector<int>> faces{{1, 4, 3, 9, 2}, {5, 6, 7, 8}, {1, 2, 6, 5},
                                            {2, 9, 3, 7, 6}, {3, 4, 8, 7}, {4, 1, 5, 8}};
  for (std::size_t first = 0; first < 5; ++first)
    for (std::size_t second = 0; second < 5; ++second) {
      std::string text = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\nv 1 0.5 0\n";
      for (std::size_t face = 0; face < faces.size(); ++face) {
        text += "f";
        for (std::size_t i = 0; i < faces[face].size(); ++i)
          text += " " + std::to_string(faces[face][(i + (face == 0 ? first : second)) % faces[face].size()]);
        text += "\n";
      }
      const MeshSummary summary = summarize(read(text, MeshFormat::obj));
      EXPECT_TRUE(summary.closed) << first << " " << second;
      EXPECT_EQ(summary.degenerate_faces, 0u) << first << " " << second;
    }
}

TEST(Polygons, RandomStars) {
  const unsigned seed = 20240611;
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> radius(0.05, 1);
  for (int n = 4; n < 40; ++n) {
    std::vector<std::array<double, 2>> star;
    for (int i = 0; i < n; ++i) {
      const double angle = 2 * 3.14159265358979 * i / n, r = radius(random);
      star.push_back({r * std::cos(angle), r * std::sin(angle)});
    }
    expect_tiled(star);
  }
}

/// A band wound around the origin: every corner of its inner side is reflex, and no fan comes close.
std::vector<Vec3> spiral(std::size_t half) {
  std::vector<Vec3> corners;
  const auto point = [&](double i, double width) {
    const double angle = 40 * i / double(half), r = 1 + angle + width;
    return Vec3{r * std::cos(angle), r * std::sin(angle), 0};
  };
  for (std::size_t i = 0; i < half; ++i) corners.push_back(point(double(i), 2));
  for (std::size_t i = half; i-- > 0;) corners.push_back(point(double(i), 0));
  return corners;
}

TEST(Polygons, LongSpiral) {
  const std::vector<Vec3> corners = spiral(1500);
  double sum = 0;
  for (std::size_t i = 0; i < corners.size(); ++i) sum += cross(corners[i], corners[(i + 1) % corners.size()]).z;
  ASSERT_GT(sum, 0);
  EXPECT_NEAR(area_along(triangulate(corners), {0, 0, 1}), sum, 1e-9 * sum);
}

TEST(Polygons, CoversAllCornersOfWhatCannotBeRight) {
  const std::vector<std::vector<Vec3>> bad = {
      {{0, 0, 0}, {1, 1, 0}, {1, 0, 0}, {0, 1, 0}},              // a bow tie
      {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {4, 0, 0}},   // a line
      {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}},              // a point
      {{0, 0, 0}, {3, 1, 0}, {0, 2, 0}, {2, -1, 0}, {2, 3, 0}},  // a pentagram
      {{0, 0, 0}, {1e100, 0, 0}, {-1e100, 1e100, 0}, {1e100, 1e100, 1e100}, {5, 5, 5}},
      {{0, 0, 0}, {1e-200, 0, 0}, {1e-200, 1e-200, 0}, {0, 1e-200, 0}},  // its area underflows
  };
  for (const auto& corners : bad) {
    std::set<std::uint32_t> used;
    for (const Triangle& t : triangulate(corners).triangles) used.insert(t.begin(), t.end());
    EXPECT_EQ(used.size(), corners.size());
  }
}

TEST(Polygons, HostileOnesStayCheap) {
  const std::clock_t start = std::clock();  // processor time: a busy machine is not our cost
  std::mt19937 random(7);
  std::uniform_real_distribution<double> number(-1, 1);
  std::vector<Vec3> noise(1000000);
  for (Vec3& v : noise) v = {number(random), number(random), 0};
  triangulate(noise);
  triangulate(spiral(500000));
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  EXPECT_LT(seconds, 10) << "a second each in Release; room for sanitizers";
  RecordProperty("seconds", std::to_string(seconds));
}

}  // namespace
}  // namespace tumble::test
