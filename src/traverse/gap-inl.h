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
  static constexpr bool is_far = false;
  bool has_axes;  // the first three slabs are x, y and z

  HWY_INLINE std::uint32_t gaps(const float* one, std::uint32_t lane, const float* eight, float limit,
                                float* out) const {
    const Float8 zero = Float8::broadcast(0), allowed = Float8::broadcast(limit);
    Float8 farthest = gap<true>(one, lane, eight, 0);
    Float8 positive = max(farthest, zero), sum_sq = positive * positive;
    for (int i = 1; i < 3; ++i) {
      const Float8 here = gap<true>(one, lane, eight, i);
      farthest = max(farthest, here);
      positive = max(here, zero);
      sum_sq = positive * positive + sum_sq;
    }
    const Float8 norm = has_axes ? sqrt(sum_sq) : zero;
    for (int i = 3; i < slabs; ++i) {
      if (i % 3 == 0 && greater(max(farthest, norm), allowed) == 0xff) break;
      farthest = max(farthest, gap<true>(one, lane, eight, i));
    }
    const Float8 apart = has_axes ? max(farthest, norm + min(farthest, zero)) : farthest;
    apart.store(out);
    return ~greater(apart, allowed) & 0xff;
  }
};

/// The norm of the gaps along the three axes of either box, which is the distance of one box from the other's extents
/// along its axes; the gap along the line that this distance is measured on, seen from `one`; and the gap along cross
/// products of long edges, divided by their lengths.
struct ObbGaps : ObbKernel {
  static constexpr bool is_far = false;
  HWY_INLINE std::uint32_t gaps(const float* one, std::uint32_t lane, const float* eight, float limit,
                                float* out) const {
    const Float8 zero = Float8::broadcast(0), allowed = Float8::broadcast(limit);
    const BoxAxes<true> axes(one, lane, eight);
    const auto& r = axes.r;
    const auto norm_sq = [&](const Float8(&over)[3]) {
      const Float8 x = max(over[0], zero), y = max(over[1], zero), z = max(over[2], zero);
      return x * x + (y * y + z * z);
    };
    const Float8 a_sq = norm_sq(axes.over_a), b_sq = norm_sq(axes.over_b);

    // Along w the other box reaches less far than its extents along the axes together. Any w will do: its length is off
    // by 2^-20 at most, and the slack, that of the edges below, outweighs what r and T are off.
    const Float8 slack = axes.edge_slack();
    Float8 w[3], along_w = zero;  // the gaps along the axes of `one`, towards the eight
    for (int i = 0; i < 3; ++i) {
      const Float8 gap = max(axes.over_a[i], zero);
      w[i] = if_negative(axes.ta[i], zero - gap, gap);
      along_w = along_w + (w[i] * axes.ta[i] - gap * axes.ha[i]);
    }
    for (int j = 0; j < 3; ++j)
      along_w = along_w - axes.hb[j] * abs(w[0] * r[0][j] + (w[1] * r[1][j] + w[2] * r[2][j]));
    along_w = along_w / (sqrt(a_sq) + Float8::broadcast(1e-18f)) - slack;

    // Where all face gaps are negative the norm is zero, and the largest of them is the gap.
    Float8 gap = max(sqrt(max(a_sq, b_sq)), along_w) + min(axes.over_faces, zero);
    // Of boxes that are small beside the distances asked for, edges say next to nothing more: leaving them out opens
    // hardly more nodes, and each is quicker.
    const std::uint32_t near = ~greater(gap, allowed) & 0xff;
    if (near == 0 || size(one, lane) < 0.5f * limit) {
      gap.store(out);
      return near;
    }

    Float8 edge_sq = zero;
    axes.over_edges(slack, [&](const Float8& over, int i1, int i2, int j) {
      const Float8 here = max(over, zero);
      // The axis' squared length, more rather than less: 2^-15 outweighs the error of r.
      const Float8 length_sq = r[i1][j] * r[i1][j] + (r[i2][j] * r[i2][j] + Float8::broadcast(0x1p-15f));
      edge_sq = max(edge_sq, here * here / length_sq);
    });
    gap = if_negative(zero - edge_sq, max(gap, sqrt(edge_sq)), gap);
    gap.store(out);
    return ~greater(gap, allowed) & 0xff;
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace tumble
HWY_AFTER_NAMESPACE();

#endif
