// SPDX-License-Identifier: Apache-2.0
// Signs of determinants of eight pairs of triangles: what is certain about them, lane by lane, as bits. Compiled once
// per instruction set.

#if defined(TUMBLE_GEOMETRY_EIGHT_SIGNS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TUMBLE_GEOMETRY_EIGHT_SIGNS_INL_H_
#undef TUMBLE_GEOMETRY_EIGHT_SIGNS_INL_H_
#else
#define TUMBLE_GEOMETRY_EIGHT_SIGNS_INL_H_
#endif

#include "geometry/eight_pairs.h"
#include "geometry/to_world-inl.h"

#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace tumble {
namespace HWY_NAMESPACE {

HWY_INLINE Vec3x8 grow(const Vec3x8& largest, const Vec3x8& v) { return max(largest, abs(v)); }

HWY_INLINE std::uint32_t is_zero(const Double8& magnitude) { return ~greater(magnitude, Double8::broadcast(0)) & 0xff; }

HWY_INLINE Double8 gap(const Vec3x8& p, const Vec3x8& q) {
  const Vec3x8 apart = abs(p - q);
  return max(max(apart.x, apart.y), apart.z);
}

/// Lanes in which two points are the same.
HWY_INLINE std::uint32_t equal(const Vec3x8& p, const Vec3x8& q) { return is_zero(gap(p, q)); }

/// Lanes in which differences no larger than `largest` vanish along one axis. Then determinants do, as each of their
/// products has one factor along each axis. Models are drawn to a grid, so edges in one axis-aligned plane touch most
/// often.
HWY_INLINE std::uint32_t vanishes(const Vec3x8& largest) { return is_zero(min(min(largest.x, largest.y), largest.z)); }

/// Lanes in which a number is certainly below, above or exactly 0.
struct Signs {
  std::uint32_t below, above, zero;

  Signs() = default;
  HWY_INLINE Signs(const Double8& number, const Double8& bound, std::uint32_t known_zero) : zero(known_zero) {
    below = greater(Double8::broadcast(0) - number, bound) & ~zero;
    above = greater(number, bound) & ~zero;
  }
  HWY_INLINE void note_zero(std::uint32_t lanes) { zero |= lanes, below &= ~lanes, above &= ~lanes; }
  HWY_INLINE std::uint32_t known() const { return below | above | zero; }
};

/// The sides of a triangle's corners against the plane of another.
struct EightSides {
  Signs of[3];

  HWY_INLINE std::uint32_t all_known() const { return of[0].known() & of[1].known() & of[2].known(); }
  HWY_INLINE std::uint32_t all_zero() const { return of[0].zero & of[1].zero & of[2].zero; }
  HWY_INLINE std::uint32_t above() const { return of[0].above | of[1].above | of[2].above; }
  HWY_INLINE std::uint32_t below() const { return of[0].below | of[1].below | of[2].below; }
  HWY_INLINE std::uint32_t strictly_beside() const {
    return (of[0].below & of[1].below & of[2].below) | (of[0].above & of[1].above & of[2].above);
  }
  HWY_INLINE std::uint32_t two_sided() const { return all_known() & above() & below(); }
  /// At least one off the plane, and no two on different sides.
  HWY_INLINE std::uint32_t on_or_beside() const { return all_known() & (above() ^ below()); }
};

/// How far corners of two triangles are apart, as the largest of three differences; 0 means that they are the same.
struct CornerGaps {
  Double8 between[3][3];

  HWY_INLINE CornerGaps(const Vec3x8 (&a)[3], const Vec3x8 (&b)[3]) {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) between[i][j] = gap(a[i], b[j]);
  }
  HWY_INLINE Double8 least_of_a(int i) const { return min(min(between[i][0], between[i][1]), between[i][2]); }
  HWY_INLINE Double8 least_of_b(int j) const { return min(min(between[0][j], between[1][j]), between[2][j]); }
  /// Lanes in which the triangles share a corner.
  HWY_INLINE std::uint32_t shared() const { return is_zero(min(min(least_of_a(0), least_of_a(1)), least_of_a(2))); }
};

/// Triangles that share a corner touch if one of them is on or beside the other's plane.
HWY_INLINE std::uint32_t corner_touch(const CornerGaps& gaps, const EightSides& a_over_b, const EightSides& b_over_a) {
  return gaps.shared() & (a_over_b.on_or_beside() | b_over_a.on_or_beside());
}

/// Notes what is certain about triangles that straddle each other's plane, from the signs q and r of SegmentEnds.
HWY_INLINE void note_crossing(std::uint32_t straddling, const Signs& q, const Signs& r, EightLooks& looks) {
  const std::uint32_t cross = straddling & q.below & r.above;
  const std::uint32_t touch = straddling & (q.below | q.zero) & (r.above | r.zero) & ~cross;
  const std::uint32_t apart = straddling & (q.above | r.below);
  looks.cross |= cross;
  looks.touch |= touch;
  looks.unsure &= ~(cross | touch | apart);
}

}  // namespace HWY_NAMESPACE
}  // namespace tumble
HWY_AFTER_NAMESPACE();

#endif
