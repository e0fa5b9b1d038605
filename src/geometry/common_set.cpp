// SPDX-License-Identifier: Apache-2.0
// Corners of the common set are corners of one triangle in the other, or edges crossing planes or edges. Exact signs
// choose them, accurate determinants place them.
#include "geometry/common_set.h"

#include "core/assert.h"
#include "geometry/triangle_pair.h"
#include "math/power_of_two.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tumble {
namespace {

/// The point between p and q where a linear function with values f_p and f_q, of opposite sign, vanishes. Computed from
/// the nearer end, so that neither weight suffers from cancellation.
Vec3 zero_between(const Vec3& p, const Vec3& q, const Scaled& f_p, const Scaled& f_q) {
  const int exponent = std::max(f_p.exponent, f_q.exponent);
  // Halved, so that their sum cannot overflow. A value that underflows is negligible beside the other.
  const double from_p = std::abs(times_power_of_two(f_p.value, f_p.exponent - exponent - 1));
  const double from_q = std::abs(times_power_of_two(f_q.value, f_q.exponent - exponent - 1));
  const double sum = from_p + from_q;
  return from_p <= from_q ? p + (q - p) * (from_p / sum) : q + (p - q) * (from_q / sum);
}

/// Where edge pq of t meets a plane over which its corners have these heights.
Vec3 plane_point(const Corners& t, std::size_t p, std::size_t q, CornerHeights& heights) {
  if (heights.sides[p] == 0) return t[p];
  if (heights.sides[q] == 0) return t[q];
  return zero_between(t[p], t[q], heights.values()[p], heights.values()[q]);
}

/// The planes meet in a line, on which a covers [pq, pr] and b [pr, pq]: see Straddle.
CommonSet common_segment(const Corners& a, const Corners& b, CornerHeights& of_a, CornerHeights& of_b) {
  const Straddle apices = straddle(of_a.sides, of_b.sides);
  const Apex &pa = apices.a, &pb = apices.b;
  const auto order = [&](std::size_t end_a, std::size_t end_b) {
    return orient3d(a[pa.p], a[end_a], b[pb.p], b[end_b]);
  };
  const auto at_corner = [](const Sides& s, std::size_t p, std::size_t q) { return s[p] == 0 || s[q] == 0; };
  struct End {
    bool is_of_a, at_corner;
  };
  // Of two ends in one place, the one that is a corner is exact.
  const auto end = [&](std::size_t end_a, std::size_t end_b, bool take_later) {
    const int a_after_b = order(end_a, end_b);
    const bool a_at_corner = at_corner(of_a.sides, pa.p, end_a), b_at_corner = at_corner(of_b.sides, pb.p, end_b);
    const bool is_of_a = a_after_b == 0 ? a_at_corner : (a_after_b > 0) == take_later;
    return End{is_of_a, is_of_a ? a_at_corner : b_at_corner};
  };
  const auto low = [&] {
    return end(pa.q, pb.r, true).is_of_a ? plane_point(a, pa.p, pa.q, of_a) : plane_point(b, pb.p, pb.r, of_b);
  };
  const End high_end = end(pa.r, pb.q, false);
  const auto high = [&] {
    return high_end.is_of_a ? plane_point(a, pa.p, pa.r, of_a) : plane_point(b, pb.p, pb.q, of_b);
  };
  if (pa.on_plane || pb.on_plane || order(pa.q, pb.q) == 0 || order(pa.r, pb.r) == 0)
    return {{high_end.at_corner ? high() : low()}, 1};
  return {{low(), high()}, 2};
}

/// Two triangles in one plane. Every corner of the common polygon has a name. Edges of either triangle that run along
/// the polygon give the order of names, so no rounded coordinate decides it.
class CoplanarOutline {
 public:
  CoplanarOutline(const Corners& a, const Corners& b) : triangles_{a, b} {
    axis_ = projection_axis(a[0], a[1], a[2]);
    for (std::size_t t = 0; t < 2; ++t) {
      Corners& own = triangles_[t];
      if (turn(own[0], own[1], own[2]) < 0) std::swap(own[1], own[2]);
    }
    for (std::size_t t = 0; t < 2; ++t)
      for (std::size_t edge = 0; edge < 3; ++edge)
        for (std::size_t corner = 0; corner < 3; ++corner) {
          const Corners &own = triangles_[t], &other = triangles_[1 - t];
          inside_[t][edge][corner] = turn(own[edge], own[next_corner(edge)], other[corner]);
        }
    next_.fill(none);
    for (std::size_t t = 0; t < 2; ++t)
      for (std::size_t edge = 0; edge < 3; ++edge) add_edge(t, edge);
  }

