// SPDX-License-Identifier: Apache-2.0
// The only file that sees CGAL: it takes long to compile.
#include "oracle/exact_reference.h"

#include <CGAL/Exact_predicates_exact_constructions_kernel.h>
#include <CGAL/Exact_rational.h>
#include <CGAL/intersections.h>

#include <algorithm>
#include <variant>
#include <vector>

namespace tumble::testing {
namespace {

using Kernel = CGAL::Exact_predicates_exact_constructions_kernel;
using Point = Kernel::Point_3;
using Simplex = std::variant<Point, Kernel::Segment_3, Kernel::Triangle_3>;

Simplex simplex_of(const Corners& t) {
  std::vector<Point> p;
  for (const Vec3& v : t) p.emplace_back(v.x, v.y, v.z);
  if (!CGAL::collinear(p[0], p[1], p[2])) return Kernel::Triangle_3(p[0], p[1], p[2]);
  std::sort(p.begin(), p.end());
  if (p[0] == p[2]) return p[0];
  return Kernel::Segment_3(p[0], p[2]);
}

bool meet(const Point& p, const Point& q) { return p == q; }
bool meet(const auto& s, const auto& t) { return CGAL::do_intersect(s, t); }

using Rational = CGAL::Exact_rational;
using Vector = std::array<Rational, 3>;
using Triangle = std::array<Vector, 3>;

Vector operator-(const Vector& a, const Vector& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Rational dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
Triangle exact(const Corners& t) {
  Triangle result;
  for (std::size_t i = 0; i < 3; ++i) result[i] = {Rational(t[i].x), Rational(t[i].y), Rational(t[i].z)};
  return result;
}
Vector normal(const Triangle& t) { return cross(t[1] - t[0], t[2] - t[0]); }

std::array<Rational, 3> heights(const Triangle& t, const Triangle& plane) {
  const Vector n = normal(plane);
  return {dot(n, t[0] - plane[0]), dot(n, t[1] - plane[0]), dot(n, t[2] - plane[0])};
}
bool all_zero(const std::array<Rational, 3>& h) { return h[0] == 0 && h[1] == 0 && h[2] == 0; }
bool two_sided(const std::array<Rational, 3>& h) {
  return std::any_of(h.begin(), h.end(), [](const Rational& x) { return x < 0; }) &&
         std::any_of(h.begin(), h.end(), [](const Rational& x) { return x > 0; });
}

/// Where the triangle crosses the plane, as an interval of positions along `line`.
std::pair<Rational, Rational> crossing(const Triangle& t, const std::array<Rational, 3>& h, const Vector& line) {
  std::vector<Rational> positions;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3;
    const Rational from = dot(line, t[i]), to = dot(line, t[j]);
    if (h[i] == 0) positions.push_back(from);
    if (h[i] * h[j] < 0) positions.push_back(from + (to - from) * (h[i] / (h[i] - h[j])));
  }
  const auto [low, high] = std::minmax_element(positions.begin(), positions.end());
  return {*low, *high};
}

/// a cut by the three planes that stand on b's edges (Sutherland & Hodgman 1974): does area remain?
bool share_area(const Triangle& a, const Triangle& b) {
  const Vector n = normal(b);
  std::vector<Vector> polygon(a.begin(), a.end());
  for (std::size_t i = 0; i < 3 && !polygon.empty(); ++i) {
    const Vector inward = cross(n, b[(i + 1) % 3] - b[i]);
    std::vector<Vector> kept;
    for (std::size_t k = 0; k < polygon.size(); ++k) {
      const Vector &p = polygon[k], &q = polygon[(k + 1) % polygon.size()];
      const Rational hp = dot(inward, p - b[i]), hq = dot(inward, q - b[i]);
      if (hp >= 0) kept.push_back(p);
      if (hp * hq < 0) {
        const Rational s = hp / (hp - hq);
        const Vector d = q - p;
        kept.push_back({p[0] + s * d[0], p[1] + s * d[1], p[2] + s * d[2]});
      }
    }
    polygon = kept;
  }
  for (std::size_t k = 2; k < polygon.size(); ++k)
    if (dot(n, cross(polygon[k - 1] - polygon[0], polygon[k] - polygon[0])) != 0) return true;
  return false;
}

ContactKind kind_of(const Triangle& a, const Triangle& b) {
  const auto ha = heights(a, b), hb = heights(b, a);
  if (all_zero(ha)) return share_area(a, b) ? ContactKind::coplanar : ContactKind::touch;
  if (!two_sided(ha) || !two_sided(hb)) return ContactKind::touch;
  const Vector line = cross(normal(a), normal(b));
  const auto on_a = crossing(a, ha, line), on_b = crossing(b, hb, line);
  return std::max(on_a.first, on_b.first) < std::min(on_a.second, on_b.second) ? ContactKind::cross
                                                                               : ContactKind::touch;
}

}  // namespace

std::optional<ContactKind> reference_classify(const Corners& a, const Corners& b) {
  const Simplex sa = simplex_of(a), sb = simplex_of(b);
  if (!std::visit([](const auto& s, const auto& t) { return meet(s, t); }, sa, sb)) return std::nullopt;
  if (!std::holds_alternative<Kernel::Triangle_3>(sa) || !std::holds_alternative<Kernel::Triangle_3>(sb))
    return ContactKind::touch;
  return kind_of(exact(a), exact(b));
}

}  // namespace tumble::testing
