// SPDX-License-Identifier: Apache-2.0
// Vec3s<N>: as many points or directions side by side as N has lanes. N is a Lanes, a Double2, or one plain number if
// the same arithmetic serves one and many. Compiled once per instruction set, as all code on Lanes must be.

#if defined(TUMBLE_SIMD_VEC3S_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TUMBLE_SIMD_VEC3S_INL_H_
#undef TUMBLE_SIMD_VEC3S_INL_H_
#else
#define TUMBLE_SIMD_VEC3S_INL_H_
#endif

#include "simd/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tumble {
namespace HWY_NAMESPACE {

/// Every operation rounds like Vec3's of the same name, lane by lane; none is fused.
template <class N>
struct Vec3s {
  N x, y, z;

  friend HWY_INLINE Vec3s operator+(const Vec3s& a, const Vec3s& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend HWY_INLINE Vec3s operator-(const Vec3s& a, const Vec3s& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend HWY_INLINE Vec3s operator*(const Vec3s& a, const N& s) { return {a.x * s, a.y * s, a.z * s}; }
  friend HWY_INLINE N dot(const Vec3s& a, const Vec3s& b) { return (a.x * b.x + a.y * b.y) + a.z * b.z; }
  friend HWY_INLINE N length_sq(const Vec3s& a) { return dot(a, a); }
  friend HWY_INLINE Vec3s cross(const Vec3s& a, const Vec3s& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
  }

  // Coordinate by coordinate.
  friend HWY_INLINE Vec3s abs(const Vec3s& a) { return {abs(a.x), abs(a.y), abs(a.z)}; }
  friend HWY_INLINE Vec3s max(const Vec3s& a, const Vec3s& b) { return {max(a.x, b.x), max(a.y, b.y), max(a.z, b.z)}; }

  // Choose lane by lane.
  friend HWY_INLINE Vec3s if_negative(const N& sign, const Vec3s& yes, const Vec3s& no) {
    return {if_negative(sign, yes.x, no.x), if_negative(sign, yes.y, no.y), if_negative(sign, yes.z, no.z)};
  }
  template <class Mask>
  friend HWY_INLINE Vec3s select(const Mask& mask, const Vec3s& yes, const Vec3s& no) {
    return {select(mask, yes.x, no.x), select(mask, yes.y, no.y), select(mask, yes.z, no.z)};
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace tumble
HWY_AFTER_NAMESPACE();

#endif
