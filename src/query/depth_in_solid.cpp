// SPDX-License-Identifier: Apache-2.0
// What is boundary and what is wall, decided exactly where it is asked for.
#include "query/depth_in_solid.h"

#include "core/assert.h"
#include "geometry/inner_points.h"
#include "geometry/predicates.h"
#include "geometry/triangle_pair.h"
#include "geometry/unit_normal.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace tumble {
namespace {

/// How many walls are taken down in one call, so that a budget holds.
constexpr int most_walls = 32;
/// How many triangles that may be boundary are tried for a bound from above.
constexpr std::size_t most_tries = 24;

}  // namespace

DepthInSolid::Kind DepthInSolid::kind(std::uint32_t triangle) {
  Kind& known = kinds_[triangle];
  if (known == Kind::unknown) known = examined(triangle);
  return known;
}

DepthInSolid::Kind DepthInSolid::examined(std::uint32_t triangle) {
  const Body& body = tree_.body();
  const Corners t = body.corners(triangle);
  if (collinear(t[0], t[1], t[2])) return Kind::wall;  // it winds around nothing
  ++searches_;
  const Vec3 middle = centroid(t), beside = unit_normal(t).direction * step();
  const Vec3 front = middle + beside, behind = middle - beside;
  // Between the two points nothing but this triangle may be, or their sides are not those of the triangle.
  const double radius = std::max({length(t[0] - middle), length(t[1] - middle), length(t[2] - middle)});
  const bool is_met = tree_.any_near(middle, radius * (1 + 1e-9) + 2 * step(), [&](std::uint32_t other) {
    const Corners u = body.corners(other);
    if (other == triangle || collinear(u[0], u[1], u[2])) return false;
    for (int axis = 0; axis < 3; ++axis)
      if (std::max({u[0][axis], u[1][axis], u[2][axis]}) < std::min({t[0][axis], t[1][axis], t[2][axis]}) - step() ||
          std::min({u[0][axis], u[1][axis], u[2][axis]}) > std::max({t[0][axis], t[1][axis], t[2][axis]}) + step())
        return false;
    return meets_inner_points(t, u) || meets(Segment{front, behind}, u);
  });
  if (!is_met) {
    const Location a = tree_.locate(front), b = tree_.locate(behind);
    if (!a.on_surface && !b.on_surface && std::abs(a.winding - b.winding) == 1)
      return a.winding == 0 || b.winding == 0 ? Kind::boundary : Kind::wall;
  }
  for (const Kind side : {Kind::outside_before, Kind::outside_behind})
    if (is_all_outside(copy(triangle, side))) return side;
  return Kind::partly;
}

/// Neighbours that stand on the triangle's sides miss the copy, unless they lean over it by more than 89 degrees.
Corners DepthInSolid::copy(std::uint32_t triangle, Kind side) const {
  Corners t = tree_.body().corners(triangle);
  const Vec3 middle = centroid(t), off = unit_normal(t).direction * (side == Kind::outside_before ? step() : -step());
  double to_sides = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < 3; ++i)
    to_sides =
        std::min(to_sides, length(cross(t[i] - middle, t[next_corner(i)] - middle)) / length(t[next_corner(i)] - t[i]));
  const double share = std::min(1.0, seam() / to_sides);
  for (Vec3& p : t) p += (middle - p) * share + off;
  return t;
}

bool DepthInSolid::is_all_outside(const Corners& t) {
  const Vec3 middle = centroid(t);
  const double radius = std::max({length(t[0] - middle), length(t[1] - middle), length(t[2] - middle)});
  ++searches_;
  const bool is_met = tree_.any_near(middle, radius * (1 + 1e-9) + step(), [&](std::uint32_t other) {
    const Corners u = tree_.body().corners(other);
    return !collinear(u[0], u[1], u[2]) && intersects(t, u);
  });
  return !is_met && is_outside(t[0]);
}

Corners DepthInSolid::outer_end(std::uint32_t triangle) const {
  const Kind is = kinds_[triangle];
  TUMBLE_ASSERT(is == Kind::boundary || is == Kind::outside_before || is == Kind::outside_behind);
  return is == Kind::boundary ? tree_.body().corners(triangle) : copy(triangle, is);
}

/// A point beside a triangle, very near a point of it, that is certainly outside.
std::optional<Vec3> DepthInSolid::outside_beside(const SurfacePoint& at) {
  const Corners t = tree_.body().corners(at.triangle);
  const Vec3 inward = centroid(t) - at.point, beside = unit_normal(t).direction * step();
  const double share = std::min(1.0, seam() / length(inward));
  const Vec3 from = share < 1 ? at.point + inward * share : centroid(t);
  for (const Vec3& point : {from + beside, from - beside})
    if (is_outside(point)) return point;
  return std::nullopt;
}

std::optional<PointDepth> DepthInSolid::at(const Vec3& point, std::uint32_t hint) {
  ++searches_;
  const Location where = tree_.locate(point);
  PointDepth depth;
  depth.upper = depth.clear = std::numeric_limits<double>::infinity();
  int walls = 0;
  std::array<std::uint32_t, most_tries> tried;
  std::size_t tries = 0;
  const auto finish = [&] {
    for (std::size_t i = 0; i < tries; ++i) left_out_[tried[i]] = false;
    depth.lower = where.on_surface ? 0 : depth.clear;
    return depth;
  };
  for (;;) {
    ++searches_;
    const SurfacePoint near =
        tree_.nearest_but(left_out_, point, left_out_[hint] ? SurfacePoint{} : tree_.on(hint, point));
    const double distance = std::sqrt(near.distance_sq);
    if (std::isinf(distance)) return finish();
    const Kind is = kind(near.triangle);
    if (is == Kind::wall) {
      left_out_[near.triangle] = true;
      if (++walls < most_walls) continue;
      finish();
      return std::nullopt;
    }
    if (tries == 0) {
      depth.clear = where.is_outside() ? -distance : distance;
      depth.triangle = near.triangle;
      depth.nearest = near.point;
      depth.at_boundary = is != Kind::partly;
    }
    if (where.is_outside() || is == Kind::boundary) {
      depth.upper = where.is_outside() ? -distance : distance;
      return finish();
    }
    if (const std::optional<Vec3> outside = outside_beside(near)) {
      depth.upper = length(*outside - point);
      return finish();
    }
    if (tries == most_tries) return finish();
    tried[tries++] = near.triangle;
    left_out_[near.triangle] = true;
  }
}

}  // namespace tumble
