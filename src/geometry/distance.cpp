// SPDX-License-Identifier: Apache-2.0
// Two triangles apart are nearest at a corner of one and a point of the other, or on an edge of each. All candidates
// are points of the triangles, so rounding can only make the answer too large; corner–edge candidates are stable,
// and the others are refined until they are.
#include "geometry/distance.h"

#include "geometry/common_set.h"
#include "geometry/expansion.h"
#include "geometry/triangle_pair.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

namespace tumble {
namespace {

double clamp01(double x) { return std::clamp(x, 0.0, 1.0); }

/// x in [0, 1] for which |w + x·u| is least; u may be zero.
double nearest_on(const Vec3& w, const Vec3& u, double uu) { return uu > 0 ? clamp01(-dot(w, u) / uu) : 0; }

/// The cross product to an ulp of each component (Kahan's difference of products), for vectors nearly parallel.
Vec3 careful_cross(const Vec3& a, const Vec3& b) {
  const auto minor = [](double p, double q, double r, double s) {
    const TwoTerms left = two_product(p, q), right = two_product(r, s);
    return (left.sum - right.sum) + (left.error - right.error);
  };
  return {minor(a.y, b.z, a.z, b.y), minor(a.z, b.x, a.x, b.z), minor(a.x, b.y, a.y, b.x)};
}

/// Two directions from a common origin and the solution of min |w + s·u + t·v| over the plane.
class Span {
 public:
  Span(const Vec3& u_, const Vec3& v_) : u(u_), v(v_), uu(length_sq(u_)), vv(length_sq(v_)), normal_(cross(u_, v_)) {
    nn_ = length_sq(normal_);
    // Below a sine of 1/8 the solution loses digits that more care, and more steps on the residual, bring back.
    ill_conditioned_ = nn_ < 0x1p-6 * uu * vv;
    if (!ill_conditioned_) return;
    normal_ = careful_cross(u, v);
    nn_ = length_sq(normal_);
  }

  Vec3 u, v;
  double uu, vv;

  bool has_area() const { return nn_ > 0; }
  bool ill_conditioned() const { return ill_conditioned_; }
  // The residual w + s·u + t·v is parallel to the normal; crossing with one direction leaves the other's weight.
  double s(const Vec3& w) const { return -dot(crossed(w, v), normal_) / nn_; }
  double t(const Vec3& w) const { return -dot(crossed(u, w), normal_) / nn_; }

 private:
  Vec3 crossed(const Vec3& a, const Vec3& b) const { return ill_conditioned_ ? careful_cross(a, b) : cross(a, b); }

  Vec3 normal_;
  double nn_;
  bool ill_conditioned_;
};

// Each step reduces the error by 2^-52 over the sine of the angle; where that is no reduction, the corner–edge
// candidates are as near as rounding allows.
constexpr int refinements = 3;

class Search {
 public:
  double distance_sq = std::numeric_limits<double>::infinity();
  Vec3 on_a, on_b;

  void offer(const Vec3& p, const Vec3& q) {
    const double sq = length_sq(p - q);
    if (!(sq < distance_sq)) return;
    distance_sq = sq;
    on_a = p;
    on_b = q;
  }
};

void corner_edge(Search& search, const Vec3& p, const Vec3& q, const Vec3& v, double vv, bool swapped) {
  const Vec3 near = q + v * nearest_on(q - p, v, vv);
  swapped ? search.offer(near, p) : search.offer(p, near);
}

/// Edges p + s·u and q + t·v. Clamping s, then t, then s again ends at the nearest pair if the first s was right
/// (Ericson 2005, section 5.1.9); the projections also take out the error of s that matters most, along both edges.
void edge_edge(Search& search, const Vec3& p, const Vec3& u, const Vec3& q, const Vec3& v) {
  const Span span(u, -v);
  if (!span.has_area()) return;
  const Vec3 w = p - q;
  double s = clamp01(span.s(w)), t = 0;
  for (int step = span.ill_conditioned() ? refinements : 0;; --step) {
    t = nearest_on(w + u * s, span.v, span.vv);
    s = nearest_on(w - v * t, u, span.uu);
    search.offer(p + u * s, q + v * t);
    if (step == 0) return;
    s = clamp01(s + span.s((w + u * s) - v * t));
  }
}

/// A corner p over the inside of the triangle q + s·u + t·v; where it is over the outside an edge is nearer.
void corner_face(Search& search, const Vec3& p, const Vec3& q, const Span& span, bool swapped) {
  if (!span.has_area()) return;
  const Vec3 w = q - p;
  double s = span.s(w), t = span.t(w);
  int steps = 0;
  if (span.ill_conditioned())
    steps = refinements;
  else if (s < 0 || t < 0 || s + t > 1)
    return;
  for (;; --steps) {
    s = clamp01(s);
    t = std::clamp(t, 0.0, 1 - s);
    const Vec3 near = (q + span.u * s) + span.v * t;
    swapped ? search.offer(near, p) : search.offer(p, near);
    if (steps == 0) return;
    // First along the edges, which are nearly parallel: that error weighs most.
    t = std::clamp(t - dot(near - p, span.v) / span.vv, 0.0, 1 - s);
    const Vec3 residual = (w + span.u * s) + span.v * t;
    s += span.s(residual);
    t += span.t(residual);
  }
}

struct Prepared {
  Corners corners;
  std::array<Vec3, 3> edges;  // from corner i to the next
  std::array<double, 3> edges_sq;

