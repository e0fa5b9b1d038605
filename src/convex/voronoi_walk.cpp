// SPDX-License-Identifier: Apache-2.0
// Closest features by steps to neighbours. Of two features the closest points are known. If a point of a larger feature
// beside one of them is closer to the other's point, that point is outside the Voronoi cell of the smaller feature; the
// walk crosses the cell's wall into the larger feature, whose closest point may lie on a smaller one again. Each step
// must bring the features closer, so the walk ends. The distance is convex: where no step helps, none is left anywhere.
#include "convex/voronoi_walk.h"

#include "geometry/unit_normal.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace tumble {
namespace {

using Kind = ConvexFeature::Kind;

/// A closed feature: its corners in the world and what they and the edges between them are called.
struct Cell {
  Feature whole;
  int count = 1;  // corners
  std::array<Vec3, 3> points;
  std::array<std::uint32_t, 3> vertices{};

  Feature vertex(int i) const { return {Kind::vertex, vertices[static_cast<std::size_t>(i)]}; }
  int edge_count() const { return count == 3 ? 3 : 1; }
  Feature edge(int i) const {
    return count == 2 ? whole : Feature{Kind::edge, 3 * whole.id + static_cast<std::uint32_t>(i)};
  }
  const Vec3& point(int i) const { return points[static_cast<std::size_t>(i)]; }
  int after(int i) const { return i + 1 == count ? 0 : i + 1; }
};

Cell cell(const PlacedHull& hull, const Feature& feature) {
  const ConvexData& data = hull.data;
  Cell c{.whole = feature, .count = static_cast<int>(feature.kind) + 1, .points = {}};
  switch (feature.kind) {
    case Kind::vertex: c.vertices = {feature.id, feature.id, feature.id}; break;
    case Kind::edge: c.vertices = {data.from(feature.id), data.to(feature.id), data.to(feature.id)}; break;
    case Kind::face: c.vertices = data.hull.triangles[feature.id]; break;
  }
  for (int i = 0; i < c.count; ++i)
    c.points[static_cast<std::size_t>(i)] = hull.vertex(c.vertices[static_cast<std::size_t>(i)]);
  return c;
}

/// The nearest candidate so far.
class Nearest {
 public:
  explicit Nearest(FeaturePair& best) : best_(best) { best_.distance_sq = std::numeric_limits<double>::infinity(); }

  template <bool Swapped = false>
  void offer(const Feature& fa, const Vec3& pa, const Feature& fb, const Vec3& pb) {
    const double sq = length_sq(pb - pa);
    if (!(sq < best_.distance_sq)) return;
    best_ = Swapped ? FeaturePair{fb, fa, pb, pa, sq} : FeaturePair{fa, fb, pa, pb, sq};
  }

  template <bool Swapped>
  void point_to_edge(const Cell& p, int v, const Cell& c, int e) {
    const Vec3 &x = p.point(v), &q = c.point(e), along = c.point(c.after(e)) - q;
    const double numerator = dot(x - q, along), square = length_sq(along);
    if (numerator <= 0 || !(square > 0))
      offer<Swapped>(p.vertex(v), x, c.vertex(e), q);
    else if (numerator >= square)
      offer<Swapped>(p.vertex(v), x, c.vertex(c.after(e)), c.point(c.after(e)));
    else
      offer<Swapped>(p.vertex(v), x, c.edge(e), q + along * (numerator / square));
  }

  /// Over the inside of the triangle only.
  template <bool Swapped>
  void point_to_inside(const Cell& p, int v, const Cell& c) {
    const Vec3 u = c.point(1) - c.point(0), w = c.point(2) - c.point(0), x = p.point(v) - c.point(0);
    const Vec3 normal = cross(u, w);
    const double square = length_sq(normal);
    if (!(square > 0)) return;
    const double s = dot(cross(x, w), normal) / square, t = dot(cross(u, x), normal) / square;
    if (s > 0 && t > 0 && s + t < 1) offer<Swapped>(p.vertex(v), p.point(v), c.whole, c.point(0) + u * s + w * t);
  }

