// SPDX-License-Identifier: Apache-2.0
// Coordinates times a common power of two are integers; a squared distance is a fraction of two integers. Features
// are corners, edges without their ends and faces without their edges: each pair of them counts only if the nearest
// points lie inside both, which is a matter of signs.
#include "oracle/exact_distance.h"

#include <boost/multiprecision/cpp_int.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace tumble::testing {
namespace {

using Integer = boost::multiprecision::number<boost::multiprecision::cpp_int_backend<>, boost::multiprecision::et_off>;
using Vector = std::array<Integer, 3>;
using Triangle = std::array<Vector, 3>;

constexpr int least_exponent = -1074;

Integer integer(double x) {
  int exponent = 0;
  std::frexp(x, &exponent);
  exponent = std::max(exponent - 53, least_exponent);
  return Integer(static_cast<long long>(std::ldexp(x, -exponent))) << (exponent - least_exponent);
}
Vector integers(const Vec3& p) { return {integer(p.x), integer(p.y), integer(p.z)}; }
Triangle integers(const Corners& t) { return {integers(t[0]), integers(t[1]), integers(t[2])}; }

Vector operator-(const Vector& a, const Vector& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Integer dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

struct Fraction {
  Integer over, under;
};

struct Least {
  std::optional<Fraction> value;

  void offer(const Integer& over, const Integer& under) {
    if (!value || over * value->under < value->over * under) value = {over, under};
  }
};

bool strictly_between(const Integer& x, const Integer& high) { return x > 0 && x < high; }

void corner_corner(Least& least, const Vector& p, const Vector& q) { least.offer(dot(p - q, p - q), 1); }

void corner_edge(Least& least, const Vector& p, const Vector& q, const Vector& r) {
  const Vector e = r - q, w = p - q;
  const Integer ee = dot(e, e);
  if (!strictly_between(dot(w, e), ee)) return;
  const Vector c = cross(w, e);
  least.offer(dot(c, c), ee);
}

void corner_face(Least& least, const Vector& p, const Triangle& t) {
  const Vector n = cross(t[1] - t[0], t[2] - t[0]);
  const Integer nn = dot(n, n);
  if (nn == 0) return;
  for (std::size_t i = 0; i < 3; ++i)
    if (dot(cross(n, t[(i + 1) % 3] - t[i]), p - t[i]) <= 0) return;
  const Integer h = dot(n, p - t[0]);
  least.offer(h * h, nn);
}

void edge_edge(Least& least, const Vector& p, const Vector& p_end, const Vector& q, const Vector& q_end) {
  const Vector u = p_end - p, v = q_end - q, w = q - p, n = cross(u, v);
  const Integer nn = dot(n, n);
  if (nn == 0) return;
  if (!strictly_between(dot(cross(w, v), n), nn) || !strictly_between(dot(cross(w, u), n), nn)) return;
  const Integer h = dot(w, n);
  least.offer(h * h, nn);
}

void corner_triangle(Least& least, const Vector& p, const Triangle& t) {
  for (std::size_t i = 0; i < 3; ++i) {
    corner_corner(least, p, t[i]);
    corner_edge(least, p, t[i], t[(i + 1) % 3]);
  }
  corner_face(least, p, t);
}

Precise root(const Least& least) {
  const Precise sq = Precise(least.value->over) / Precise(least.value->under);
  return ldexp(sqrt(sq), least_exponent);
}

}  // namespace

Precise exact_distance(const Corners& a, const Corners& b) {
  const Triangle ta = integers(a), tb = integers(b);
  Least least;
  for (std::size_t i = 0; i < 3; ++i) {
    corner_triangle(least, ta[i], tb);
    corner_triangle(least, tb[i], ta);
    for (std::size_t j = 0; j < 3; ++j) edge_edge(least, ta[i], ta[(i + 1) % 3], tb[j], tb[(j + 1) % 3]);
  }
  return root(least);
}

Precise exact_distance(const Vec3& p, const Corners& t) {
  Least least;
  corner_triangle(least, integers(p), integers(t));
  return root(least);
}

Precise exact_distance(const Vec3& p, const Vec3& q) {
  Least least;
  corner_corner(least, integers(p), integers(q));
  return root(least);
}

double recentred_size(const Corners& a, const Corners& b) {
  const Vec3 origin = std::min(sorted(a)[0], sorted(b)[0], lexicographic_less);
  double size = 0;
  for (const Corners* t : {&a, &b})
    for (const Vec3& p : *t)
      size = std::max({size, std::abs(p.x - origin.x), std::abs(p.y - origin.y), std::abs(p.z - origin.z)});
  return size;
}

double rounding_of(const Vec3& p) { return 0x1p-53 * (std::abs(p.x) + std::abs(p.y) + std::abs(p.z)) + 3 * 0x1p-1074; }

}  // namespace tumble::testing
