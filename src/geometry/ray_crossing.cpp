// SPDX-License-Identifier: Apache-2.0
// Seen along its axis a ray is a point; does it lie in the projected triangle? If it lies on an edge, the answer is
// that for (x + ε, y + ε²) with ε > 0 small enough (simulation of simplicity, Edelsbrunner & Mücke 1990): that point is
// on no line through two given points.
#include "geometry/ray_crossing.h"

#include "geometry/triangle_pair.h"

#include <algorithm>
#include <array>

namespace tumble {

int side_when_moved(const Vec2& a, const Vec2& b) {
  if (a.y != b.y) return a.y > b.y ? 1 : -1;
  return sign(b.x - a.x);
}

std::optional<int> crossing(const AxisRay& ray, const Corners& t) {
  const Vec2 p = project(ray.origin, ray.axis);
  const std::array<Vec2, 3> q{project(t[0], ray.axis), project(t[1], ray.axis), project(t[2], ray.axis)};
  if (p.x < std::min({q[0].x, q[1].x, q[2].x}) || p.x > std::max({q[0].x, q[1].x, q[2].x})) return 0;
  if (p.y < std::min({q[0].y, q[1].y, q[2].y}) || p.y > std::max({q[0].y, q[1].y, q[2].y})) return 0;
  const double start = ray.origin[ray.axis];
  const double from = std::min({t[0][ray.axis], t[1][ray.axis], t[2][ray.axis]});
  const double to = std::max({t[0][ray.axis], t[1][ray.axis], t[2][ray.axis]});
  if (ray.forward ? to < start : from > start) return 0;

  const int turn = orient2d(q[0], q[1], q[2]);
  if (turn == 0) {  // parallel to the ray, or degenerate: the moved ray misses it
    if (from <= start && start <= to && lies_on(ray.origin, t)) return std::nullopt;
    return 0;
  }
  bool crosses = true;
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec2 &a = q[i], &b = q[next_corner(i)];
    const int side = orient2d(a, b, p);
    if (side == -turn) return 0;
    if (side == 0) crosses &= side_when_moved(a, b) == turn;
  }
  // The point is in the closed projected triangle. If it is also in the plane, it is on the triangle.
  const int above = orient3d(t[0], t[1], t[2], ray.origin);
  if (above == 0) return std::nullopt;
  // The plane is met where normal·(origin + s·axis − corner) = 0, and the normal's component along the axis has the
  // sign of `turn`.
  const bool meets_forward = above == -turn;
  if (!crosses || meets_forward != ray.forward) return 0;
  return ray.forward ? turn : -turn;
}

}  // namespace tumble
