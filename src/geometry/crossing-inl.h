// SPDX-License-Identifier: Apache-2.0
// The triangle test after both plane tests: do the segments in which two triangles cut each other's plane overlap
// (Guigue and Devillers 2003, section 3)? For many pairs side by side: where the test of one pair branches by sign,
// this one blends. Compiled once per instruction set.

#if defined(TUMBLE_GEOMETRY_CROSSING_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TUMBLE_GEOMETRY_CROSSING_INL_H_
#undef TUMBLE_GEOMETRY_CROSSING_INL_H_
#else
#define TUMBLE_GEOMETRY_CROSSING_INL_H_
#endif

#include "simd/vec3s-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tumble {
namespace HWY_NAMESPACE {

/// The corner alone on its side of the other's plane, the two others in order, and the height of the first, of which
/// only the sign matters. Heights are neither −0 nor NaN where the result is used.
template <class N>
struct Alone {
  Vec3s<N> p, q, r;
  N height;

  HWY_INLINE Alone(const Vec3s<N> (&c)[3], const N (&h)[3]) {
    // Multiplies signs, not heights: products of heights might underflow.
    const N one = N::broadcast(1), minus_one = N::broadcast(-1);
    const N sign = if_negative(h[0], minus_one, one);
    const N differ1 = if_negative(h[1], minus_one, one) * sign, differ2 = if_negative(h[2], minus_one, one) * sign;
    p = if_negative(differ1, if_negative(differ2, c[0], c[1]), c[2]);
    q = if_negative(differ1, if_negative(differ2, c[1], c[2]), c[0]);
    r = if_negative(differ1, if_negative(differ2, c[2], c[0]), c[1]);
    height = if_negative(differ1, if_negative(differ2, h[0], h[1]), h[2]);
  }
};

/// Two triangles that straddle each other's plane cross if dot(cross(along_q, across), end_q) < 0 and
/// dot(cross(along_r, across), end_r) > 0. If one of these has the opposite sign, they are apart.
template <class N>
struct SegmentEnds {
  Vec3s<N> a_q, a_r, b_q, b_r;  // the corners that are not alone
  Vec3s<N> across, along_q, end_q, along_r, end_r;

  HWY_INLINE SegmentEnds(const Alone<N>& a, const Alone<N>& b) {
    a_q = if_negative(b.height, a.r, a.q);
    a_r = if_negative(b.height, a.q, a.r);
    b_q = if_negative(a.height, b.r, b.q);
    b_r = if_negative(a.height, b.q, b.r);
    across = b.p - a.p;
    along_q = a_q - a.p;
    along_r = a_r - a.p;
    end_q = b_q - a.p;
    end_r = b_r - a.p;
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace tumble
HWY_AFTER_NAMESPACE();

#endif