  CommonSet outline() const {
    CommonSet set;
    const auto first = static_cast<std::size_t>(std::ranges::find(found_, true) - found_.begin());
    const auto found = std::ranges::count(found_, true);
    TUMBLE_ASSERT(found >= 1 && found <= 6);
    if (found <= 2) {
      for (std::size_t name = first; name < names; ++name)
        if (found_[name]) set.points[set.count++] = place(name);
      return set;
    }
    std::size_t name = first;
    do {
      TUMBLE_ASSERT(name != none && set.count < found);
      set.points[set.count++] = place(name);
      name = next_[name];
    } while (name != first);
    TUMBLE_ASSERT(set.count == found);
    return set;
  }

 private:
  // Names: corners of a, corners of b that are not also corners of a, crossings of an edge of each.
  static constexpr std::size_t names = 15, none = names;

  int turn(const Vec3& p, const Vec3& q, const Vec3& r) const {
    return orient2d(project(p, axis_), project(q, axis_), project(r, axis_));
  }

  /// The sides of corner `corner` of the other triangle against the three edges of t.
  Sides corner_sides(std::size_t t, std::size_t corner) const {
    return {inside_[t][0][corner], inside_[t][1][corner], inside_[t][2][corner]};
  }

  std::size_t corner_name(std::size_t t, std::size_t corner) const {
    if (t == 0) return corner;
    const Sides s = corner_sides(0, corner);
    for (std::size_t i = 0; i < 3; ++i)
      if (s[i] == 0 && s[(i + 2) % 3] == 0) return i;
    return 3 + corner;
  }

  static std::size_t crossing_name(std::size_t edge_a, std::size_t edge_b) { return 6 + 3 * edge_a + edge_b; }

  /// The part of an edge inside the other triangle begins and ends at one of these: the edge's own corners, crossings
  /// with edges, the other's corners that lie on it.
  void add_edge(std::size_t t, std::size_t edge) {
    const std::size_t o = 1 - t, from = edge, to = next_corner(edge);
    std::size_t begin = none, end = none;
    if (std::ranges::min(corner_sides(o, from)) >= 0) begin = corner_name(t, from);
    if (std::ranges::min(corner_sides(o, to)) >= 0) end = corner_name(t, to);
    for (std::size_t other = 0; other < 3; ++other) {
      const int side_from = inside_[o][other][from], side_to = inside_[o][other][to];
      if (side_from * side_to >= 0 || inside_[t][edge][other] * inside_[t][edge][next_corner(other)] >= 0) continue;
      (side_from < 0 ? begin : end) = t == 0 ? crossing_name(edge, other) : crossing_name(other, edge);
    }
    std::array<std::size_t, 3> on_edge{};
    std::size_t count = 0;
    for (std::size_t corner = 0; corner < 3; ++corner) {
      const Sides s = corner_sides(t, corner);
      if (s[edge] == 0 && s[next_corner(edge)] > 0 && s[(edge + 2) % 3] > 0) on_edge[count++] = corner;
    }
    if (count == 2) {
      const Corners& other = triangles_[o];
      const bool edge_rises = lexicographic_less(triangles_[t][from], triangles_[t][to]);
      if (lexicographic_less(other[on_edge[1]], other[on_edge[0]]) == edge_rises) std::swap(on_edge[0], on_edge[1]);
      begin = corner_name(o, on_edge[0]);
      end = corner_name(o, on_edge[1]);
    } else if (count == 1) {
      const std::size_t name = corner_name(o, on_edge[0]);
      if (begin == none) begin = name;
      if (end == none) end = name;
    }
    if (begin != none) found_[begin] = true;
    if (end != none) found_[end] = true;
    if (begin != none && end != none && begin != end) next_[begin] = end;
  }

