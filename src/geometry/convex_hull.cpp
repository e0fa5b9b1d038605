// SPDX-License-Identifier: Apache-2.0
// Convex hulls: Qhull for solid sets, our own code for flat and straight ones.
#include "geometry/convex_hull.h"

#include "core/assert.h"
#include "geometry/qhull.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tumble {
namespace {

using Edge = std::array<std::uint32_t, 2>;

/// A set thinner than this, relative to its length, counts as flat or straight. Qhull's own limit is near 1e-13.
constexpr double flatness = 1e-11;
/// A thinner set is stretched for Qhull.
constexpr double thin = 1e-2;
/// The height hill climbing may miss by rounding, relative to the size of the set: its dot products are good to a few
/// 1e-16, and an edge it should have taken rises by at least this share of the final gain.
constexpr double climbing_error = 1e-10;

void set_edges(ConvexHull& hull, std::vector<Edge>& directed) {
  std::sort(directed.begin(), directed.end());
  directed.erase(std::unique(directed.begin(), directed.end()), directed.end());
  hull.neighbor_begin.assign(hull.vertices.size() + 1, 0);
  for (const Edge& e : directed) ++hull.neighbor_begin[e[0] + 1];
  for (std::size_t i = 1; i < hull.neighbor_begin.size(); ++i) hull.neighbor_begin[i] += hull.neighbor_begin[i - 1];
  hull.neighbors.reserve(directed.size());
  for (const Edge& e : directed) hull.neighbors.push_back(e[1]);
}

/// `rings`: the faces, as convex polygons of vertices.
template <class Rings>
void set_faces(ConvexHull& hull, const Rings& rings) {
  std::vector<Edge> directed;
  for (const auto& ring : rings) {
    for (std::size_t i = 2; i < ring.size(); ++i) hull.triangles.push_back({ring[0], ring[i - 1], ring[i]});
    for (std::size_t i = 0; i < ring.size(); ++i) {
      const std::uint32_t from = ring[i], to = ring[(i + 1) % ring.size()];
      if (from == to) continue;
      directed.push_back({from, to});
      directed.push_back({to, from});
    }
  }
  set_edges(hull, directed);
}

template <class Measure>
const Vec3& farthest_by(std::span<const Vec3> points, Measure&& measure) {
  const Vec3* best = &points[0];
  double most = measure(*best);
  for (const Vec3& p : points)
    if (const double value = measure(p); value > most) most = value, best = &p;
  return *best;
}

/// Corners of the convex hull in the plane, counter-clockwise (Andrew 1979).
std::vector<std::uint32_t> planar_hull(std::vector<std::array<double, 2>> flat) {
  std::vector<std::uint32_t> order(flat.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return flat[a] < flat[b]; });
  const auto turns_left = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    const double left = (flat[b][0] - flat[a][0]) * (flat[c][1] - flat[a][1]);
    const double right = (flat[b][1] - flat[a][1]) * (flat[c][0] - flat[a][0]);
    return left - right > 1e-15 * (std::abs(left) + std::abs(right));
  };
  std::vector<std::uint32_t> ring;
  const auto add_chain = [&](auto first, auto last) {
    const std::size_t base = ring.size();
    for (; first != last; ++first) {
      while (ring.size() >= base + 2 && !turns_left(ring[ring.size() - 2], ring.back(), *first)) ring.pop_back();
      ring.push_back(*first);
    }
    ring.pop_back();
  };
  add_chain(order.begin(), order.end());
  add_chain(order.rbegin(), order.rend());
  return ring;
}

ConvexHull box_hull(Vec3 lower, Vec3 upper) {
  ConvexHull hull;
  hull.is_box = true;
  for (int i = 0; i < 8; ++i)
    hull.vertices.push_back(
        {(i & 1) != 0 ? upper.x : lower.x, (i & 2) != 0 ? upper.y : lower.y, (i & 4) != 0 ? upper.z : lower.z});
  using Quad = std::array<std::uint32_t, 4>;
  set_faces(hull, std::array{Quad{0, 4, 6, 2}, Quad{1, 3, 7, 5}, Quad{0, 1, 5, 4}, Quad{2, 6, 7, 3}, Quad{0, 2, 3, 1},
                             Quad{4, 5, 7, 6}});
  return hull;
}

