// SPDX-License-Identifier: Apache-2.0
// The arithmetic behind the filters: whole numbers of 64 bits; sums of two doubles, then expansions, where those do not
// hold; long integers if expansions could underflow.
#include "geometry/predicates.h"

#include "core/assert.h"
#include "geometry/exact_integer.h"
#include "geometry/expansion.h"
#include "geometry/grid.h"
#include "math/double_double.h"
#include "math/power_of_two.h"

#include <algorithm>
#include <array>
#include <optional>
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
bool in_window(const Corners& t) {
  const std::array<double, 9> all{t[0].x, t[0].y, t[0].z, t[1].x, t[1].y, t[1].z, t[2].x, t[2].y, t[2].z};
  return in_window(all);
}

/// Points that share a coordinate span nothing. This is the most frequent kind of touch: models are drawn to a grid.
template <class... Others>
bool all_equal(double first, Others... others) {
  return (... && (first == others));
}

/// Points in one axis-aligned plane, or two in one place: there is nothing to compute.
bool clearly_coplanar(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  return all_equal(a.x, b.x, c.x, d.x) || all_equal(a.y, b.y, c.y, d.y) || all_equal(a.z, b.z, c.z, d.z) || a == d ||
         b == d || c == d || a == b || a == c || b == c;
}
bool clearly_collinear(const Vec2& a, const Vec2& b, const Vec2& c) {
  const auto same = [](const Vec2& p, const Vec2& q) { return p.x == q.x && p.y == q.y; };
  return all_equal(a.x, b.x, c.x) || all_equal(a.y, b.y, c.y) || same(a, b) || same(a, c) || same(b, c);
}

GridDet2 on_grid(const Difference<Vec2>& u, const Difference<Vec2>& v) {
  return {GridDifferences<2>({u.to.x, v.to.x}, std::array{u.from.x, v.from.x}),
          GridDifferences<2>({u.to.y, v.to.y}, std::array{u.from.y, v.from.y})};
}
GridDet3<3> on_grid(const Difference<Vec3>& u, const Difference<Vec3>& v, const Difference<Vec3>& w) {
  const auto along = [&](int axis) {
    return GridDifferences<3>({u.to[axis], v.to[axis], w.to[axis]},
                              std::array{u.from[axis], v.from[axis], w.from[axis]});
  };
  return {along(0), along(1), along(2)};
}
GridDet3<5> on_grid(const Corners& plane, const Corners& points) {
  const auto along = [&](int axis) {
    const double from = plane[0][axis];
    return GridDifferences<5>({plane[1][axis], plane[2][axis], points[0][axis], points[1][axis], points[2][axis]},
                              std::array{from, from, from, from, from});
  };
  return {along(0), along(1), along(2)};
}

Expansion<2> difference(double a, double b) { return expansion(two_diff(a, b)); }

DoubleDouble long_difference(double a, double b) { return two_diff(a, b); }

// Fewer than 2^4 roundings, each of 2^-53 of the permanent: the value is good to 2^-47 of itself. The second condition
// excludes underflow.
bool accurate(const Filtered& f) { return std::abs(f.det) > 0.25 * f.permanent && std::abs(f.det) > 0x1p-600; }

/// What Expansion::estimate() returns for a determinant that is `det` times a power of two, where that follows from det
/// alone.
///
/// The last of the sums that lead to the expansion leaves, besides its largest term, only errors of roundings of
/// partial sums. Those sums are at most the permanent P, a little more for roundings, so each error is at most 2^-53 P.
/// Terms do not overlap: those below one add up to less than it, and all errors to 2^-52 P. estimate() adds them from
/// the smallest up. Each partial sum is at most twice its last term and is rounded by 2^-53 of that, which adds up to
/// 2^-104 P; 2^-103 P leaves room for what was little. So it returns the rounded value of something within 2^-103 P of
/// det. If |det| is at least 2^-44 P, that is less than 32 units of its leading 64 bits, of which the last 11 are
/// rounded off. Cutting off what follows the 64 bits is another unit: if the 11 bits are farther than 33 from one half,
/// there is only one result.
std::optional<double> estimate(const Int192& det, int exponent, double permanent) {
  if (det.sign() == 0) return 0.0;
  const Leading top = leading(det);
  constexpr int half = 1 << 10, margin = 40;
  const int beyond_half = static_cast<int>(top.bits & (2 * half - 1)) - half;
  const double value = times_power_of_two(static_cast<double>(top.bits), top.exponent + exponent);
  if (std::abs(beyond_half) < margin || value < 0x1p-44 * permanent) return std::nullopt;
  return det.sign() < 0 ? -value : value;
}

/// The determinant by expansions, in the window, for two rows at once and the third one later.
class ExpansionDet3 {
 public:
  ExpansionDet3(const Difference<Vec3>& u, const Difference<Vec3>& v) {
    const auto ux = along(u, 0), uy = along(u, 1), uz = along(u, 2);
    const auto vx = along(v, 0), vy = along(v, 1), vz = along(v, 2);
    minor_x_ = uy * vz - uz * vy;
    minor_y_ = uz * vx - ux * vz;
    minor_z_ = ux * vy - uy * vx;
  }
  double operator()(const Difference<Vec3>& w) const {
    return (minor_x_ * along(w, 0) + minor_y_ * along(w, 1) + minor_z_ * along(w, 2)).estimate();
  }

