// SPDX-License-Identifier: Apache-2.0
// The line passes a triangle's three edges on the same side, or it misses (Ericson 2005, section 5.3.4). If it lies
// in the plane, or the triangle is degenerate, its edges are met one by one.
#include "geometry/ray_hit.h"

#include "geometry/predicates.h"
#include "geometry/triangle_pair.h"
#include "math/max_norm.h"

#include <algorithm>
#include <cmath>

namespace tumble {
namespace {

Difference<Vec3> direction_of(const RayPart& ray) {
  return ray.end ? Difference<Vec3>{ray.origin, *ray.end} : Difference<Vec3>{{}, ray.direction};
}

Difference<Vec2> project(const Difference<Vec3>& d, int axis) {
  return {tumble::project(d.from, axis), tumble::project(d.to, axis)};
}

double ratio(const Scaled& a, const Scaled& b) { return std::ldexp(a.value / b.value, a.exponent - b.exponent); }

/// Two determinants whose roundings together are less than 1e-12 of their quotient: each is off by at most 10u of its
/// permanent (filter_bounds::det3), here 2560u of itself. The last condition excludes underflow.
bool accurate(const Filtered& f) { return std::abs(f.det) * 256 > f.permanent && std::abs(f.det) > 0x1p-600; }

/// Signs of det(direction, corner i, corner i + 1), seen from the origin: on which side the line passes each edge.
Sides passed_edges(const RayPart& ray, const Corners& t) {
  const Corners c{t[0] - ray.origin, t[1] - ray.origin, t[2] - ray.origin};
  const double size = std::max({max_norm(c[0]), max_norm(c[1]), max_norm(c[2])});
  const double bound = filter_bounds::det3::relative_to_largest * (size * size * max_norm(ray.direction)) +
                       filter_bounds::det3::underflow;
  Sides signs;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = next_corner(i);
    const double det = dot(ray.direction, cross(c[i], c[j]));
    signs[i] =
        std::abs(det) > bound ? sign(det) : sign(exact_det3(direction_of(ray), {ray.origin, t[i]}, {ray.origin, t[j]}));
  }
  return signs;
}

/// Where the ray passes a point of its line.
std::optional<double> passes(const RayPart& ray, const Vec3& p) {
  const Vec3& d = ray.direction;
  const int axis = std::abs(d.x) >= std::abs(d.y) ? (std::abs(d.x) >= std::abs(d.z) ? 0 : 2)
                                                  : (std::abs(d.y) >= std::abs(d.z) ? 1 : 2);
  const double gone = p[axis] - ray.origin[axis];
  if (gone == 0) return 0.0;
  if (sign(gone) != sign(d[axis])) return std::nullopt;
  if (!ray.end) return gone / d[axis];
  const double left = (*ray.end)[axis] - p[axis];
  if (left == 0) return 1.0;
  if (sign(left) != sign(d[axis])) return std::nullopt;
  return std::min(gone / d[axis], 1.0);
}

/// The sooner of two.
std::optional<double> first(const std::optional<double>& a, const std::optional<double>& b) {
  return a && b ? std::min(*a, *b) : a ? a : b;
}

/// Where the ray first meets an edge that is in one plane with it.
std::optional<double> meets_edge_at(const RayPart& ray, const Vec3& p, const Vec3& q) {
  const Difference<Vec3> direction = direction_of(ray);
  for (const int axis : {2, 0, 1}) {
    const Difference<Vec2> d = project(direction, axis), edge = project({p, q}, axis);
    const Difference<Vec2> to_p = project({ray.origin, p}, axis), to_q = project({ray.origin, q}, axis);
    const int p_side = sign(exact_det2(d, to_p)), q_side = sign(exact_det2(d, to_q));
    if (p_side == 0 && q_side == 0) continue;  // on the line, or the plane is seen edge-on
    if (p_side == q_side) return std::nullopt;
    if (p_side == 0) return passes(ray, p);
    if (q_side == 0) return passes(ray, q);
    const Scaled way = exact_det2(to_p, edge), slope = exact_det2(d, edge);  // t = way / slope
    if (sign(way) == 0) return 0.0;
    if (sign(way) != sign(slope)) return std::nullopt;
    if (ray.end) {
      const int beyond = sign(exact_det2(project({*ray.end, p}, axis), edge));
      if (beyond == 0) return 1.0;
      if (beyond == sign(slope)) return std::nullopt;
    }
    return ray.end ? std::min(ratio(way, slope), 1.0) : ratio(way, slope);
  }
  // The edge is on the ray's line.
  return meets(ray.origin, Segment{p, q}) ? 0.0 : first(passes(ray, p), passes(ray, q));
}

/// The triangle, which may be degenerate, and the line are in one plane.
[[gnu::noinline]] std::optional<double> meets_flat_at(const RayPart& ray, const Corners& t) {
  if (dimension(t) == 2 && meets(ray.origin, t)) return 0.0;
  std::optional<double> least;
  for (std::size_t i = 0; i < 3; ++i) least = first(least, meets_edge_at(ray, t[i], t[next_corner(i)]));
  return least;
}

}  // namespace

std::optional<double> meets_at(const RayPart& ray, const Corners& triangle) {
  const Sides passed = passed_edges(ray, triangle);
  if (std::ranges::min(passed) < 0 && std::ranges::max(passed) > 0) return std::nullopt;
  const Corners t = sorted(triangle);
  if (all_zero(passed)) return meets_flat_at(ray, t);

  // The line meets the plane in one point, and that is on the triangle.
  const PlaneFilter plane(t[0], t[1], t[2]);
  const Filtered height = plane(ray.origin), slope = plane.along(ray.direction);
  const int side = height.certain() ? sign(height.det) : hard_orient3d(t[0], t[1], t[2], ray.origin);
  if (side == 0) return 0.0;
  const auto exact_slope = [&] { return exact_det3({t[0], t[1]}, {t[0], t[2]}, direction_of(ray)); };
  if (side == (slope.certain() ? sign(slope.det) : sign(exact_slope()))) return std::nullopt;
  if (ray.end) {
    const int end_side = orient3d(t[0], t[1], t[2], *ray.end);
    if (end_side == 0) return 1.0;
    if (end_side == side) return std::nullopt;
  }
  const double at = accurate(height) && accurate(slope)
                        ? -height.det / slope.det
                        : -ratio(exact_orient3d(t[0], t[1], t[2], ray.origin), exact_slope());
  return ray.end ? std::min(at, 1.0) : at;
}

}  // namespace tumble