ConvexHull solid_hull(std::span<const Vec3> points, const HullFacets& facets) {
  ConvexHull hull;
  std::vector<std::uint32_t> used = facets.corners;
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  for (const std::uint32_t number : used) hull.vertices.push_back(points[number]);
  std::vector<std::vector<std::uint32_t>> rings(facets.planes.size());
  for (std::size_t f = 0; f < rings.size(); ++f)
    for (const std::uint32_t number : facets.ring(f))
      rings[f].push_back(static_cast<std::uint32_t>(std::lower_bound(used.begin(), used.end(), number) - used.begin()));
  set_faces(hull, rings);
  return hull;
}

/// A climb that ends by roundings of heights misses about as much as they are, over how short edges are and how narrow
/// the set is, both in sizes of the set. Beyond the margin, it has to look further.
void set_level(ConvexHull& hull, double size, double narrowest, double roundings) {
  double shortest = size;
  for (std::uint32_t v = 0; v < hull.vertices.size(); ++v)
    for (const std::uint32_t w : hull.neighbors_of(v))
      shortest = std::min(shortest, length(hull.vertices[w] - hull.vertices[v]));
  if (!(roundings <= shortest / size * narrowest * hull.margin)) hull.level = hull.margin / 2;
}

}  // namespace

std::uint32_t ConvexHull::farthest(Vec3 direction, std::uint32_t start) const {
  TUMBLE_ASSERT(start < vertices.size());
  const double drop = level * (std::abs(direction.x) + std::abs(direction.y) + std::abs(direction.z));
  std::uint32_t here = start;
  double height = dot(direction, vertices[here]);
  for (;;) {
    std::uint32_t next = here;
    double highest = -std::numeric_limits<double>::infinity();
    for (const std::uint32_t neighbor : neighbors_of(here)) {
      const double along = dot(direction, vertices[neighbor]);
      highest = std::max(highest, along);
      if (along > height) height = along, next = neighbor;
    }
    if (next == here && level > 0 && !(highest < height - drop)) {
      next = beyond_plateau(direction, here, drop);
      height = dot(direction, vertices[next]);
    }
    if (next == here) return here;
    here = next;
  }
}

// The graph is that of an exact hull whose vertices are moved by roundings and by the flatness of the set. There, from
// any vertex a way to the farthest never goes down; here it goes down by less than `drop`. Without this, one edge as
// short as a rounding would end a climb anywhere.
std::uint32_t ConvexHull::beyond_plateau(Vec3 direction, std::uint32_t here, double drop) const {
  constexpr std::size_t most = 32;  // then it is quicker to look at all vertices
  std::array<std::uint32_t, most> plateau{here};
  std::size_t count = 1;
  const double height = dot(direction, vertices[here]);
  for (std::size_t i = 0; i < count; ++i)
    for (const std::uint32_t neighbor : neighbors_of(plateau[i])) {
      const double along = dot(direction, vertices[neighbor]);
      if (along > height) return neighbor;
      const auto end = plateau.begin() + static_cast<std::ptrdiff_t>(count);
      if (along < height - drop || std::find(plateau.begin(), end, neighbor) != end) continue;
      if (count == most) {
        const auto of_all = std::max_element(vertices.begin(), vertices.end(), [&](const Vec3& p, const Vec3& q) {
          return dot(direction, p) < dot(direction, q);
        });
        return dot(direction, *of_all) > height ? static_cast<std::uint32_t>(of_all - vertices.begin()) : here;
      }
      plateau[count++] = neighbor;
    }
  return here;
}

