// SPDX-License-Identifier: Apache-2.0
// The bounds of TriangleGaps in double precision, widened by the error of the one routine; and that routine itself.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "geometry/eight_distances.cpp"
#include "simd/foreach_target.h"

#include "geometry/eight_distances.h"
#include "geometry/nearest_points-inl.h"
#include "geometry/ordered_pair.h"
#include "geometry/to_world-inl.h"
#include "geometry/triangle_gaps-inl.h"

#include <optional>

HWY_BEFORE_NAMESPACE();
namespace tumble {
namespace HWY_NAMESPACE {

void bracket_distances_here(const EightPairs& pairs, const Pose& a_pose, const Pose& b_pose, EightBrackets& into) {
  Double8 a[3][3], b[3][3];
  const auto place = [](const double(*rows)[EightPairs::lanes], const Pose& pose, bool stands, Double8(&corner)[3]) {
    const Vec3x8 v = to_world(pose, stands, rows);
    corner[0] = v.x, corner[1] = v.y, corner[2] = v.z;
  };
  for (int i = 0; i < 3; ++i) {
    place(pairs.a + 3 * i, a_pose, pairs.a_stands, a[i]);
    place(pairs.b + 3 * i, b_pose, pairs.b_stands, b[i]);
  }
  const TriangleGaps<Double8> triangles(a, b);
  const auto nearest = triangles.nearest_edges();
  const Double8 routine = Double8::broadcast(1e-13) * nearest.reach;
  // What the routine gives is the distance of two points of the triangles, too small by no more than 40u of the largest
  // offset between corners, which is at most twice the reach; u = 2^-53. Twice that allows for the roundings of `low`.
  const Double8 low = max(triangles.beyond_planes(), nearest.low);
  (low - Double8::broadcast(2e-14) * nearest.reach).store(into.low);
  (nearest.high * Double8::broadcast(1 + 1e-11) + routine).store(into.high);
}

Edged<Double8> edged(const double (*rows)[EightPairs::lanes]) {
  Vec3x8 corners[3];
  for (int i = 0; i < 3; ++i)
    corners[i] = {Double8::load(rows[3 * i]), Double8::load(rows[3 * i + 1]), Double8::load(rows[3 * i + 2])};
  return Edged<Double8>(corners);
}

void nearest_here(const EightPairs& local, EightNearest& into) {
  NearestSearch<Double8> search;
  search.triangles(edged(local.a), edged(local.b));
  const auto store = [](const Vec3x8& v, double(&to)[3][EightPairs::lanes]) {
    v.x.store(to[0]), v.y.store(to[1]), v.z.store(to[2]);
  };
  search.distance_sq.store(into.distance_sq);
  store(search.on_a, into.on_a);
  store(search.on_b, into.on_b);
}

}  // namespace HWY_NAMESPACE
}  // namespace tumble
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tumble {

HWY_EXPORT(bracket_distances_here);

EightBrackets bracket_distances(const EightPairs& pairs, const Pose& a_pose, const Pose& b_pose) {
  EightBrackets brackets;
  HWY_DYNAMIC_DISPATCH(bracket_distances_here)(pairs, a_pose, b_pose, brackets);
  return brackets;
}

HWY_EXPORT(nearest_here);

std::array<TriangleDistance, EightPairs::lanes> distances_apart(const EightCorners& a, const EightCorners& b) {
  constexpr std::size_t lanes = EightPairs::lanes;
  std::array<std::optional<OrderedPair>, lanes> pairs;
  EightPairs local;
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    const OrderedPair& pair = pairs[lane].emplace(a[lane], b[lane]);
    const Corners la = pair.local_a(), lb = pair.local_b();
    local.set(lane, la[0], la[1], la[2], lb[0], lb[1], lb[2]);
  }
  EightNearest nearest;
  HWY_DYNAMIC_DISPATCH(nearest_here)(local, nearest);
  std::array<TriangleDistance, lanes> distances;
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    const auto at = [lane](const double(&p)[3][lanes]) { return Vec3{p[0][lane], p[1][lane], p[2][lane]}; };
    distances[lane] = pairs[lane]->distance(nearest.distance_sq[lane], at(nearest.on_a), at(nearest.on_b));
  }
  return distances;
}

}  // namespace tumble
#endif
