// SPDX-License-Identifier: Apache-2.0
// The steps of the first look at one pair, in eight lanes: what is chosen by sign there is blended here.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "geometry/eight_pairs.cpp"
#include "simd/foreach_target.h"

#include "geometry/eight_pairs.h"
#include "simd/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tumble {
namespace HWY_NAMESPACE {

using Double8 = Lanes<double, 8>;

struct Vec3x8 {
  Double8 x, y, z;
};

HWY_INLINE Vec3x8 operator-(const Vec3x8& a, const Vec3x8& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
HWY_INLINE Vec3x8 cross(const Vec3x8& a, const Vec3x8& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
HWY_INLINE Double8 dot(const Vec3x8& a, const Vec3x8& b) { return (a.x * b.x + a.y * b.y) + a.z * b.z; }
HWY_INLINE Vec3x8 grow(const Vec3x8& largest, const Vec3x8& v) {
  return {max(largest.x, abs(v.x)), max(largest.y, abs(v.y)), max(largest.z, abs(v.z))};
}
HWY_INLINE Vec3x8 if_negative(const Double8& sign, const Vec3x8& yes, const Vec3x8& no) {
  return {if_negative(sign, yes.x, no.x), if_negative(sign, yes.y, no.y), if_negative(sign, yes.z, no.z)};
}

/// As pair_filter::error_bound.
HWY_INLINE Double8 error_bound(const Vec3x8& largest) {
  return Double8::broadcast(0x3cp-53) * ((largest.x * largest.y) * largest.z) + Double8::broadcast(0x1p-700);
}

/// As to_world.
HWY_INLINE Vec3x8 corner_in_world(const double (*c)[8], const Pose& pose) {
  const Double8 x = Double8::load(c[0]), y = Double8::load(c[1]), z = Double8::load(c[2]);
  const auto coordinate = [&](int axis) {
    const Vec3& r = pose.row(axis);
    return ((Double8::broadcast(r.x) * x + Double8::broadcast(r.y) * y) + Double8::broadcast(r.z) * z) +
           Double8::broadcast(pose.translation()[axis]);
  };
  return {coordinate(0), coordinate(1), coordinate(2)};
}

/// Heights of one triangle's corners over the plane of the other.
struct Heights {
  Double8 h0, h1, h2, bound;

  HWY_INLINE Heights(const Vec3x8 (&plane)[3], const Vec3x8 (&points)[3]) {
    const Vec3x8 u = plane[1] - plane[0], v = plane[2] - plane[0], normal = cross(u, v);
    const Vec3x8 w0 = points[0] - plane[0], w1 = points[1] - plane[0], w2 = points[2] - plane[0];
    h0 = dot(normal, w0), h1 = dot(normal, w1), h2 = dot(normal, w2);
    const Vec3x8 edge{abs(u.x), abs(u.y), abs(u.z)};
    bound = error_bound(grow(grow(grow(grow(edge, v), w0), w1), w2));
  }

  HWY_INLINE std::uint32_t on_one_side() const {
    const Double8 lowest = min(min(h0, h1), h2), highest = max(max(h0, h1), h2);
    return greater(max(lowest, Double8::broadcast(0) - highest), bound);
  }
  HWY_INLINE std::uint32_t all_certain() const { return greater(min(min(abs(h0), abs(h1)), abs(h2)), bound); }
};

/// The corner alone on its side, the two others in order, and the height of the first: its sign counts.
struct Alone {
  Vec3x8 p, q, r;
  Double8 height;

  HWY_INLINE Alone(const Vec3x8 (&c)[3], const Heights& h) {
    // Signs are multiplied, not heights, whose products might underflow.
    const Double8 one = Double8::broadcast(1), minus_one = Double8::broadcast(-1);
    const Double8 sign = if_negative(h.h0, minus_one, one);
    const Double8 differ1 = if_negative(h.h1, minus_one, one) * sign,
                  differ2 = if_negative(h.h2, minus_one, one) * sign;
    p = if_negative(differ1, if_negative(differ2, c[0], c[1]), c[2]);
    q = if_negative(differ1, if_negative(differ2, c[1], c[2]), c[0]);
    r = if_negative(differ1, if_negative(differ2, c[2], c[0]), c[1]);
    height = if_negative(differ1, if_negative(differ2, h.h0, h.h1), h.h2);
  }
};

EightLooks first_look_here(const EightPairs& pairs, const Pose& a_pose, const Pose& b_pose) {
  Vec3x8 a[3], b[3];
  for (int i = 0; i < 3; ++i) {
    a[i] = corner_in_world(pairs.a + 3 * i, a_pose);
    b[i] = corner_in_world(pairs.b + 3 * i, b_pose);
  }
  const Heights b_over_a(a, b), a_over_b(b, a);
  const std::uint32_t open = ~(b_over_a.on_one_side() | a_over_b.on_one_side()) & 0xff;
  const std::uint32_t straddling = open & b_over_a.all_certain() & a_over_b.all_certain();
  if (straddling == 0) return {0, open};

  const Alone pa(a, a_over_b), pb(b, b_over_a);
  const Vec3x8 a_q = if_negative(pb.height, pa.r, pa.q), a_r = if_negative(pb.height, pa.q, pa.r);
  const Vec3x8 b_q = if_negative(pa.height, pb.r, pb.q), b_r = if_negative(pa.height, pb.q, pb.r);
  const Vec3x8 across = pb.p - pa.p;
  const auto order = [&](const Vec3x8& along_to, const Vec3x8& end_at, Double8& bound) {
    const Vec3x8 along = along_to - pa.p, end = end_at - pa.p;
    const Vec3x8 length{abs(along.x), abs(along.y), abs(along.z)};
    bound = error_bound(grow(grow(length, across), end));
    return dot(cross(along, across), end);
  };
  Double8 q_bound, r_bound;
  const Double8 q_order = order(a_q, b_q, q_bound), r_order = order(a_r, b_r, r_bound);
  const std::uint32_t certain = straddling & greater(abs(q_order), q_bound) & greater(abs(r_order), r_bound);
  const Double8 zero = Double8::broadcast(0);
  return {certain & greater(zero, q_order) & greater(r_order, zero), open & ~certain};
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