ConvexHull convex_hull(std::span<const Vec3> points) {
  ConvexHull hull;
  if (points.empty()) return hull;
  Vec3 lower = points[0], upper = points[0];
  for (const Vec3& p : points) {
    TUMBLE_ASSERT(std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z));
    for (int axis = 0; axis < 3; ++axis) {
      lower[axis] = std::min(lower[axis], p[axis]);
      upper[axis] = std::max(upper[axis], p[axis]);
    }
  }
  const Vec3 middle = (lower + upper) * 0.5, extent = upper - lower;
  const double size = std::max({extent.x, extent.y, extent.z});
  hull.vertices = {points[0]};
  if (!(size > 0)) {
    hull.neighbor_begin = {0, 0};
    return hull;
  }

  std::vector<Vec3> scaled(points.size());
  std::transform(points.begin(), points.end(), scaled.begin(), [&](Vec3 p) { return (p - middle) / size; });
  const Vec3 a = farthest_by(scaled, [&](Vec3 p) { return length_sq(p); });
  const Vec3 b = farthest_by(scaled, [&](Vec3 p) { return length_sq(p - a); });
  const Vec3 along = (b - a) / length(b - a);
  const auto off_line = [&](Vec3 p) { return length(cross(p - a, along)); };
  const Vec3 c = farthest_by(scaled, off_line);
  const double rounding = 1e-14 * (std::max({std::abs(lower.x), std::abs(lower.y), std::abs(lower.z), size}));
  if (off_line(c) <= flatness) {
    const auto [first, last] = std::minmax_element(scaled.begin(), scaled.end(),
                                                   [&](Vec3 p, Vec3 q) { return dot(p, along) < dot(q, along); });
    hull.vertices = {points[static_cast<std::size_t>(first - scaled.begin())],
                     points[static_cast<std::size_t>(last - scaled.begin())]};
    std::vector<Edge> edge{{0, 1}, {1, 0}};
    set_edges(hull, edge);
    hull.margin = 2 * flatness * size + rounding;
    return hull;
  }
  const Vec3 across = c - a - along * dot(c - a, along);
  const Vec3 beside = across / length(across), normal = cross(along, beside);
  const auto off_plane = [&](Vec3 p) { return std::abs(dot(p - a, normal)); };
  const Vec3 top = farthest_by(scaled, off_plane);
  if (off_plane(top) <= flatness) {
    std::vector<std::array<double, 2>> flat(points.size());
    std::transform(scaled.begin(), scaled.end(), flat.begin(), [&](Vec3 p) {
      return std::array{dot(p - a, along), dot(p - a, beside)};
    });
    std::vector<std::uint32_t> ring;
    hull.vertices.clear();
    for (const std::uint32_t number : planar_hull(std::move(flat))) {
      ring.push_back(static_cast<std::uint32_t>(hull.vertices.size()));
      hull.vertices.push_back(points[number]);
    }
    set_faces(hull, std::array{ring, std::vector<std::uint32_t>(ring.rbegin(), ring.rend())});
    hull.margin = (2 * flatness + climbing_error) * size + rounding;
    if (off_plane(top) * size > rounding)
      hull.level = hull.margin / 2;  // heights off the plane are no roundings: they can end any climb
    else
      set_level(hull, size, off_line(c), rounding);
    return hull;
  }

  // Qhull's planes of thin sets are uncertain, so that it leaves corners out. Hulls do not change with the scales.
  const double width = off_line(c), thickness = off_plane(top);
  if (thickness < thin)
    for (Vec3& p : scaled) p = {dot(p - a, along), dot(p - a, beside) / width, dot(p - a, normal) / thickness};
  for (const bool joggled : {false, true})
    if (const auto facets = hull_facets(scaled, joggled)) {
      hull = solid_hull(points, *facets);
      hull.margin = (climbing_error + 16 * facets->thickness) * size + rounding;
      set_level(hull, size, thickness, rounding + facets->thickness * size);
      return hull;
    }
  return box_hull(lower, upper);
}

}  // namespace tumble