  /// Edges whose lines are nearest inside both; otherwise a corner is nearest (Ericson 2005, section 5.1.9).
  void edge_to_edge(const Cell& a, int i, const Cell& b, int j) {
    const Vec3 &p = a.point(i), &q = b.point(j), u = a.point(a.after(i)) - p, v = b.point(b.after(j)) - q, w = p - q;
    const double uu = length_sq(u), vv = length_sq(v), uv = dot(u, v), uw = dot(u, w), vw = dot(v, w);
    const double determinant = uu * vv - uv * uv;
    if (!(determinant > 1e-14 * uu * vv)) return;
    double s = (uv * vw - vv * uw) / determinant;
    const double t = (uv * s + vw) / vv;
    if (!(s > 0 && s < 1 && t > 0 && t < 1)) return;
    s = std::clamp((uv * t - uw) / uu, 0.0, 1.0);
    offer(a.edge(i), p + u * s, b.edge(j), q + v * t);
  }

 private:
  FeaturePair& best_;
};

void closest(const Cell& a, const Cell& b, FeaturePair& best) {
  Nearest nearest(best);
  if (a.count == 1 && b.count == 1) return nearest.offer(a.whole, a.points[0], b.whole, b.points[0]);
  if (b.count > 1)
    for (int v = 0; v < a.count; ++v) {
      for (int e = 0; e < b.edge_count(); ++e) nearest.point_to_edge<false>(a, v, b, e);
      if (b.count == 3) nearest.point_to_inside<false>(a, v, b);
    }
  if (a.count > 1)
    for (int v = 0; v < b.count; ++v) {
      for (int e = 0; e < a.edge_count(); ++e) nearest.point_to_edge<true>(b, v, a, e);
      if (a.count == 3) nearest.point_to_inside<true>(b, v, a);
    }
  if (a.count > 1 && b.count > 1)
    for (int i = 0; i < a.edge_count(); ++i)
      for (int j = 0; j < b.edge_count(); ++j) nearest.edge_to_edge(a, i, b, j);
}

/// The larger feature beside `feature`, whose closest point is `on`, along which the way toward `to` is steepest: the
/// wall of the Voronoi cell that `to` violates most. False if it is in the cell, up to roundings.
bool step_toward(const PlacedHull& hull, const Feature& feature, Vec3 on, Vec3 to, Feature& larger) {
  const ConvexData& data = hull.data;
  const Vec3 n = hull.local(to - on);
  const std::vector<Vec3>& vertices = data.hull.vertices;
  if (feature.kind == Kind::vertex) {
    const Vec3& here = vertices[feature.id];
    double steepest = 0;
    for (std::uint32_t i = data.hull.neighbor_begin[feature.id]; i < data.hull.neighbor_begin[feature.id + 1]; ++i) {
      const Vec3 edge = vertices[data.hull.neighbors[i]] - here;
      const double rise = dot(edge, n);
      if (rise <= 0) continue;
      const double slope = rise * rise / length_sq(edge);
      if (slope > steepest) steepest = slope, larger = {Kind::edge, data.outgoing[i]};
    }
    return steepest > 0;
  }
  if (feature.kind == Kind::face) return false;
  const Vec3 &p = vertices[data.from(feature.id)], along = vertices[data.to(feature.id)] - p;
  double steepest = 0;
  for (const HalfEdge h : {feature.id, data.twin[feature.id]}) {
    const Vec3 apex = vertices[data.hull.triangles[h / 3][next_corner(next_corner(h % 3))]] - p;
    const Vec3 across = apex - along * (dot(apex, along) / length_sq(along));
    const double rise = dot(across, n);
    if (rise <= 0) continue;
    const double slope = rise * rise / length_sq(across);
    if (slope > steepest) steepest = slope, larger = {Kind::face, h / 3};
  }
  return steepest > 0;
}

}  // namespace

