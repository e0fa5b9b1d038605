// SPDX-License-Identifier: Apache-2.0
// Determinants of coordinate differences in double-doubles, eight at a time: signs that rounded arithmetic leaves open,
// as long as they are not zero. Compiled once per instruction set.

#if defined(TUMBLE_GEOMETRY_LONG_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TUMBLE_GEOMETRY_LONG_LANES_INL_H_
#undef TUMBLE_GEOMETRY_LONG_LANES_INL_H_
#else
#define TUMBLE_GEOMETRY_LONG_LANES_INL_H_
#endif

#include "geometry/to_world-inl.h"
#include "math/two_terms.h"

HWY_BEFORE_NAMESPACE();
namespace tumble {
namespace HWY_NAMESPACE {

/// high + low; the two may overlap.
struct Long8 {
  Double8 high, low;
};

HWY_INLINE Long8 long_sum(const Double8& a, const Double8& b) {  // as two_sum
  const Double8 sum = a + b, b_virtual = sum - a;
  return {sum, (a - (sum - b_virtual)) + (b - b_virtual)};
}
HWY_INLINE Long8 long_difference(const Double8& a, const Double8& b) {  // as two_diff
  const Double8 difference = a - b, b_virtual = a - difference;
  return {difference, (a - (difference + b_virtual)) + (b_virtual - b)};
}
/// As two_product, or in one step if the instruction set has it: both are exact, so that no answer depends on it.
HWY_INLINE Long8 long_product(const Double8& a, const Double8& b) {
  const Double8 product = a * b;
  if constexpr (Double8::rounds_once) {
    return {product, fused_mul_sub(a, b, product)};
  } else {
    const Double8 splitter = Double8::broadcast(veltkamp_splitter), a_wide = splitter * a, b_wide = splitter * b;
    const Double8 a_high = a_wide - (a_wide - a), a_low = a - a_high;
    const Double8 b_high = b_wide - (b_wide - b), b_low = b - b_high;
    return {product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low};
  }
}

/// Without the product of the low parts.
HWY_INLINE Long8 operator*(const Long8& a, const Long8& b) {
  const Long8 p = long_product(a.high, b.high);
  return {p.high, p.low + (a.high * b.low + a.low * b.high)};
}
HWY_INLINE Long8 operator-(const Long8& a, const Long8& b) {
  const Long8 d = long_difference(a.high, b.high);
  return {d.high, d.low + (a.low - b.low)};
}

struct LongVec {
  Long8 x, y, z;
};
HWY_INLINE LongVec long_difference(const Vec3x8& p, const Vec3x8& q) {
  return {long_difference(p.x, q.x), long_difference(p.y, q.y), long_difference(p.z, q.z)};
}
HWY_INLINE Vec3x8 grow(const Vec3x8& largest, const LongVec& v) {
  return max(largest, abs(Vec3x8{v.x.high, v.y.high, v.z.high}));
}

/// det(u, v, w) for differences, rounded once from something whose error is filter_bounds::det3::long_to_largest.
class LongDet {
 public:
  HWY_INLINE LongDet(const LongVec& u, const LongVec& v)
      : x_(u.y * v.z - u.z * v.y), y_(u.z * v.x - u.x * v.z), z_(u.x * v.y - u.y * v.x) {}

  HWY_INLINE Double8 operator()(const LongVec& w) const {
    const Long8 x = x_ * w.x, y = y_ * w.y, z = z_ * w.z;
    const Long8 xy = long_sum(x.high, y.high), sum = long_sum(xy.high, z.high);
    return sum.high + (((xy.low + sum.low) + (x.low + y.low)) + z.low);
  }

 private:
  Long8 x_, y_, z_;
};

}  // namespace HWY_NAMESPACE
}  // namespace tumble
HWY_AFTER_NAMESPACE();

#endif
