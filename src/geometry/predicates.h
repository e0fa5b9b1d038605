// SPDX-License-Identifier: Apache-2.0
// Exact orientation of points: a rounding filter inline, exact arithmetic behind it. Coordinates are any finite
// doubles up to max_predicate_coordinate, denormals included; the signs are never wrong.
#pragma once

#include "geometry/filter_bounds.h"
#include "geometry/triangle.h"

#include <array>
#include <cmath>

namespace tumble {

/// World coordinates reach 2.8e100 (1e100 turned, then moved by 1e100); this is 7e100, and six triple products of
/// differences of such numbers stay below the largest double.
inline constexpr double max_predicate_coordinate = 0x1p335;

/// value · 2^exponent, for determinants that no double can hold.
struct Scaled {
  double value = 0;
  int exponent = 0;
};

/// The determinants themselves: exact sign, a few ulps of relative error. The exponent is zero unless a coordinate
/// is smaller than 2^-300 and not zero.
Scaled orient2d_value(const Vec2& a, const Vec2& b, const Vec2& c);
Scaled orient3d_value(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

/// The same without a filter in front: for when it has failed.
Scaled exact_orient2d(const Vec2& a, const Vec2& b, const Vec2& c);
Scaled exact_orient3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

/// The vector from one point to another; the difference is not rounded.
template <class Point>
struct Difference {
  Point from, to;
};

/// Determinants of rows that need not begin in one point; signs and errors as above.
Scaled exact_det2(const Difference<Vec2>& u, const Difference<Vec2>& v);
Scaled exact_det3(const Difference<Vec3>& u, const Difference<Vec3>& v, const Difference<Vec3>& w);

/// The signs alone, faster than the values: for when a filter has failed.
int hard_orient2d(const Vec2& a, const Vec2& b, const Vec2& c);
int hard_orient3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

inline int sign(double x) { return int{x > 0} - int{x < 0}; }
inline int sign(const Scaled& x) { return sign(x.value); }

/// A determinant in rounded arithmetic, and the bound of its error.
struct Filtered {
  double det, permanent, bound;

  bool certain() const { return std::abs(det) > bound; }
};

[[gnu::always_inline]] inline Filtered filtered_orient2d(const Vec2& a, const Vec2& b, const Vec2& c) {
  const double left = (b.x - a.x) * (c.y - a.y);
  const double right = (b.y - a.y) * (c.x - a.x);
  const double permanent = std::abs(left) + std::abs(right);
  return {left - right, permanent, filter_bounds::det2::relative * permanent + filter_bounds::det2::underflow};
}

/// Sign of (b − a) × (c − a): 1 if a, b, c turn counter-clockwise, 0 if they are collinear.
[[gnu::always_inline]] inline int orient2d(const Vec2& a, const Vec2& b, const Vec2& c) {
  const Filtered f = filtered_orient2d(a, b, c);
  return f.certain() ? sign(f.det) : hard_orient2d(a, b, c);
}

/// A plane through three points, its rounded normal computed once for tests of many points.
class PlaneFilter {
 public:
  [[gnu::always_inline]] PlaneFilter(const Vec3& a, const Vec3& b, const Vec3& c) : a_(a) {
    const Vec3 u = b - a, v = c - a;
    const Vec3 left{u.y * v.z, u.z * v.x, u.x * v.y};
    const Vec3 right{u.z * v.y, u.x * v.z, u.y * v.x};
    normal_ = left - right;
    magnitude_ = {std::abs(left.x) + std::abs(right.x), std::abs(left.y) + std::abs(right.y),
                  std::abs(left.z) + std::abs(right.z)};
  }

  [[gnu::always_inline]] Filtered operator()(const Vec3& p) const { return along(p - a_); }

  /// The determinant with a direction as its third row, exact or rounded once.
  [[gnu::always_inline]] Filtered along(const Vec3& w) const {
    const double det = (normal_.x * w.x + normal_.y * w.y) + normal_.z * w.z;
    const double permanent =
        (magnitude_.x * std::abs(w.x) + magnitude_.y * std::abs(w.y)) + magnitude_.z * std::abs(w.z);
    return {det, permanent, filter_bounds::det3::relative * permanent + filter_bounds::det3::underflow};
  }

 private:
  Vec3 a_, normal_, magnitude_;
};

/// Sign of det(b − a, c − a, d − a): 1 if d is on the side that (b − a) × (c − a) points to, 0 if they are coplanar.
[[gnu::always_inline]] inline int orient3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const Filtered f = PlaneFilter(a, b, c)(d);
  return f.certain() ? sign(f.det) : hard_orient3d(a, b, c, d);
}

/// Signs of three points against a plane.
using Sides = std::array<int, 3>;
inline constexpr int unsettled = 2;

/// Replaces signs that are unsettled, since a filter has failed, by the exact ones.
void settle_sides(const Corners& plane, const Corners& points, Sides& sides);

/// Signs of `points` against the plane of `plane`; all zero if that triangle is degenerate.
inline Sides sides(const Corners& plane, const Corners& points) {
  const PlaneFilter filter(plane[0], plane[1], plane[2]);
  const auto side = [&](const Vec3& p) {
    const Filtered f = filter(p);
    return f.certain() ? sign(f.det) : unsettled;
  };
  Sides s{side(points[0]), side(points[1]), side(points[2])};
  if (s[0] == unsettled || s[1] == unsettled || s[2] == unsettled) settle_sides(plane, points, s);
  return s;
}

/// Heights of `points` over the plane of `plane`, times twice its area: orient3d_value() of each.
std::array<Scaled, 3> height_values(const Corners& plane, const Corners& points);

inline bool all_zero(const Sides& s) { return (s[0] | s[1] | s[2]) == 0; }

/// Whether three points lie on one line (or coincide).
bool collinear(const Vec3& a, const Vec3& b, const Vec3& c);

/// An axis along which the three points project to a triangle with area; -1 if they are collinear.
int projection_axis(const Vec3& a, const Vec3& b, const Vec3& c);

/// What a triangle is: 0 a point, 1 a segment, 2 a triangle with area.
int dimension(const Corners& t);

}  // namespace tumble