 private:
  static Expansion<2> along(const Difference<Vec3>& d, int axis) { return difference(d.to[axis], d.from[axis]); }

  Expansion<16> minor_x_, minor_y_, minor_z_;
};

/// The sign where differences do not fit the grid.
int off_grid_orient3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  if (!in_window({a, b, c}) || !in_window({d, d, d})) return sign(exact_orient3d(a, b, c, d));
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

}  // namespace

Scaled exact_det2(const Difference<Vec2>& u, const Difference<Vec2>& v) {
  const std::array<double, 4> from{u.from.x, u.from.y, v.from.x, v.from.y}, to{u.to.x, u.to.y, v.to.x, v.to.y};
  if (!in_window(from) || !in_window(to)) return integer_determinant(from, to);
  if (const GridDet2 grid = on_grid(u, v); grid.fit) {
    const double permanent =
        std::abs((u.to.x - u.from.x) * (v.to.y - v.from.y)) + std::abs((u.to.y - u.from.y) * (v.to.x - v.from.x));
    if (const auto value = estimate(grid(), grid.exponent, permanent)) return {*value};
  }
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
  if (const GridDet3<3> grid = on_grid(u, v, w); grid.fit) {
    const double permanent = PlaneFilter({}, u.to - u.from, v.to - v.from).along(w.to - w.from).permanent;
    if (const auto value = estimate(grid(2), grid.exponent, permanent)) return {*value};
  }
  return {ExpansionDet3(u, v)(w)};
}

Scaled exact_orient2d(const Vec2& a, const Vec2& b, const Vec2& c) {
  return clearly_collinear(a, b, c) ? Scaled{} : exact_det2({a, b}, {a, c});
}

Scaled exact_orient3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  return clearly_coplanar(a, b, c, d) ? Scaled{} : exact_det3({a, b}, {a, c}, {a, d});
}

int hard_orient2d(const Vec2& a, const Vec2& b, const Vec2& c) {
  if (clearly_collinear(a, b, c)) return 0;
  const GridDet2 grid = on_grid({a, b}, {a, c});
  return grid.fit ? grid().sign() : sign(exact_det2({a, b}, {a, c}));
}

int hard_orient3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  if (clearly_coplanar(a, b, c, d)) return 0;
  const GridDet3<3> grid = on_grid({a, b}, {a, c}, {a, d});
  return grid.fit ? grid(2).sign() : off_grid_orient3d(a, b, c, d);
}

void settle_sides(const Corners& plane, const Corners& points, Sides& sides) {
  bool settled = true;
  for (std::size_t i = 0; i < 3; ++i) {
    if (sides[i] != unsettled) continue;
    if (clearly_coplanar(plane[0], plane[1], plane[2], points[i]))
      sides[i] = 0;
    else
      settled = false;
  }
  if (settled) return;
  const GridDet3<5> grid = on_grid(plane, points);
  for (std::size_t i = 0; i < 3; ++i)
    if (sides[i] == unsettled)
      sides[i] = grid.fit ? grid(2 + i).sign() : hard_orient3d(plane[0], plane[1], plane[2], points[i]);
}

Scaled orient2d_value(const Vec2& a, const Vec2& b, const Vec2& c) {
  const Filtered f = filtered_orient2d(a, b, c);
  return accurate(f) ? Scaled{f.det} : exact_orient2d(a, b, c);
}

Scaled orient3d_value(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const Filtered f = PlaneFilter(a, b, c)(d);
  return accurate(f) ? Scaled{f.det} : exact_orient3d(a, b, c, d);
}

std::array<Scaled, 3> height_values(const Corners& plane, const Corners& points) {
  const PlaneFilter filter(plane[0], plane[1], plane[2]);
  std::array<Scaled, 3> values;
  std::array<double, 3> permanents{};
  unsigned open = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const Filtered f = filter(points[i]);
    permanents[i] = f.permanent;
    if (accurate(f))
      values[i].value = f.det;
    else if (!clearly_coplanar(plane[0], plane[1], plane[2], points[i]))
      open |= 1u << i;
  }
  if (open == 0) return values;
  const GridDet3<5> grid = on_grid(plane, points);
  const bool is_in_window = in_window(plane) && in_window(points);
  std::optional<ExpansionDet3> expansions;
  for (std::size_t i = 0; i < 3; ++i) {
    if ((open >> i & 1) == 0) continue;
    if (!is_in_window) {
      values[i] = exact_orient3d(plane[0], plane[1], plane[2], points[i]);
    } else if (const auto value = grid.fit ? estimate(grid(2 + i), grid.exponent, permanents[i]) : std::nullopt) {
      values[i].value = *value;
    } else {
      if (!expansions) expansions.emplace(Difference<Vec3>{plane[0], plane[1]}, Difference<Vec3>{plane[0], plane[2]});
      values[i].value = (*expansions)({plane[0], points[i]});
    }
  }
  return values;
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
