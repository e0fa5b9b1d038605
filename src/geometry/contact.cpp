// SPDX-License-Identifier: Apache-2.0
// The least translation along a triangle's normal that separates a pair. Moved along b's normal, a can meet b only with
// points over b. So only the part of a inside the prism on b counts; its lowest and highest points give how far a must
// go up or down.
#include "geometry/contact.h"

#include "core/assert.h"
#include "geometry/common_set.h"
#include "geometry/predicates.h"
#include "geometry/unit_normal.h"
#include "math/max_norm.h"
#include "math/power_of_two.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tumble {
namespace {

Vec3 scaled(const Vec3& v, int exponent) {
  return {times_power_of_two(v.x, exponent), times_power_of_two(v.y, exponent), times_power_of_two(v.z, exponent)};
}

/// Scales first: beside the rest of the pair, an edge may be so short that its square underflows.
Vec3 unit(const Vec3& v) {
  const int exponent = fraction_of(max_norm(v)).exponent;
  const Vec3 near_one = scaled(v, -exponent);
  return near_one / length(near_one);
}

/// Heights of a triangle over the plane of another, inside the prism that stands on the other.
struct Range {
  double low = 0, high = 0;  // 0 is always among them, since the triangles meet
};

struct Raised {
  Vec3 position;
  double height;
};

/// 2^scale brings the pair to size 1; the heights are in these units.
Range heights_inside(const Corners& t, const Corners& base, const std::array<Scaled, 3>& values,
                     const UnitNormal& normal, int scale) {
  const auto local = [&](const Vec3& p) { return scaled(p - base[0], scale); };
  // Cutting a triangle by three half-spaces leaves at most six corners.
  std::array<Raised, 7> polygon, cut;
  std::array<double, 7> inside;
  std::size_t size = 3;
  for (std::size_t i = 0; i < 3; ++i) {
    const Fraction height = fraction_of(values[i].value);
    polygon[i] = {local(t[i]),
                  times_power_of_two(height.value / normal.length.value,
                                     values[i].exponent + height.exponent - normal.length.exponent + scale)};
  }
  constexpr double widened = 1e-14;
  for (std::size_t edge = 0; edge < 3; ++edge) {
    const Vec3 from = local(base[edge]);
    const Vec3 inward = cross(normal.direction, unit(base[next_corner(edge)] - base[edge]));
    bool all_inside = true;
    for (std::size_t i = 0; i < size; ++i) {
      inside[i] = dot(inward, polygon[i].position - from) + widened;
      all_inside = all_inside && inside[i] >= 0;
    }
    if (all_inside) continue;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < size; ++i) {
      const std::size_t j = i + 1 == size ? 0 : i + 1;
      const Raised &p = polygon[i], &q = polygon[j];
      const double in_p = inside[i], in_q = inside[j];
      if (in_p >= 0) cut[kept++] = p;
      if ((in_p < 0) == (in_q < 0)) continue;
      const double s = in_p / (in_p - in_q);
      cut[kept++] = {p.position + (q.position - p.position) * s, p.height + (q.height - p.height) * s};
    }
    std::copy_n(cut.begin(), kept, polygon.begin());
    size = kept;
  }
  Range range;
  for (std::size_t i = 0; i < size; ++i) {
    range.low = std::min(range.low, polygon[i].height);
    range.high = std::max(range.high, polygon[i].height);
  }
  return range;
}

struct Separation {
  Vec3 direction;
  double distance;
};

/// Of two directions, the one with less to move; of equal ones, the one that moves the centroids apart.
class Better {
 public:
  explicit Better(const Vec3& apart) : apart_(apart) {}
  bool operator()(const Separation& s, const Separation& t) const {
    if (s.distance != t.distance) return s.distance < t.distance;
    return dot(s.direction, apart_) > dot(t.direction, apart_);
  }

 private:
  Vec3 apart_;
};

/// Whether a triangle has no corner strictly above a plane.
bool none_above(const Sides& s) { return std::ranges::max(s) <= 0; }
bool none_below(const Sides& s) { return std::ranges::min(s) >= 0; }

