// SPDX-License-Identifier: Apache-2.0
// How far one bounding volume is from eight: the kernels of queries about distance. Compiled once per instruction set.

#if defined(TUMBLE_TRAVERSE_GAP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TUMBLE_TRAVERSE_GAP_INL_H_
#undef TUMBLE_TRAVERSE_GAP_INL_H_
#else
#define TUMBLE_TRAVERSE_GAP_INL_H_
#endif

#include "traverse/overlap-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tumble {
namespace HWY_NAMESPACE {

// Both kernels write gaps and return the bits of the lanes whose gap is at most `limit`, or unknown (NaN). Of volumes
// apart a gap is a lower bound of their distance, too large by at most 2^-19 of itself: the roundings that realigned
// volumes are not widened for are those of the offset between two volumes beyond their extents. A gap of zero or less
// is minus a translation, along one of the axes tested, that separates the volumes. Lanes ruled out early keep a gap
// that is larger than the limit, not the largest there is.

/// The largest gap of a slab; and the norm of the gaps along the coordinate axes, where the DOP has them.
struct DopGaps : DopKernel {
  bool has_axes;  // the first three slabs are x, y and z

  HWY_INLINE std::uint32_t gaps(const float* one, std::uint32_t lane, const float* eight, float limit,
                                float* out) const {
    const Float8 zero = Float8::broadcast(0), allowed = Float8::broadcast(limit);
    Float8 farthest = slab_gap(one, lane, eight, 0);
    Float8 positive = max(farthest, zero), sum_sq = positive * positive;
    for (int i = 1; i < 3; ++i) {
      const Float8 here = slab_gap(one, lane, eight, i);
      farthest = max(farthest, here);
      positive = max(here, zero);
      sum_sq = mul_add(positive, positive, sum_sq);
    }
    const Float8 norm = has_axes ? sqrt(sum_sq) : zero;
    for (int i = 3; i < slabs; ++i) {
      if (i % 3 == 0 && greater(max(farthest, norm), allowed) == 0xff) break;
      farthest = max(farthest, slab_gap(one, lane, eight, i));
    }
    const Float8 gap = has_axes ? max(farthest, norm + min(farthest, zero)) : farthest;
    gap.store(out);
    return ~greater(gap, allowed) & 0xff;
  }