  explicit Prepared(const Corners& t) : corners(t) {
    for (std::size_t i = 0; i < 3; ++i) {
      edges[i] = t[next_corner(i)] - t[i];
      edges_sq[i] = length_sq(edges[i]);
    }
  }
  /// The corner opposite to the longest edge: the angle there is the best conditioned.
  std::size_t blunt_corner() const {
    const auto longest = static_cast<std::size_t>(std::ranges::max_element(edges_sq) - edges_sq.begin());
    return next_corner(next_corner(longest));
  }
};

void points_to(Search& search, std::span<const Vec3> points, const Prepared& to, bool swapped) {
  const std::size_t o = to.blunt_corner();
  const Vec3& origin = to.corners[o];
  const Span span(to.corners[next_corner(o)] - origin, to.corners[next_corner(next_corner(o))] - origin);
  for (const Vec3& p : points) {
    for (std::size_t i = 0; i < 3; ++i) corner_edge(search, p, to.corners[i], to.edges[i], to.edges_sq[i], swapped);
    corner_face(search, p, origin, span, swapped);
  }
}

/// Seen from an origin and scaled by a power of two to a size near 1, no product overflows or underflows.
class LocalUnits {
 public:
  LocalUnits(const Vec3& origin, double size) : origin_(origin) {
    std::frexp(size, &exponent_);
    half_ = std::ldexp(1.0, -exponent_ / 2);
    rest_ = std::ldexp(1.0, -exponent_ - (-exponent_ / 2));
  }

  Prepared local(const Corners& t) const {
    return Prepared(
        {((t[0] - origin_) * half_) * rest_, ((t[1] - origin_) * half_) * rest_, ((t[2] - origin_) * half_) * rest_});
  }
  Vec3 world(const Vec3& p) const { return (p / half_) / rest_ + origin_; }
  double world_sq(double local_sq) const { return std::ldexp(local_sq, 2 * exponent_); }

 private:
  Vec3 origin_;
  int exponent_ = 0;
  double half_, rest_;  // two factors, since 2^1074 is no double
};

double size_from(const Vec3& origin, const Corners& t) {
  double size = 0;
  for (const Vec3& p : t)
    size = std::max({size, std::abs(p.x - origin.x), std::abs(p.y - origin.y), std::abs(p.z - origin.z)});
  return size;
}

/// a is the lexicographically smaller, its corners in order: the first of them is the origin.
TriangleDistance separated(const Corners& a, const Corners& b) {
  const LocalUnits units(a[0], std::max(size_from(a[0], a), size_from(a[0], b)));
  const Prepared la = units.local(a), lb = units.local(b);
  Search search;
  points_to(search, la.corners, lb, false);
  points_to(search, lb.corners, la, true);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) edge_edge(search, la.corners[i], la.edges[i], lb.corners[j], lb.edges[j]);
  return {std::max(units.world_sq(search.distance_sq), std::numeric_limits<double>::denorm_min()),
          units.world(search.on_a), units.world(search.on_b)};
}

}  // namespace

TriangleDistance distance(const Corners& a, const Corners& b) {
  const Corners sa = sorted(a), sb = sorted(b);
  const bool swapped = std::ranges::lexicographical_compare(sb, sa, lexicographic_less);
  const Corners &first = swapped ? sb : sa, &second = swapped ? sa : sb;
  if (intersects(first, second)) {
    const Vec3 point = common_set(first, second).middle();
    return {0, point, point};
  }
  TriangleDistance d = separated(first, second);
  if (swapped) std::swap(d.on_a, d.on_b);
  return d;
}

PointDistance point_distance(const Vec3& p, const Corners& t) {
  const LocalUnits units(p, size_from(p, t));
  Search search;
  constexpr Vec3 origin{};
  points_to(search, {&origin, 1}, units.local(t), false);
  return {units.world_sq(search.distance_sq), units.world(search.on_b)};
}

double distance_sq(const Corners& a, const Corners& b) { return distance(a, b).distance_sq; }

}  // namespace tumble