Separation separation(const Corners& a, const Corners& b, ContactKind kind, CornerHeights& of_a, CornerHeights& of_b) {
  double size = 0;
  for (const Corners* t : {&a, &b})
    for (const Vec3& p : *t)
      for (int axis = 0; axis < 3; ++axis) size = std::max(size, std::abs(p[axis] - b[0][axis]));
  const int exponent = fraction_of(size).exponent;
  const Vec3 apart = (centroid(a) - centroid(b)) / times_power_of_two(1.0, std::clamp(exponent, -1000, 1000));
  const Better better(apart);
  const UnitNormal na = unit_normal(a), nb = unit_normal(b);
  // Where no corner is below a plane, nothing need be moved up: that distance is 0, the least there is. The others
  // matter only if they would be better at 0, too.
  const bool is_zero[] = {none_below(of_a.sides), none_above(of_a.sides), none_above(of_b.sides),
                          none_below(of_b.sides)};
  Separation candidates[] = {{nb.direction, 0}, {-nb.direction, 0}, {na.direction, 0}, {-na.direction, 0}};
  const auto best = std::min_element(std::begin(candidates), std::end(candidates), better);
  if (is_zero[best - std::begin(candidates)]) return *best;

  const Range range_a = heights_inside(a, b, of_a.values(), nb, -exponent);
  const Range range_b = heights_inside(b, a, of_b.values(), na, -exponent);
  candidates[0].distance = -range_a.low;
  candidates[1].distance = range_a.high;
  candidates[2].distance = range_b.high;
  candidates[3].distance = -range_b.low;
  // What is 0 is so exactly. Triangles that touch in a point may be 0 deep, too, with both on two sides of the other's
  // plane: what the wider prisms make of it is 0.
  constexpr double rounding = 1e-13;
  for (std::size_t i = 0; i < std::size(candidates); ++i)
    if (is_zero[i] || (kind == ContactKind::touch && candidates[i].distance <= rounding)) candidates[i].distance = 0;
  Separation least = *std::min_element(std::begin(candidates), std::end(candidates), better);
  least.distance = times_power_of_two(least.distance, exponent) + 0.0;  // −0 becomes 0
  return least;
}

bool ordered(const Corners& a, const Corners& b) {
  return !std::ranges::lexicographical_compare(b, a, lexicographic_less);
}

/// Whether the corners turn the other way than in their sorted order.
bool is_reversed(const Corners& t, const Corners& sorted) {
  const auto first = static_cast<std::size_t>(std::ranges::find(t, sorted[0]) - t.begin());
  return t[next_corner(first)] != sorted[1];
}

}  // namespace

Contact make_contact(const Corners& a, const Corners& b, ContactKind kind, std::uint32_t triangle_a,
                     std::uint32_t triangle_b) {
  const Corners sa = sorted(a), sb = sorted(b);
  const bool in_order = ordered(sa, sb);
  const Corners &first = in_order ? sa : sb, &second = in_order ? sb : sa;
  const auto heights = [kind](const Corners& of, const Corners& over) {
    return kind == ContactKind::coplanar ? CornerHeights(of, over, Sides{}) : CornerHeights(of, over);
  };
  CornerHeights of_first = heights(first, second), of_second = heights(second, first);
  const CommonSet set = common_set(first, second, of_first, of_second);
  TUMBLE_ASSERT(set.count > 0 && (kind == ContactKind::coplanar) == (set.count > 2));
  Contact contact;
  contact.kind = kind;
  contact.vertices = set.points;
  contact.vertex_count = set.count;
  contact.point = set.middle();
  if (kind != ContactKind::touch || (dimension(first) == 2 && dimension(second) == 2)) {
    const Separation s = separation(first, second, kind, of_first, of_second);
    bool turned = !in_order;
    if (sa == sb) {  // the direction is the normal of the sorted corners
      const bool back_a = is_reversed(a, sa), back_b = is_reversed(b, sb);
      turned = back_b != (back_a == back_b && triangle_a > triangle_b);
    }
    contact.normal = turned ? -s.direction : s.direction;
    contact.depth = s.distance;
  } else {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    contact.normal = {nan, nan, nan};
    contact.depth = nan;
  }
  return contact;
}

}  // namespace tumble