  Vec3 place(std::size_t name) const {
    if (name < 6) return triangles_[name / 3][name % 3];
    const std::size_t edge_a = (name - 6) / 3, edge_b = (name - 6) % 3;
    const Vec3 &p = triangles_[0][edge_a], &q = triangles_[0][next_corner(edge_a)];
    const Vec2 s = project(triangles_[1][edge_b], axis_), t = project(triangles_[1][next_corner(edge_b)], axis_);
    return zero_between(p, q, orient2d_value(s, t, project(p, axis_)), orient2d_value(s, t, project(q, axis_)));
  }

  std::array<Corners, 2> triangles_;  // both counter-clockwise, seen along axis_
  int axis_;
  // inside_[t][edge][corner]: on which side of t's edge the other triangle's corner lies, positive inside.
  std::array<std::array<std::array<int, 3>, 3>, 2> inside_{};
  std::array<bool, names> found_{};
  std::array<std::size_t, names> next_{};
};

void add(CommonSet& set, const Vec3& p) {
  if (std::ranges::find(set.outline(), p) == set.outline().end()) set.points[set.count++] = p;
}

/// If s and t, projected along `axis`, cross strictly between the ends of both, sets the point of s on t.
bool proper_crossing(const Segment& s, const Segment& t, int axis, Vec3& point) {
  const Vec2 s0 = project(s[0], axis), s1 = project(s[1], axis), t0 = project(t[0], axis), t1 = project(t[1], axis);
  if (orient2d(s0, s1, t0) * orient2d(s0, s1, t1) >= 0 || orient2d(t0, t1, s0) * orient2d(t0, t1, s1) >= 0)
    return false;
  point = zero_between(s[0], s[1], orient2d_value(t0, t1, s0), orient2d_value(t0, t1, s1));
  return true;
}

CommonSet common(const Segment& s, const Segment& t) {
  CommonSet set;
  for (const Vec3& p : s)
    if (meets(p, t)) add(set, p);
  for (const Vec3& p : t)
    if (meets(p, s)) add(set, p);
  Vec3 point;
  if (set.count == 0 && proper_crossing(s, t, projection_axis(s[0], s[1], t[0]), point)) add(set, point);
  return set;
}

CommonSet common(const Segment& s, const Corners& t) {
  CommonSet set;
  for (const Vec3& p : s)
    if (meets(p, t)) add(set, p);
  const int side0 = orient3d(t[0], t[1], t[2], s[0]), side1 = orient3d(t[0], t[1], t[2], s[1]);
  if (side0 * side1 < 0)
    add(set, zero_between(s[0], s[1], orient3d_value(t[0], t[1], t[2], s[0]), orient3d_value(t[0], t[1], t[2], s[1])));
  if (side0 != 0 || side1 != 0) return set;
  const int axis = projection_axis(t[0], t[1], t[2]);
  for (std::size_t i = 0; i < 3; ++i) {
    if (meets(t[i], s)) add(set, t[i]);
    Vec3 point;
    if (proper_crossing(s, {t[i], t[next_corner(i)]}, axis, point)) set.points[set.count++] = point;
  }
  return set;
}

/// One of them is degenerate, or both lie in one plane.
CommonSet common_flat(const Corners& a, const Corners& b) {
  const int dim_a = dimension(a), dim_b = dimension(b);
  if (dim_a < dim_b) return common_flat(b, a);
  if (dim_b == 2) return CoplanarOutline(a, b).outline();
  if (dim_b == 0) return {{b[0]}, 1};
  return dim_a == 2 ? common(segment_of(b), a) : common(segment_of(b), segment_of(a));
}

}  // namespace

Vec3 CommonSet::middle() const {
  Vec3 sum{};
  for (const Vec3& p : outline()) sum += p / count;
  return sum;
}

CommonSet common_set(const Corners& a, const Corners& b, CornerHeights& of_a, CornerHeights& of_b) {
  return all_zero(of_a.sides) || all_zero(of_b.sides) ? common_flat(a, b) : common_segment(a, b, of_a, of_b);
}

CommonSet common_set(const Corners& a, const Corners& b) {
  CornerHeights of_a(a, b), of_b(b, a);
  return common_set(a, b, of_a, of_b);
}

}  // namespace tumble
