// SPDX-License-Identifier: Apache-2.0
// The steps of the first look at one pair, in eight lanes: where that branches by sign, this blends.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "geometry/eight_pairs.cpp"
#include "simd/foreach_target.h"

#include "geometry/crossing-inl.h"
#include "geometry/eight_pairs.h"
#include "geometry/eight_signs-inl.h"
#include "geometry/filter_bounds.h"

HWY_BEFORE_NAMESPACE();
namespace tumble {
namespace HWY_NAMESPACE {

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
  HWY_INLINE std::uint32_t all_certain() const { return greater(min(min(abs(h[0]), abs(h[1])), abs(h[2])), bound); }
  /// With what is known about each: corners that the triangles share are on the plane, whatever rounding says.
  HWY_INLINE EightSides sides(const Double8& gap0, const Double8& gap1, const Double8& gap2) const {
    return {{{h[0], bound, is_zero(gap0)}, {h[1], bound, is_zero(gap1)}, {h[2], bound, is_zero(gap2)}}};
  }
};

HWY_INLINE Signs signs(const Vec3x8& u, const Vec3x8& v, const Vec3x8& w) {
  const Vec3x8 largest = grow(grow(abs(u), v), w);
  return {dot(cross(u, v), w), error_bound(largest), vanishes(largest)};
}

EightLooks first_look_here(const EightPairs& pairs, const Pose& a_pose, const Pose& b_pose) {
  Vec3x8 a[3], b[3];
  for (int i = 0; i < 3; ++i) {
    a[i] = to_world(a_pose, pairs.a + 3 * i);
    b[i] = to_world(b_pose, pairs.b + 3 * i);
  }
  const Heights b_over_a(a, b), a_over_b(b, a);
  const std::uint32_t open = ~(b_over_a.on_one_side() | a_over_b.on_one_side()) & 0xff;
  const std::uint32_t straddling = open & b_over_a.all_certain() & a_over_b.all_certain();
  EightLooks looks{0, 0, 0, open};
  if (const std::uint32_t doubtful = open & ~straddling; doubtful != 0) {
    const CornerGaps gaps(a, b);
    looks.touch =
        doubtful & corner_touch(gaps, a_over_b.sides(gaps.least_of_a(0), gaps.least_of_a(1), gaps.least_of_a(2)),
                                b_over_a.sides(gaps.least_of_b(0), gaps.least_of_b(1), gaps.least_of_b(2)));
    looks.unsure &= ~looks.touch;
  }
  if (straddling != 0) {
    const SegmentEnds<Double8> ends(Alone<Double8>(a, a_over_b.h), Alone<Double8>(b, b_over_a.h));
    note_crossing(straddling, signs(ends.along_q, ends.across, ends.end_q),
                  signs(ends.along_r, ends.across, ends.end_r), looks);
  }
  return looks;
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
