// SPDX-License-Identifier: Apache-2.0
// The exact test decides whether the distance is 0; the search for nearest points computes it otherwise.
#include "geometry/distance.h"

#include "geometry/common_set.h"
#include "geometry/nearest_points-inl.h"
#include "geometry/ordered_pair.h"
#include "geometry/triangle_pair.h"

#include <algorithm>
#include <limits>

namespace tumble {
namespace {

using HWY_NAMESPACE::Edged;
using HWY_NAMESPACE::NearestSearch;
using HWY_NAMESPACE::Vec3s;

Edged<double> edged(const Corners& t) {
  return Edged<double>({{t[0].x, t[0].y, t[0].z}, {t[1].x, t[1].y, t[1].z}, {t[2].x, t[2].y, t[2].z}});
}
Vec3 to_vec(const Vec3s<double>& v) { return {v.x, v.y, v.z}; }

TriangleDistance separated(const OrderedPair& pair) {
  NearestSearch<double> search;
  search.triangles(edged(pair.local_a()), edged(pair.local_b()));
  return pair.distance(search.distance_sq, to_vec(search.on_a), to_vec(search.on_b));
}

}  // namespace

TriangleDistance distance(const Corners& a, const Corners& b) {
  const OrderedPair pair(a, b);
  if (!intersects(pair.a, pair.b)) return separated(pair);
  const Vec3 point = common_set(pair.a, pair.b).middle();
  return {0, point, point};
}

TriangleDistance distance_apart(const Corners& a, const Corners& b) { return separated(OrderedPair(a, b)); }

PointDistance point_distance(const Vec3& p, const Corners& t) {
  const LocalUnits units(p, size_from(p, t));
  constexpr Vec3s<double> origin{};
  NearestSearch<double> search;
  search.corners_to<false>(&origin, 1, edged(units.local(t)));
  return {units.world_sq(search.distance_sq), units.world(to_vec(search.on_b))};
}

PointDistance exact_point_distance(const Vec3& p, const Corners& t) {
  const PointDistance d = point_distance(p, t);
  // If the point is on the triangle, this is a rounding error: 1e-14 of the size, squared (1e-28), or underflow.
  const double size = size_from(p, t);
  if (d.distance_sq > 1e-26 * (size * size) + 1e-300) return d;
  if (lies_on(p, t)) return {0, p};
  return {std::max(d.distance_sq, std::numeric_limits<double>::denorm_min()), d.nearest};
}

double distance_sq(const Corners& a, const Corners& b) { return distance(a, b).distance_sq; }

}  // namespace tumble
