// SPDX-License-Identifier: Apache-2.0
// Triangle against triangle: the signs against each other's planes, then the order of four points on their common
// line (Guigue & Devillers 2003, "Fast and Robust Triangle-Triangle Overlap Test Using Orientation Predicates"). We
// depart from them if triangles are degenerate or coplanar: simplices and separating edges instead of case trees.
#include "geometry/triangle_pair.h"

#include "core/assert.h"
#include "geometry/pair_filter.h"

#include <algorithm>
#include <cstdlib>

namespace tumble {
namespace {

using Corners2 = std::array<Vec2, 3>;

bool one_sided(const Sides& s) { return std::abs(s[0] + s[1] + s[2]) == 3; }

constexpr std::size_t code(int s0, int s1, int s2) { return static_cast<std::size_t>(9 * s0 + 3 * s1 + s2 + 13); }

/// The apex for each of the 27 triples of signs; those that are one-sided or flat have none and are left alone.
constexpr auto apices = [] {
  std::array<Apex, 27> table{};
  for (int s0 = -1; s0 <= 1; ++s0)
    for (int s1 = -1; s1 <= 1; ++s1)
      for (int s2 = -1; s2 <= 1; ++s2) {
        const int s[3] = {s0, s1, s2};
        for (std::uint16_t p = 0; p < 3; ++p) {
          const auto q = static_cast<std::uint16_t>((p + 1) % 3), r = static_cast<std::uint16_t>((p + 2) % 3);
          const bool leaves_plane = s[p] != 0 || (s[q] != 0 && s[r] != 0);
          const bool above = s[p] >= 0 && s[q] <= 0 && s[r] <= 0;
          const bool below = s[p] <= 0 && s[q] >= 0 && s[r] >= 0;
          if (leaves_plane && above != below) table[code(s0, s1, s2)] = Apex{p, q, r, below, s[p] == 0};
        }
      }
  return table;
}();

Corners2 project(const Corners& t, int axis) { return {project(t[0], axis), project(t[1], axis), project(t[2], axis)}; }

/// The sides of the corners of `t` against each edge of `of`, positive inside.
struct EdgeSides {
  bool separates = false;  // some edge has all of t strictly outside
  bool parts = false;      // some edge has none of t strictly inside
};
template <std::size_t N>
EdgeSides edge_sides(const Corners2& of, const std::array<Vec2, N>& t) {
  const int turn = orient2d(of[0], of[1], of[2]);
  EdgeSides result;
  for (std::size_t i = 0; i < 3; ++i) {
    int most = -1;
    for (const Vec2& p : t) most = std::max(most, turn * orient2d(of[i], of[next_corner(i)], p));
    if (most < 0) return {.separates = true, .parts = true};
    result.parts |= most == 0;
  }
  return result;
}

/// Both have area and lie in one plane. Two convex polygons that are apart (that share no area) are separated
/// strictly (weakly) by the line of one of their edges.
std::optional<ContactKind> classify_coplanar(const Corners& a, const Corners& b) {
  const int axis = projection_axis(a[0], a[1], a[2]);
  const Corners2 a2 = project(a, axis), b2 = project(b, axis);
  const EdgeSides b_of_a = edge_sides(a2, b2);
  if (b_of_a.separates) return std::nullopt;
  const EdgeSides a_of_b = edge_sides(b2, a2);
  if (a_of_b.separates) return std::nullopt;
  return b_of_a.parts || a_of_b.parts ? ContactKind::touch : ContactKind::coplanar;
}

bool share_a_corner(const Corners& a, const Corners& b) {
  return std::ranges::any_of(a, [&](const Vec3& p) { return p == b[0] || p == b[1] || p == b[2]; });
}

/// One of them is degenerate, or both lie in one plane.
[[gnu::noinline]] std::optional<ContactKind> classify_flat(const Corners& a, const Corners& b) {
  const int dim_a = dimension(a), dim_b = dimension(b);
  if (dim_a < dim_b) return classify_flat(b, a);
  if (dim_b == 2) return classify_coplanar(a, b);
  const bool meet = dim_b == 1 ? (dim_a == 2 ? meets(segment_of(b), a) : meets(segment_of(b), segment_of(a)))
                               : (dim_a == 2   ? meets(b[0], a)
                                  : dim_a == 1 ? meets(b[0], segment_of(a))
                                               : a[0] == b[0]);
  return meet ? std::optional(ContactKind::touch) : std::nullopt;
}

}  // namespace

Apex apex(const Sides& s) {
  TUMBLE_ASSERT(!one_sided(s) && !all_zero(s));
  return apices[code(s[0], s[1], s[2])];
}

Straddle straddle(const Sides& a_against_b, const Sides& b_against_a) {
  const Apex a = apex(a_against_b), b = apex(b_against_a);
  const auto turned = [](const Apex& x) { return Apex{x.p, x.r, x.q, x.below, x.on_plane}; };
  return {b.below ? turned(a) : a, a.below ? turned(b) : b};
}

[[gnu::noinline]] std::optional<ContactKind> classify_exactly(const Corners& a, const Corners& b) {
  // Degenerate triangles have no plane: their signs are all zero. So past these lines neither is degenerate and the
  // planes meet in a line.
  const Sides sb = sides(a, b);
  if (one_sided(sb)) return std::nullopt;
  if (all_zero(sb)) return classify_flat(a, b);
  const Sides sa = sides(b, a);
  if (one_sided(sa)) return std::nullopt;
  if (all_zero(sa)) return classify_flat(a, b);

  const auto [pa, pb] = straddle(sa, sb);
  const int first = orient3d(a[pa.p], a[pa.q], b[pb.p], b[pb.q]);
  if (first > 0) return std::nullopt;
  const int second = orient3d(a[pa.p], a[pa.r], b[pb.p], b[pb.r]);
  if (second < 0) return std::nullopt;
  const auto two_sided = [](const Sides& s) { return std::ranges::min(s) < 0 && std::ranges::max(s) > 0; };
  return first < 0 && second > 0 && two_sided(sa) && two_sided(sb) ? ContactKind::cross : ContactKind::touch;
}

std::optional<ContactKind> classify(const Corners& a, const Corners& b) {
  const FirstLook look = first_look(a, b);
  if (look == FirstLook::unsure) [[unlikely]]
    return classify_exactly(a, b);
  return look == FirstLook::cross ? std::optional(ContactKind::cross) : std::nullopt;
}

bool intersects(const Corners& a, const Corners& b) {
  const FirstLook look = first_look(a, b);
  if (look == FirstLook::unsure) [[unlikely]]
    return share_a_corner(a, b) || classify_exactly(a, b).has_value();
  return look == FirstLook::cross;
}

bool meets(const Vec3& p, const Segment& s) {
  if (!collinear(p, s[0], s[1])) return false;
  const bool forward = lexicographic_less(s[0], s[1]);
  const Vec3 &low = s[forward ? 0 : 1], &high = s[forward ? 1 : 0];
  return !lexicographic_less(p, low) && !lexicographic_less(high, p);
}

bool meets(const Vec3& p, const Corners& t) {
  if (orient3d(t[0], t[1], t[2], p) != 0) return false;
  const int axis = projection_axis(t[0], t[1], t[2]);
  return !edge_sides(project(t, axis), std::array{project(p, axis)}).separates;
}

bool lies_on(const Vec3& p, const Corners& t) {
  switch (dimension(t)) {
    case 2: return meets(p, t);
    case 1: return meets(p, segment_of(t));
    default: return p == t[0];
  }
}

bool meets(const Segment& s, const Segment& t) {
  if (orient3d(s[0], s[1], t[0], t[1]) != 0) return false;
  int axis = projection_axis(s[0], s[1], t[0]);
  if (axis < 0) axis = projection_axis(s[0], s[1], t[1]);
  // All on one line: they meet if an end of one lies on the other.
  if (axis < 0) return meets(s[0], t) || meets(s[1], t) || meets(t[0], s) || meets(t[1], s);
  // Otherwise the lines differ, and they meet if each reaches across the other's line.
  const Vec2 s0 = project(s[0], axis), s1 = project(s[1], axis), t0 = project(t[0], axis), t1 = project(t[1], axis);
  return orient2d(s0, s1, t0) * orient2d(s0, s1, t1) <= 0 && orient2d(t0, t1, s0) * orient2d(t0, t1, s1) <= 0;
}

bool meets(const Segment& s, const Corners& t) {
  const int side0 = orient3d(t[0], t[1], t[2], s[0]), side1 = orient3d(t[0], t[1], t[2], s[1]);
  if (side0 * side1 > 0) return false;
  Sides around;
  if (side0 == 0 && side1 == 0) {
    // In one plane: apart if an edge of the triangle or the segment's own line separates them strictly.
    const int axis = projection_axis(t[0], t[1], t[2]);
    const Corners2 t2 = project(t, axis);
    const std::array<Vec2, 2> s2{project(s[0], axis), project(s[1], axis)};
    if (edge_sides(t2, s2).separates) return false;
    for (std::size_t i = 0; i < 3; ++i) around[i] = orient2d(s2[0], s2[1], t2[i]);
    return !one_sided(around);
  }
  // The segment meets the plane in one point; it is inside if the line passes all edges on one side.
  for (std::size_t i = 0; i < 3; ++i) around[i] = orient3d(s[0], s[1], t[i], t[next_corner(i)]);
  return std::ranges::min(around) >= 0 || std::ranges::max(around) <= 0;
}

}  // namespace tumble
