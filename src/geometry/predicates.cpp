// SPDX-License-Identifier: Apache-2.0
// The arithmetic behind the filters: sums of two doubles, then expansions; integers if those could underflow.
#include "geometry/predicates.h"

#include "core/assert.h"
#include "geometry/exact_integer.h"
#include "geometry/expansion.h"
#include "math/double_double.h"

#include <algorithm>
#include <array>
#include <span>

namespace tumble {
namespace {

// A non-zero coordinate of at least 2^-300 is a multiple of 2^-352, and so are differences. Every term of a product of
// three is a multiple of 2^-1056 and at most 2^1011, so expansions neither underflow nor overflow.
bool in_window(std::span<const double> coordinates) {
  return std::ranges::all_of(coordinates, [](double x) {
    TUMBLE_ASSERT(std::abs(x) <= max_predicate_coordinate);
    return x == 0 || std::abs(x) >= 0x1p-300;
  });
}

/// Points that share a coordinate span nothing. This is the most frequent kind of touch: models are drawn to a grid.
template <class... Others>
bool all_equal(double first, Others... others) {
  return (... && (first == others));
}

Expansion<2> difference(double a, double b) { return expansion(two_diff(a, b)); }

DoubleDouble long_difference(double a, double b) { return two_diff(a, b); }

// Fewer than 2^4 roundings, each of 2^-53 of the permanent: the value is good to 2^-47 of itself. The second condition
// excludes underflow.
bool accurate(const Filtered& f) { return std::abs(f.det) > 0.25 * f.permanent && std::abs(f.det) > 0x1p-600; }

}  // namespace

Scaled exact_det2(const Difference<Vec2>& u, const Difference<Vec2>& v) {
  const std::array<double, 4> from{u.from.x, u.from.y, v.from.x, v.from.y}, to{u.to.x, u.to.y, v.to.x, v.to.y};
  if (!in_window(from) || !in_window(to)) return integer_determinant(from, to);
  const auto det = difference(u.to.x, u.from.x) * difference(v.to.y, v.from.y) -
                   difference(u.to.y, u.from.y) * difference(v.to.x, v.from.x);
  return {det.estimate()};
}

Scaled exact_det3(const Difference<Vec3>& u, const Difference<Vec3>& v, const Difference<Vec3>& w) {
  const auto numbers = [](const Vec3& a, const Vec3& b, const Vec3& c) {
    return std::array<double, 9>{a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z};
  };
  const std::array<double, 9> from = numbers(u.from, v.from, w.from), to = numbers(u.to, v.to, w.to);
  if (!in_window(from) || !in_window(to)) return integer_determinant(from, to);
  const auto along = [](const Difference<Vec3>& d, int axis) { return difference(d.to[axis], d.from[axis]); };
  const auto ux = along(u, 0), uy = along(u, 1), uz = along(u, 2);
  const auto vx = along(v, 0), vy = along(v, 1), vz = along(v, 2);
  const auto x = (uy * vz - uz * vy) * along(w, 0);
  const auto y = (uz * vx - ux * vz) * along(w, 1);
  const auto z = (ux * vy - uy * vx) * along(w, 2);
  return {(x + y + z).estimate()};
}

Scaled exact_orient2d(const Vec2& a, const Vec2& b, const Vec2& c) {
  if (all_equal(a.x, b.x, c.x) || all_equal(a.y, b.y, c.y)) return {};
  return exact_det2({a, b}, {a, c});
}

Scaled exact_orient3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  return exact_det3({a, b}, {a, c}, {a, d});
}

int hard_orient3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  if (all_equal(a.x, b.x, c.x, d.x) || all_equal(a.y, b.y, c.y, d.y) || all_equal(a.z, b.z, c.z, d.z)) return 0;
  const std::array<double, 12> all{a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z, d.x, d.y, d.z};
  if (!in_window(all)) return sign(exact_orient3d(a, b, c, d));
  const double permanent = PlaneFilter(a, b, c)(d).permanent;
  if (permanent == 0) return 0;  // in the window no product vanishes unless a factor does
  const DoubleDouble ux = long_difference(b.x, a.x), uy = long_difference(b.y, a.y), uz = long_difference(b.z, a.z);
  const DoubleDouble vx = long_difference(c.x, a.x), vy = long_difference(c.y, a.y), vz = long_difference(c.z, a.z);
  const DoubleDouble x = (uy * vz - uz * vy) * long_difference(d.x, a.x);
  const DoubleDouble y = (uz * vx - ux * vz) * long_difference(d.y, a.y);
  const DoubleDouble z = (ux * vy - uy * vx) * long_difference(d.z, a.z);
  // Differences are exact. Five sums or products follow in each of the six triple products, good to 3 and 7 times
  // 2^-106 (Joldes, Muller & Popescu 2017, algorithms 6 and 10), as nothing underflows here either. Together that is
  // 2^-100 of the permanent; 2^-98 leaves room for its own roundings.
  const DoubleDouble det = (x + y) + z;
  return std::abs(det.high) > 0x1p-98 * permanent ? sign(det.high) : sign(exact_orient3d(a, b, c, d));
}

Scaled orient2d_value(const Vec2& a, const Vec2& b, const Vec2& c) {
  const Filtered f = filtered_orient2d(a, b, c);
  return accurate(f) ? Scaled{f.det} : exact_orient2d(a, b, c);
}

Scaled orient3d_value(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const Filtered f = PlaneFilter(a, b, c)(d);
  return accurate(f) ? Scaled{f.det} : exact_orient3d(a, b, c, d);
}

int projection_axis(const Vec3& a, const Vec3& b, const Vec3& c) {
  for (const int axis : {2, 0, 1})
    if (orient2d(project(a, axis), project(b, axis), project(c, axis)) != 0) return axis;
  return -1;
}

bool collinear(const Vec3& a, const Vec3& b, const Vec3& c) { return projection_axis(a, b, c) < 0; }

int dimension(const Corners& t) {
  if (!collinear(t[0], t[1], t[2])) return 2;
  return t[0] == t[1] && t[0] == t[2] ? 0 : 1;
}

}  // namespace tumble
