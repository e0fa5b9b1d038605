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

#include <algorithm>
#include <cmath>
#include <limits>

namespace tumble {
namespace {

/// Scales first: beside the rest of the pair, an edge may be so short that its square underflows.
Vec3 unit(const Vec3& v) {
  int exponent = 0;
  std::frexp(max_norm(v), &exponent);
  const Vec3 scaled{std::ldexp(v.x, -exponent), std::ldexp(v.y, -exponent), std::ldexp(v.z, -exponent)};
  return scaled / length(scaled);
}

/// Heights of a triangle over the plane of another, inside the prism that stands on the other.
struct Heights {
  double low = 0, high = 0;  // 0 is always among them, since the triangles meet
};

struct Raised {
  Vec3 position;
  double height;
};

/// 2^scale brings the pair to size 1; the heights are in these units.
Heights heights_inside(const Corners& t, const Corners& base, const UnitNormal& normal, int scale) {
  const auto local = [&](const Vec3& p) {
    const Vec3 d = p - base[0];
    return Vec3{std::ldexp(d.x, scale), std::ldexp(d.y, scale), std::ldexp(d.z, scale)};
  };
  // Cutting a triangle by three half-spaces leaves at most six corners.
  std::array<Raised, 7> polygon{}, cut{};
  std::size_t size = 3;
  for (std::size_t i = 0; i < 3; ++i) {
    const Scaled det = orient3d_value(base[0], base[1], base[2], t[i]);
    int own = 0;
    const double value = std::frexp(det.value, &own) / normal.length.value;
    polygon[i] = {local(t[i]), std::ldexp(value, det.exponent + own - normal.length.exponent + scale)};
  }
  constexpr double widened = 1e-14;
  for (std::size_t edge = 0; edge < 3; ++edge) {
    const Vec3 from = local(base[edge]);
    const Vec3 inward = cross(normal.direction, unit(base[next_corner(edge)] - base[edge]));
    const auto inside = [&](const Raised& p) { return dot(inward, p.position - from) + widened; };
    std::size_t kept = 0;
    for (std::size_t i = 0; i < size; ++i) {
      const Raised &p = polygon[i], &q = polygon[i + 1 == size ? 0 : i + 1];
      const double in_p = inside(p), in_q = inside(q);
      if (in_p >= 0) cut[kept++] = p;
      if ((in_p < 0) == (in_q < 0)) continue;
      const double s = in_p / (in_p - in_q);
      cut[kept++] = {p.position + (q.position - p.position) * s, p.height + (q.height - p.height) * s};
    }
    polygon = cut;
    size = kept;
  }
  Heights h;
  for (std::size_t i = 0; i < size; ++i) {
    h.low = std::min(h.low, polygon[i].height);
    h.high = std::max(h.high, polygon[i].height);
  }
  return h;
}

struct Separation {
  Vec3 direction;
  double distance;
};

Separation separation(const Corners& a, const Corners& b) {
  double size = 0;
  for (const Corners* t : {&a, &b})
    for (const Vec3& p : *t)
      for (int axis = 0; axis < 3; ++axis) size = std::max(size, std::abs(p[axis] - b[0][axis]));
  int exponent = 0;
  std::frexp(size, &exponent);
  const UnitNormal na = unit_normal(a), nb = unit_normal(b);
  const Heights of_a = heights_inside(a, b, nb, -exponent), of_b = heights_inside(b, a, na, -exponent);
  const Separation candidates[] = {
      {nb.direction, -of_a.low}, {-nb.direction, of_a.high}, {na.direction, of_b.high}, {-na.direction, -of_b.low}};
  const Vec3 apart = (centroid(a) - centroid(b)) / std::ldexp(1.0, std::clamp(exponent, -1000, 1000));
  const auto better = [&apart](const Separation& s, const Separation& t) {
    if (s.distance != t.distance) return s.distance < t.distance;
    return dot(s.direction, apart) > dot(t.direction, apart);
  };
  Separation best = *std::min_element(std::begin(candidates), std::end(candidates), better);
  best.distance = std::ldexp(best.distance, exponent) + 0.0;  // −0 becomes 0
  return best;
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
  const CommonSet set = common_set(first, second);
  TUMBLE_ASSERT(set.count > 0 && (kind == ContactKind::coplanar) == (set.count > 2));
  Contact contact;
  contact.kind = kind;
  contact.vertices = set.points;
  contact.vertex_count = set.count;
  contact.point = set.middle();
  if (dimension(first) == 2 && dimension(second) == 2) {
    const Separation s = separation(first, second);
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