FeaturePair closest_of(const PlacedHull& a, std::uint32_t triangle_a, const PlacedHull& b, std::uint32_t triangle_b) {
  FeaturePair pair;
  closest(cell(a, {Kind::face, triangle_a}), cell(b, {Kind::face, triangle_b}), pair);
  return pair;
}

void refresh(const PlacedHull& a, const PlacedHull& b, FeaturePair& pair) {
  const Cell cell_a = cell(a, pair.a), cell_b = cell(b, pair.b);
  closest(cell_a, cell_b, pair);
}

int walk(const PlacedHull& a, const PlacedHull& b, FeaturePair& pair, int at_most) {
  int steps = 0;
  for (bool moved = true; moved && steps < at_most;) {
    moved = false;
    for (const bool of_a : {true, false}) {
      Feature larger;
      const bool leads_on = of_a ? step_toward(a, pair.a, pair.on_a, pair.on_b, larger)
                                 : step_toward(b, pair.b, pair.on_b, pair.on_a, larger);
      if (!leads_on) continue;
      FeaturePair next;
      closest(cell(a, of_a ? larger : pair.a), cell(b, of_a ? pair.b : larger), next);
      if (!(next.distance_sq < pair.distance_sq)) continue;
      pair = next;
      moved = true;
      ++steps;
    }
  }
  return steps;
}

Corners corners_of(const PlacedHull& hull, const Feature& feature) {
  const auto [i, j, k] = describe(hull.data, feature).vertices;
  return {hull.vertex(i), hull.vertex(j), hull.vertex(k)};
}

std::uint32_t vertex_of(const ConvexData& data, const Feature& feature) {
  switch (feature.kind) {
    case Kind::vertex: return feature.id;
    case Kind::edge: return data.from(feature.id);
    default: return data.hull.triangles[feature.id][0];
  }
}

std::uint32_t triangle_of(const ConvexData& data, const Feature& feature) {
  switch (feature.kind) {
    case Kind::vertex: return data.triangle_at(feature.id);
    case Kind::edge: return feature.id / 3;
    default: return feature.id;
  }
}

Vec3 direction_between(const PlacedHull& a, const PlacedHull& b, const FeaturePair& pair) {
  Vec3 n = pair.on_b - pair.on_a;
  const auto toward_b = [&](Vec3 exact) { return dot(exact, n) < 0 ? -exact : exact; };
  const auto along = [](const PlacedHull& hull, HalfEdge h) {
    const Vec3 e = hull.vertex(hull.data.to(h)) - hull.vertex(hull.data.from(h));
    return e / length(e);
  };
  if (pair.a.kind == Kind::face) return toward_b(unit_normal(a.corners(pair.a.id)).direction);
  if (pair.b.kind == Kind::face) return toward_b(unit_normal(b.corners(pair.b.id)).direction);
  if (pair.a.kind == Kind::edge && pair.b.kind == Kind::edge) {
    const Vec3 common = cross(along(a, pair.a.id), along(b, pair.b.id));
    const double sine = length(common);
    if (sine > 1e-3) return toward_b(common / sine);
  }
  for (int twice = 0; twice < 2; ++twice) {
    if (pair.a.kind == Kind::edge) n = n - along(a, pair.a.id) * dot(n, along(a, pair.a.id));
    if (pair.b.kind == Kind::edge) n = n - along(b, pair.b.id) * dot(n, along(b, pair.b.id));
    n = n / length(n);
  }
  return n;
}

ConvexFeature describe(const ConvexData& data, const Feature& feature) {
  switch (feature.kind) {
    case Kind::vertex: return {Kind::vertex, {feature.id, feature.id, feature.id}};
    case Kind::edge: return {Kind::edge, {data.from(feature.id), data.to(feature.id), data.to(feature.id)}};
    default: return {Kind::face, data.hull.triangles[feature.id]};
  }
}

}  // namespace tumble
