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
  /// With what is known about each: corners that the triangles share are on the plane, whatever rounding says. Of their
  /// heights only the sign matters, and it is positive, as in the second look.
  HWY_INLINE EightSides sides(const Double8 (&gaps)[3]) {
    EightSides sides;
    for (int i = 0; i < 3; ++i) {
      sides.of[i] = {h[i], bound, is_zero(gaps[i])};
      h[i] = select(less(Double8::broadcast(0), gaps[i]), h[i], Double8::broadcast(1));
    }
    return sides;
  }
};

HWY_INLINE Signs signs(const Vec3x8& u, const Vec3x8& v, const Vec3x8& w) {
  const Vec3x8 largest = grow(grow(abs(u), v), w);
  return {dot(cross(u, v), w), error_bound(largest), vanishes(largest)};
}

/// Lanes in which the triangle certainly has an area.
HWY_INLINE std::uint32_t has_area(const Vec3x8 (&t)[3]) {
  const Vec3x8 u = t[1] - t[0], v = t[2] - t[0];
  const auto is_certain = [](const Double8& left, const Double8& right) HWY_ATTR {
    return greater(abs(left - right), Double8::broadcast(filter_bounds::det2::relative) * (abs(left) + abs(right)) +
                                          Double8::broadcast(filter_bounds::det2::underflow));
  };
  return is_certain(u.y * v.z, u.z * v.y) | is_certain(u.z * v.x, u.x * v.z) | is_certain(u.x * v.y, u.y * v.x);
}

/// Triangles with corners in common, as in one mesh or in two that coincide. These corners are on both planes, so that
/// the signs of the others settle nearly all of them.
HWY_NOINLINE void look_at_neighbours(std::uint32_t doubtful, const Vec3x8 (&a)[3], const Vec3x8 (&b)[3],
                                     Heights a_over_b, Heights b_over_a, EightLooks& looks) {
  const CornerGaps gaps(a, b);
  const std::uint32_t sharing = doubtful & gaps.shared();
  if (sharing == 0) return;
  const EightSides of_a = a_over_b.sides({gaps.least_of_a(0), gaps.least_of_a(1), gaps.least_of_a(2)}),
                   of_b = b_over_a.sides({gaps.least_of_b(0), gaps.least_of_b(1), gaps.least_of_b(2)});
  looks.touch = doubtful & corner_touch(gaps, of_a, of_b);
  if (const std::uint32_t same = sharing & of_a.all_zero() & of_b.all_zero(); same != 0)
    looks.coplanar = same & has_area(a);
  looks.unsure &= ~(looks.touch | looks.coplanar);
  const std::uint32_t straddling = sharing & of_a.two_sided() & of_b.two_sided();
  if (straddling == 0) return;
  const Alone<Double8> from_a(a, a_over_b.h), from_b(b, b_over_a.h);
  const SegmentEnds<Double8> ends(from_a, from_b);
  const auto order = [&](const Vec3x8& a_end, const Vec3x8& b_end, const Vec3x8& along, const Vec3x8& end) HWY_ATTR {
    Signs of = signs(along, ends.across, end);
    of.note_zero(equal(from_a.p, from_b.p) | equal(from_a.p, b_end) | equal(a_end, from_b.p) | equal(a_end, b_end));
    return of;
  };
  note_crossing(straddling, order(ends.a_q, ends.b_q, ends.along_q, ends.end_q),
                order(ends.a_r, ends.b_r, ends.along_r, ends.end_r), looks);
}

EightLooks first_look_here(const EightPairs& pairs, const Pose& a_pose, const Pose& b_pose) {
  Vec3x8 a[3], b[3];
  for (int i = 0; i < 3; ++i) {
    a[i] = to_world(a_pose, pairs.a_stands, pairs.a + 3 * i);
    b[i] = to_world(b_pose, pairs.b_stands, pairs.b + 3 * i);
  }
  const Heights b_over_a(a, b), a_over_b(b, a);
  const std::uint32_t open = ~(b_over_a.on_one_side() | a_over_b.on_one_side()) & 0xff;
  const std::uint32_t straddling = open & b_over_a.all_certain() & a_over_b.all_certain();
  EightLooks looks{0, 0, 0, open};
  if (const std::uint32_t doubtful = open & ~straddling; doubtful != 0)
    look_at_neighbours(doubtful, a, b, a_over_b, b_over_a, looks);
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
