// SPDX-License-Identifier: Apache-2.0
// The steps of the first look at one pair, in eight lanes: where that branches by sign, this blends.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "geometry/eight_pairs.cpp"
#include "simd/foreach_target.h"

#include "geometry/crossing-inl.h"
#include "geometry/eight_pairs.h"
#include "geometry/filter_bounds.h"
#include "geometry/to_world-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tumble {
namespace HWY_NAMESPACE {

HWY_INLINE Vec3x8 grow(const Vec3x8& largest, const Vec3x8& v) { return max(largest, abs(v)); }

/// As pair_filter::error_bound.
HWY_INLINE Double8 error_bound(const Vec3x8& largest) {
  const auto number = [](double x) { return Double8::broadcast(x); };
  return number(filter_bounds::det3::relative_to_largest) * ((largest.x * largest.y) * largest.z) +
         number(filter_bounds::det3::underflow);
}

/// Heights of one triangle's corners over the plane of the other.
struct Heights {
  Double8 h[3], bound;

  HWY_INLINE Heights(const Vec3x8 (&plane)[3], const Vec3x8 (&points)[3]) {
    const Vec3x8 u = plane[1] - plane[0], v = plane[2] - plane[0], normal = cross(u, v);
    const Vec3x8 w0 = points[0] - plane[0], w1 = points[1] - plane[0], w2 = points[2] - plane[0];
    h[0] = dot(normal, w0), h[1] = dot(normal, w1), h[2] = dot(normal, w2);
    bound = error_bound(grow(grow(grow(grow(abs(u), v), w0), w1), w2));
  }

  HWY_INLINE std::uint32_t on_one_side() const {
    const Double8 lowest = min(min(h[0], h[1]), h[2]), highest = max(max(h[0], h[1]), h[2]);
    return greater(max(lowest, Double8::broadcast(0) - highest), bound);
  }
  /// Lanes in which every corner is certainly above the plane or among those `on` it, or every one below or on it, and
  /// not all are on it.
  HWY_INLINE std::uint32_t on_or_beside(const std::uint32_t (&on)[3]) const {
    std::uint32_t above = 0xff, below = 0xff;
    for (int i = 0; i < 3; ++i) {
      above &= on[i] | greater(h[i], bound);
      below &= on[i] | greater(Double8::broadcast(0) - h[i], bound);
    }
    return (above | below) & ~(on[0] & on[1] & on[2]);
  }
  HWY_INLINE std::uint32_t all_certain() const { return greater(min(min(abs(h[0]), abs(h[1])), abs(h[2])), bound); }
};

/// Lanes in which two points are the same.
HWY_INLINE std::uint32_t equal(const Vec3x8& p, const Vec3x8& q) {
  const Vec3x8 apart = abs(p - q);
  return ~greater(max(max(apart.x, apart.y), apart.z), Double8::broadcast(0)) & 0xff;
}

/// Lanes in which the triangles share a corner and at least one of them has a corner off the other's plane, but no two
/// on different sides of it: they touch. Corners that are the other's own lie in its plane, whatever rounding says.
HWY_INLINE std::uint32_t shared_corner_touch(const Vec3x8 (&a)[3], const Vec3x8 (&b)[3], const Heights& a_over_b,
                                             const Heights& b_over_a) {
  std::uint32_t of_a[3] = {}, of_b[3] = {};  // lanes in which a corner is one of the other's
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const std::uint32_t same = equal(a[i], b[j]);
      of_a[i] |= same;
      of_b[j] |= same;
    }
  return (of_a[0] | of_a[1] | of_a[2]) & (a_over_b.on_or_beside(of_a) | b_over_a.on_or_beside(of_b));
}

/// Lanes in which the product of three differences u, v, w is certainly below, above or exactly 0.
struct Signs {
  std::uint32_t below, above, zero;

  HWY_INLINE Signs(const Vec3x8& u, const Vec3x8& v, const Vec3x8& w) {
    const Double8 det = dot(cross(u, v), w), none = Double8::broadcast(0);
    const Vec3x8 largest = grow(grow(abs(u), v), w);
    const Double8 bound = error_bound(largest);
    below = greater(none - det, bound);
    above = greater(det, bound);
    // Each of the six products has one factor along each axis. Models are drawn to a grid, so edges in one axis-aligned
    // plane touch most often.
    zero = ~greater(min(min(largest.x, largest.y), largest.z), none) & 0xff;
  }
};

EightLooks first_look_here(const EightPairs& pairs, const Pose& a_pose, const Pose& b_pose) {
  Vec3x8 a[3], b[3];
  for (int i = 0; i < 3; ++i) {
    a[i] = to_world(a_pose, pairs.a + 3 * i);
    b[i] = to_world(b_pose, pairs.b + 3 * i);
  }
  const Heights b_over_a(a, b), a_over_b(b, a);
  const std::uint32_t open = ~(b_over_a.on_one_side() | a_over_b.on_one_side()) & 0xff;
  const std::uint32_t straddling = open & b_over_a.all_certain() & a_over_b.all_certain();
  const std::uint32_t doubtful = open & ~straddling;
  const std::uint32_t shared = doubtful != 0 ? doubtful & shared_corner_touch(a, b, a_over_b, b_over_a) : 0;
  if (straddling == 0) return {0, shared, open & ~shared};

  const SegmentEnds<Double8> ends(Alone<Double8>(a, a_over_b.h), Alone<Double8>(b, b_over_a.h));
  const Signs q(ends.along_q, ends.across, ends.end_q), r(ends.along_r, ends.across, ends.end_r);
  const std::uint32_t cross = straddling & q.below & r.above;
  const std::uint32_t touch = shared | (straddling & (q.below | q.zero) & (r.above | r.zero) & ~cross);
  const std::uint32_t apart = straddling & (q.above | r.below);
  return {cross, touch, open & ~(cross | touch | apart)};
}

}  // namespace HWY_NAMESPACE
}  // namespace tumble
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tumble {

HWY_EXPORT(first_look_here);

EightLooks first_look(const EightPairs& pairs, const Pose& a_pose, const Pose& b_pose) {
  return HWY_DYNAMIC_DISPATCH(first_look_here)(pairs, a_pose, b_pose);
}

}  // namespace tumble
#endif