 private:
  HWY_INLINE Float8 slab_gap(const float* one, std::uint32_t lane, const float* eight, int slab) const {
    const float* const o = one + 16 * slab + lane;
    const Float8 lower = Float8::load(eight + 16 * slab), upper = Float8::load(eight + 16 * slab + 8);
    return max(Float8::broadcast(o[0]) - upper, lower - Float8::broadcast(o[8])) * Float8::broadcast(per_length[slab]);
  }
};

/// The norm of the gaps along the three axes of either box, which is the distance of one box from the other's extents
/// along its axes; the gap along the line that this distance is measured on, seen from `one`; and the gap along each
/// cross product of edges, divided by its length.
struct ObbGaps : ObbKernel {
  HWY_INLINE std::uint32_t gaps(const float* one, std::uint32_t lane, const float* eight, float limit,
                                float* out) const {
    const auto o = [&](int row) { return Float8::broadcast(one[8 * row + static_cast<int>(lane)]); };
    const auto e = [&](int row) { return Float8::load(eight + 8 * row); };
    const Float8 zero = Float8::broadcast(0), allowed = Float8::broadcast(limit);

    const Float8 dx = e(0) - o(0), dy = e(1) - o(1), dz = e(2) - o(2);
    const Float8 ha[3] = {o(3), o(4), o(5)}, hb[3] = {e(3), e(4), e(5)};
    Float8 r[3][3], q[3][3], ta[3];  // as in ObbKernel
    Float8 w[3];                     // the gaps along the axes of `one`, towards the eight
    Float8 farthest, a_sq, b_sq;
    for (int i = 0; i < 3; ++i) {
      const Float8 ax = o(6 + 3 * i), ay = o(7 + 3 * i), az = o(8 + 3 * i);
      ta[i] = mul_add(ax, dx, mul_add(ay, dy, az * dz));
      for (int j = 0; j < 3; ++j) {
        r[i][j] = mul_add(ax, e(6 + 3 * j), mul_add(ay, e(7 + 3 * j), az * e(8 + 3 * j)));
        q[i][j] = abs(r[i][j]);
      }
      const Float8 radius = ha[i] + mul_add(hb[0], q[i][0], mul_add(hb[1], q[i][1], hb[2] * q[i][2]));
      const Float8 here = abs(ta[i]) - radius, positive = max(here, zero);
      w[i] = if_negative(ta[i], zero - positive, positive);
      farthest = i == 0 ? here : max(farthest, here);
      a_sq = i == 0 ? positive * positive : mul_add(positive, positive, a_sq);
    }
    for (int j = 0; j < 3; ++j) {
      const Float8 along = mul_add(ta[0], r[0][j], mul_add(ta[1], r[1][j], ta[2] * r[2][j]));
      const Float8 radius = hb[j] + mul_add(ha[0], q[0][j], mul_add(ha[1], q[1][j], ha[2] * q[2][j]));
      const Float8 here = abs(along) - radius, positive = max(here, zero);
      farthest = max(farthest, here);
      b_sq = j == 0 ? positive * positive : mul_add(positive, positive, b_sq);
    }
    // Along w the other box reaches less far than its extents along the axes together. Any w will do: its length is off
    // by 2^-20 at most, and the slack, that of the edges below, outweighs what r and T are off.
    const Float8 slack = Float8::broadcast(obb_edge_slack) * ((ha[0] + ha[1] + ha[2]) + (hb[0] + hb[1] + hb[2]));
    Float8 along_w = zero;
    for (int i = 0; i < 3; ++i) along_w = along_w + (w[i] * ta[i] - abs(w[i]) * ha[i]);
    for (int j = 0; j < 3; ++j)
      along_w = along_w - hb[j] * abs(mul_add(w[0], r[0][j], mul_add(w[1], r[1][j], w[2] * r[2][j])));
    along_w = along_w / (sqrt(a_sq) + Float8::broadcast(1e-18f)) - slack;

    // Where all face gaps are negative the norm is zero, and the largest of them is the gap.
    Float8 gap = max(sqrt(max(a_sq, b_sq)), along_w) + min(farthest, zero);
    // Of boxes that are small beside the distances asked for, edges say next to nothing more: on seven flights leaving
    // them out opens 0 to 3 % more nodes, each a sixth quicker.
    const std::uint32_t near = ~greater(gap, allowed) & 0xff;
    if (near == 0 || size(one, lane) < 0.5f * limit) {
      gap.store(out);
      return near;
    }

    Float8 edge_sq = zero;
    for (int i = 0; i < 3; ++i) {
      const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
      for (int j = 0; j < 3; ++j) {
        const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
        const Float8 along = abs(ta[i2] * r[i1][j] - ta[i1] * r[i2][j]);
        const Float8 radius =
            mul_add(ha[i1], q[i2][j], ha[i2] * q[i1][j]) + mul_add(hb[j1], q[i][j2], hb[j2] * q[i][j1]);
        const Float8 here = max(along - (radius + slack), zero);
        // The axis' squared length, more rather than less: 2^-9 outweighs the reciprocal's error, 2^-15 that of r.
        const Float8 length_sq = mul_add(r[i1][j], r[i1][j], mul_add(r[i2][j], r[i2][j], Float8::broadcast(0x1p-15f)));
        edge_sq = max(edge_sq, (here * here) * rough_reciprocal(length_sq * Float8::broadcast(1 + 0x1p-9f)));
      }
    }
    gap = if_negative(zero - edge_sq, max(gap, sqrt(edge_sq)), gap);
    gap.store(out);
    return ~greater(gap, allowed) & 0xff;
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace tumble
HWY_AFTER_NAMESPACE();

#endif
