// SPDX-License-Identifier: Apache-2.0
// Counts degenerate faces, open and non-manifold edges, and shells.
#include "mesh/summarize.h"

#include "core/assert.h"
#include "core/plain_arithmetic.h"
#include "geometry/predicates.h"
#include "mesh/disjoint_sets.h"
#include "mesh/weld.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace tumble {
namespace {

constexpr std::size_t open_edges_named = 4;

bool are_distinct(const Triangle& points) {
  return points[0] != points[1] && points[1] != points[2] && points[2] != points[0];
}

/// One use of an edge by a face, filed under the edge's lower point.
class EdgeUse {
 public:
  static constexpr std::size_t most_points = std::size_t{1} << 31;  // as many as check() admits

  EdgeUse() = default;
  EdgeUse(std::uint32_t from, std::uint32_t to) : bits_(std::max(from, to) << 1 | std::uint32_t{from > to}) {}

  std::uint32_t upper_point() const { return bits_ >> 1; }
  bool backward() const { return bits_ & 1; }
  bool operator<(EdgeUse other) const { return bits_ < other.bits_; }

 private:
  std::uint32_t bits_ = 0;
};

template <class Visit>
void for_each_edge(const std::vector<Triangle>& faces, Visit visit) {
  for (const Triangle& face : faces)
    for (std::size_t corner = 0; corner < 3; ++corner) visit(face[corner], face[(corner + 1) % 3]);
}

std::array<Vec3, 2> edge_between(Vec3 p, Vec3 q) {
  return std::tie(p.x, p.y, p.z) < std::tie(q.x, q.y, q.z) ? std::array{p, q} : std::array{q, p};
}

bool before(const std::array<Vec3, 2>& left, const std::array<Vec3, 2>& right) {
  const auto key = [](const std::array<Vec3, 2>& e) {
    return std::tie(e[0].x, e[0].y, e[0].z, e[1].x, e[1].y, e[1].z);
  };
  return key(left) < key(right);
}

/// Counts edges by grouping their uses under the lower point, as in a counting sort. Few edges meet in a point, so
/// this is nearly linear.
void summarize_edges(const std::vector<Triangle>& faces, const std::vector<Vec3>& points, MeshSummary& summary) {
  std::vector<std::size_t> end(points.size() + 1);
  for_each_edge(faces, [&](std::uint32_t from, std::uint32_t to) { ++end[std::min(from, to) + 1]; });
  std::partial_sum(end.begin(), end.end(), end.begin());
  std::vector<EdgeUse> uses(end.back());
  // Writing moves end[p] from where p's uses begin to where they end.
  for_each_edge(faces,
                [&](std::uint32_t from, std::uint32_t to) { uses[end[std::min(from, to)]++] = EdgeUse(from, to); });

  std::size_t begin = 0;
  for (std::size_t lower = 0; lower < points.size(); ++lower) {
    const std::span<EdgeUse> here(uses.data() + begin, end[lower] - begin);
    begin = end[lower];
    std::ranges::sort(here, std::less<>{});
    for (auto use = here.begin(); use != here.end();) {
      const std::uint32_t upper = use->upper_point();
      std::size_t forward = 0, backward = 0;
      for (; use != here.end() && use->upper_point() == upper; ++use) ++(use->backward() ? backward : forward);
      ++summary.edges;
      if (forward + backward > 2) ++summary.non_manifold_edges;
      if (forward == backward) continue;
      ++summary.open_edges;
      // Names the first edges by position, so that the order of vertices and faces does not matter.
      auto& named = summary.first_open_edges;
      const std::array<Vec3, 2> edge = edge_between(points[lower], points[upper]);
      if (named.size() == open_edges_named && !before(edge, named.back())) continue;
      if (named.size() == open_edges_named) named.pop_back();
      named.insert(std::ranges::upper_bound(named, edge, before), edge);
    }
  }
}

std::size_t count_used_points(const std::vector<Triangle>& faces, std::size_t point_count) {
  std::vector<bool> used(point_count);
  for (const Triangle& face : faces)
    for (const std::uint32_t point : face) used[point] = true;
  return std::size_t(std::ranges::count(used, true));
}

std::size_t count_shells(const std::vector<Triangle>& faces, std::size_t point_count) {
  DisjointSets sets(point_count);
  for (const Triangle& face : faces) {
    sets.unite(face[0], face[1]);
    sets.unite(face[1], face[2]);
  }
  std::vector<bool> seen(point_count);
  std::size_t shells = 0;
  for (const Triangle& face : faces) {
    const std::uint32_t root = sets.find(face[0]);
    if (!seen[root]) ++shells;
    seen[root] = true;
  }
  return shells;
}

}  // namespace

MeshSummary summarize(const Mesh& mesh) { return summarize(mesh.vertices, mesh.triangles); }

MeshSummary summarize(std::span<const Vec3> vertices, std::span<const Triangle> triangles) {
  const PlainArithmetic plain;
  const Weld welded = weld(vertices);
  MeshSummary summary;
  std::vector<Triangle> faces;  // those with three distinct corners, by points
  faces.reserve(triangles.size());
  for (const Triangle& face : triangles) {
    const Triangle by_points{welded.point_of_vertex[face[0]], welded.point_of_vertex[face[1]],
                             welded.point_of_vertex[face[2]]};
    const bool distinct = are_distinct(by_points);
    if (distinct) faces.push_back(by_points);
    if (!distinct || collinear(vertices[face[0]], vertices[face[1]], vertices[face[2]])) ++summary.degenerate_faces;
  }
  TUMBLE_ASSERT(welded.vertex_of_point.size() <= EdgeUse::most_points);
  std::vector<Vec3> points;
  points.reserve(welded.vertex_of_point.size());
  for (const std::uint32_t vertex : welded.vertex_of_point) points.push_back(vertices[vertex]);

  summary.points = count_used_points(faces, points.size());
  summarize_edges(faces, points, summary);
  summary.shells = count_shells(faces, points.size());
  summary.closed = summary.degenerate_faces < triangles.size() && summary.open_edges == 0;
  return summary;
}

}  // namespace tumble
