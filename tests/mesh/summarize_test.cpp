// SPDX-License-Identifier: Apache-2.0
#include "mesh/shapes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>

namespace tumble {
namespace {

void expect_same(const MeshSummary& left, const MeshSummary& right) {
  EXPECT_EQ(left.degenerate_faces, right.degenerate_faces);
  EXPECT_EQ(left.points, right.points);
  EXPECT_EQ(left.edges, right.edges);
  EXPECT_EQ(left.open_edges, right.open_edges);
  EXPECT_EQ(left.non_manifold_edges, right.non_manifold_edges);
  EXPECT_EQ(left.shells, right.shells);
  EXPECT_EQ(left.closed, right.closed);
  EXPECT_EQ(left.first_open_edges, right.first_open_edges);
}

TEST(Summarize, ClosedCube) {
  const MeshSummary summary = summarize(test::cube());
  EXPECT_TRUE(summary.closed);
  EXPECT_EQ(summary.points, 8u);
  EXPECT_EQ(summary.edges, 18u);
  EXPECT_EQ(summary.open_edges, 0u);
  EXPECT_EQ(summary.non_manifold_edges, 0u);
  EXPECT_EQ(summary.degenerate_faces, 0u);
  EXPECT_EQ(summary.shells, 1u);
  EXPECT_TRUE(summary.first_open_edges.empty());
}

TEST(Summarize, OpenCubeNamesItsRim) {
  Mesh mesh = test::cube();
  mesh.triangles.erase(mesh.triangles.begin() + 2, mesh.triangles.begin() + 4);  // the lid at z = 1
  const MeshSummary summary = summarize(mesh);
  EXPECT_FALSE(summary.closed);
  EXPECT_EQ(summary.edges, 17u);  // the lid's diagonal is gone
  EXPECT_EQ(summary.open_edges, 4u);
  EXPECT_EQ(summary.shells, 1u);
  const std::vector<std::array<Vec3, 2>> rim{{Vec3{0, 0, 1}, Vec3{0, 1, 1}},
                                             {Vec3{0, 0, 1}, Vec3{1, 0, 1}},
                                             {Vec3{0, 1, 1}, Vec3{1, 1, 1}},
                                             {Vec3{1, 0, 1}, Vec3{1, 1, 1}}};
  EXPECT_EQ(summary.first_open_edges, rim);
}

TEST(Summarize, EmptyMeshIsNotClosed) {
  expect_same(summarize({}), MeshSummary{});
  Mesh points;
  points.vertices = {{0, 0, 0}, {1, 0, 0}};
  expect_same(summarize(points), MeshSummary{});
}

TEST(Summarize, OneTriangleIsAllRim) {
  Mesh mesh;
  mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  mesh.triangles = {{0, 1, 2}};
  const MeshSummary summary = summarize(mesh);
  EXPECT_FALSE(summary.closed);
  EXPECT_EQ(summary.edges, 3u);
  EXPECT_EQ(summary.open_edges, 3u);
  EXPECT_EQ(summary.shells, 1u);
}

TEST(Summarize, MoebiusStripIsOpenWhereItsSidesFlip) {
  // Five quads around; the last joins the first upside down.
  Mesh mesh;
  constexpr std::uint32_t n = 5;
  for (std::uint32_t i = 0; i < n; ++i) {
    const double x = double(i), y = double(i * i);  // any places in general position will do
    mesh.vertices.push_back({x, y, 0});
    mesh.vertices.push_back({x, y, 1});
  }
  for (std::uint32_t i = 0; i < n; ++i) {
    const bool last = i + 1 == n;
    const std::uint32_t a = 2 * i, b = a + 1, c = last ? 1 : a + 2, d = last ? 0 : a + 3;
    mesh.triangles.push_back({a, c, b});
    mesh.triangles.push_back({b, c, d});
  }
  const MeshSummary summary = summarize(mesh);
  EXPECT_EQ(summary.edges, 4 * n);
  EXPECT_EQ(summary.open_edges, 2 * n + 1);  // the one rim, and the seam where the orientation flips
  EXPECT_EQ(summary.non_manifold_edges, 0u);
  EXPECT_EQ(summary.shells, 1u);
  EXPECT_FALSE(summary.closed);
}

TEST(Summarize, TwoShells) {
  const Mesh apart = test::together({test::cube(), test::box({5, 5, 5}, {6, 6, 6})});
  EXPECT_EQ(summarize(apart).shells, 2u);
  EXPECT_EQ(summarize(apart).edges, 36u);
  EXPECT_TRUE(summarize(apart).closed);
  const Mesh at_a_corner = test::together({test::cube(), test::box({1, 1, 1}, {2, 2, 2})});
  EXPECT_EQ(summarize(at_a_corner).shells, 1u);
}

TEST(Summarize, EdgeSharedByTwoCubesIsNonManifoldYetBalanced) {
  const MeshSummary summary = summarize(test::together({test::cube(), test::box({1, 1, 0}, {2, 2, 1})}));
  EXPECT_EQ(summary.non_manifold_edges, 1u);
  EXPECT_EQ(summary.open_edges, 0u);
  EXPECT_TRUE(summary.closed);
  EXPECT_EQ(summary.shells, 1u);
}

TEST(Summarize, ThreeFacesOnAnEdge) {
  Mesh mesh;
  mesh.vertices = {{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {-1, -1, 0}};
  mesh.triangles = {{0, 1, 2}, {1, 0, 3}, {0, 1, 4}};
  const MeshSummary summary = summarize(mesh);
  EXPECT_EQ(summary.edges, 7u);
  EXPECT_EQ(summary.non_manifold_edges, 1u);
  EXPECT_EQ(summary.open_edges, 7u);
}

TEST(Summarize, DuplicatedFaceUnbalancesItsEdges) {
  Mesh mesh = test::cube();
  mesh.triangles.push_back(mesh.triangles[0]);
  const MeshSummary summary = summarize(mesh);
  EXPECT_EQ(summary.edges, 18u);
  EXPECT_EQ(summary.open_edges, 3u);
  EXPECT_EQ(summary.non_manifold_edges, 3u);
  EXPECT_FALSE(summary.closed);
}

TEST(Summarize, CubeTwiceIsClosed) {
  const MeshSummary summary = summarize(test::together({test::cube(), test::cube()}));
  EXPECT_TRUE(summary.closed);
  EXPECT_EQ(summary.edges, 18u);
  EXPECT_EQ(summary.non_manifold_edges, 18u);
  EXPECT_EQ(summary.shells, 1u);
}

TEST(Summarize, FlippedFaceOpensItsEdges) {
  Mesh mesh = test::cube();
  std::swap(mesh.triangles[3][0], mesh.triangles[3][1]);
  const MeshSummary summary = summarize(mesh);
  EXPECT_EQ(summary.open_edges, 3u);
  EXPECT_EQ(summary.non_manifold_edges, 0u);
  EXPECT_FALSE(summary.closed);
}

TEST(Summarize, FacesWithoutThreeCornersAreCountedAndLeftOut) {
  Mesh mesh = test::soup(test::cube());
  mesh.triangles.push_back({0, 0, 1});  // a repeated index
  mesh.triangles.push_back({2, 2, 2});  // a point
  mesh.vertices.push_back(mesh.vertices[0]);
  mesh.triangles.push_back({0, 1, std::uint32_t(mesh.vertices.size() - 1)});  // a repeated position
  const MeshSummary summary = summarize(mesh);
  EXPECT_EQ(summary.degenerate_faces, 3u);
  EXPECT_EQ(summary.edges, 18u);
  EXPECT_EQ(summary.shells, 1u);
  EXPECT_TRUE(summary.closed);
}

/// A corner on a side of the neighbour, and the face without area that closes the seam.
TEST(Summarize, FacesWithoutAreaHaveEdges) {
  Mesh mesh = test::cube();
  mesh.vertices.push_back({0.5, 0.5, 0});  // on the edge from 0 to 3
  mesh.triangles[0] = {0, 2, 8};
  mesh.triangles.push_back({8, 2, 3});
  MeshSummary summary = summarize(mesh);
  EXPECT_EQ(summary.open_edges, 3u);
  EXPECT_FALSE(summary.closed);
  mesh.triangles.push_back({0, 8, 3});
  summary = summarize(mesh);
  EXPECT_EQ(summary.degenerate_faces, 1u);
  EXPECT_EQ(summary.open_edges, 0u);
  EXPECT_EQ(summary.edges, 18u + 3u);
  EXPECT_EQ(summary.points, 9u);
  EXPECT_TRUE(summary.closed);
  mesh.triangles.push_back({0, 8, 3});  // once too often
  EXPECT_EQ(summarize(mesh).open_edges, 3u);
}

TEST(Summarize, NothingButDegenerateFacesIsNotClosed) {
  Mesh mesh;
  mesh.vertices = {{0, 0, 0}, {1, 1, 1}, {2, 2, 2}};
  mesh.triangles = {{0, 1, 2}, {2, 1, 0}};
  const MeshSummary summary = summarize(mesh);
  EXPECT_EQ(summary.degenerate_faces, 2u);
  EXPECT_EQ(summary.open_edges, 0u);
  EXPECT_EQ(summary.shells, 1u);
  EXPECT_FALSE(summary.closed);
}

TEST(Summarize, DegeneracyIsExact) {
  // Cases that plain double arithmetic misjudges, by cancellation, underflow or both.
  const double e = 0x1p-52;
  const auto degenerate = [](Vec3 a, Vec3 b, Vec3 c) {
    Mesh mesh;
    mesh.vertices = {a, b, c};
    mesh.triangles = {{0, 1, 2}};
    return summarize(mesh).degenerate_faces == 1;
  };
  EXPECT_TRUE(degenerate({1, 1, 0}, {1 + e, 1 + e, 0}, {3, 3, 0}));
  EXPECT_FALSE(degenerate({1, 1, 0}, {1 + e, 1 + e, 0}, {3, 3 + 2 * e, 0}));
  EXPECT_FALSE(degenerate({0, 0, 0}, {1e-320, 0, 0}, {0, 1e-320, 0}));
  EXPECT_FALSE(degenerate({0, 0, 0}, {1e-200, 0, 0}, {0, 0, 1e-200}));
  EXPECT_FALSE(degenerate({0, 0, 0}, {1e100, 1e100, 0}, {1, std::nextafter(1, 2), 0}));
}

TEST(Summarize, MinusZeroWeldsWithZero) {
  Mesh mesh = test::soup(test::cube());
  for (std::size_t v = 0; v < mesh.vertices.size(); v += 2)
    for (int axis = 0; axis < 3; ++axis)
      if (mesh.vertices[v][axis] == 0) mesh.vertices[v][axis] = -0.0;
  expect_same(summarize(mesh), summarize(test::cube()));
}

/// The definitions, word for word, for meshes of small whole coordinates.
MeshSummary by_definition(const Mesh& mesh) {
  using Point = std::array<double, 3>;
  MeshSummary summary;
  std::map<std::pair<Point, Point>, std::array<std::size_t, 2>> uses;
  std::vector<std::set<Point>> shells;
  bool some_area = false;
  for (const Triangle& t : mesh.triangles) {
    const Vec3 a = mesh.vertices[t[0]], b = mesh.vertices[t[1]], c = mesh.vertices[t[2]];
    const bool degenerate = cross(b - a, c - a) == Vec3{};
    summary.degenerate_faces += degenerate;
    if (a == b || b == c || c == a) continue;
    some_area |= !degenerate;
    std::set<Point> shell;
    for (std::size_t i = 0; i < 3; ++i) {
      const Vec3 p = mesh.vertices[t[i]], q = mesh.vertices[t[(i + 1) % 3]];
      const Point from{p.x, p.y, p.z}, to{q.x, q.y, q.z};
      ++uses[std::minmax(from, to)][from < to];
      shell.insert(from);
    }
    // Swallow every shell this face touches.
    std::erase_if(shells, [&shell](const std::set<Point>& other) {
      if (std::ranges::none_of(other, [&shell](const Point& p) { return shell.contains(p); })) return false;
      shell.insert(other.begin(), other.end());
      return true;
    });
    shells.push_back(shell);
  }
  for (const auto& [edge, count] : uses) {
    ++summary.edges;
    if (count[0] + count[1] > 2) ++summary.non_manifold_edges;
    if (count[0] == count[1]) continue;
    const auto& [p, q] = edge;
    if (++summary.open_edges <= 4) summary.first_open_edges.push_back({Vec3{p[0], p[1], p[2]}, Vec3{q[0], q[1], q[2]}});
  }
  summary.shells = shells.size();
  for (const std::set<Point>& shell : shells) summary.points += shell.size();
  summary.closed = some_area && summary.open_edges == 0;
  return summary;
}

TEST(Summarize, AgreesWithTheDefinitionOnAnyShuffledSoup) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  for (int round = 0; round < 200; ++round) {
    // Random faces over a small grid: all that can go wrong does.
    Mesh mesh;
    const auto coordinate = [&random] { return double(random() % 3); };
    for (int v = 0; v < 12; ++v) mesh.vertices.push_back({coordinate(), coordinate(), coordinate()});
    for (auto t = random() % 30; t > 0; --t) {
      const auto index = [&random] { return std::uint32_t(random() % 12); };
      mesh.triangles.push_back({index(), index(), index()});
    }
    Mesh shuffled = test::soup(mesh);
    std::shuffle(shuffled.triangles.begin(), shuffled.triangles.end(), random);
    for (Triangle& t : shuffled.triangles) std::rotate(t.begin(), t.begin() + random() % 3, t.end());
    expect_same(summarize(mesh), by_definition(mesh));
    expect_same(summarize(shuffled), by_definition(mesh));
  }
}

}  // namespace
}  // namespace tumble
