// SPDX-License-Identifier: Apache-2.0
// One bounding volume against eight: the two kernels every walk spends its time in. Compiled once per instruction set.

#if defined(TUMBLE_TRAVERSE_OVERLAP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TUMBLE_TRAVERSE_OVERLAP_INL_H_
#undef TUMBLE_TRAVERSE_OVERLAP_INL_H_
#else
#define TUMBLE_TRAVERSE_OVERLAP_INL_H_
#endif

#include "bounds/lanes.h"
#include "realign/realigner.h"
#include "simd/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tumble {
namespace HWY_NAMESPACE {

using Float8 = Lanes<float, node_lanes>;

/// Bits of lanes.
struct OverlapBits {
  std::uint32_t overlapping;
  std::uint32_t nearly_apart;  // of these
};
/// `size`: of the one volume.
HWY_INLINE OverlapBits overlap_bits(const Float8& apart, float size) {
  const std::uint32_t overlapping = ~greater(apart, Float8::broadcast(0)) & 0xff;
  return {overlapping, overlapping & greater(apart, Float8::broadcast(-0x1p-17f * (1 + 2 * size)))};
}

/// The lanes of `eight` that may overlap lane `lane` of `one`; where they are apart, a slab or axis says so for
/// certain. NaN and infinite margins count as overlap. `gaps`, where asked for: of lanes apart a lower bound of their
/// distance, of others a number that is less the deeper they overlap. Lanes are nearly apart if they
/// would be but for the margins of single precision, about as much.
struct DopKernel {
  int slabs;
  const float* per_length;  // one over the length of each normal, rounded down

  template <bool WantGaps>
  HWY_INLINE OverlapBits overlaps(const float* one, std::uint32_t lane, const float* eight, float* gaps) const {
    Float8 apart = gap<WantGaps>(one, lane, eight, 0);
    for (int i = 1; i < slabs; ++i) {
      apart = max(apart, gap<WantGaps>(one, lane, eight, i));
      // The first three slabs tell most pairs apart; asking after each would cost more than it saves.
      if (i % 3 == 2 && i + 1 < slabs && greater(apart, Float8::broadcast(0)) == 0xff) break;
    }
    if constexpr (WantGaps) apart.store(gaps);
    return overlap_bits(apart, size(one, lane));
  }

  static HWY_INLINE float size(const float* rows, std::uint32_t lane) {
    const auto width = [&](std::uint32_t slab) {
      return rows[DopRows::upper(slab) + lane] - rows[DopRows::lower(slab) + lane];
    };
    return width(0) + width(1) + width(2);
  }

  /// Between the middles of two volumes, but for a factor.
  static HWY_INLINE float center_distance_sq(const float* one, std::uint32_t lane, const float* rows, std::uint32_t l) {
    const auto along = [&](std::uint32_t slab) {
      return (rows[DopRows::upper(slab) + l] + rows[DopRows::lower(slab) + l]) -
             (one[DopRows::upper(slab) + lane] + one[DopRows::lower(slab) + lane]);
    };
    return along(0) * along(0) + along(1) * along(1) + along(2) * along(2);
  }

  void close_lane(float* rows, std::uint32_t lane) const { write_empty_dop(rows, lane, 2 * slabs); }

 protected:
  template <bool AsDistance>
  HWY_INLINE Float8 gap(const float* one, std::uint32_t lane, const float* eight, int slab) const {
    const float* const o = one + lane;
    const float lower = o[DopRows::lower(slab)], upper = o[DopRows::upper(slab)];
    const Float8 lowers = Float8::load(eight + DopRows::lower(slab)),
                 uppers = Float8::load(eight + DopRows::upper(slab));
    const Float8 gap = max(Float8::broadcast(lower) - uppers, lowers - Float8::broadcast(upper));
    return AsDistance ? gap * Float8::broadcast(per_length[slab]) : gap;
  }
};

/// Nine of the fifteen axes of a box and eight others (Gottschalk 1996; Lin 1996, section 4.2.2): the normals of faces,
/// and the cross products of the longest edges with the longest and the second longest. Where no face tells boxes apart
/// but a cross product does, one of these three is among those that do in most cases. Roundings of the
/// test itself are in the margin with which the moving boxes were realigned; near-parallel edges make cross products
/// tiny, so the radii along them are widened by `obb_edge_slack` of the extents. Cross products are at most of unit
/// length: gaps along them are distances or less.
///
/// Why that is enough: whatever r holds, w = r[i1][j]·a_i2 − r[i2][j]·a_i1 is an axis one may project on. Its products
/// with T and the a_m are those below but for errors that shrink with |w|, which the realigned box is widened for. Its
/// product with b_n is a cofactor of A·Bᵀ, which is an entry of r only if both frames are orthonormal: with departures
/// of 2^-20 (realigned) and 2^-23 (fitted) cof(A) = det(A)·(AAᵀ)⁻¹A is off by 4.5 times these, and r by 3·2^-24 per
/// entry: together less than 2^-17.
///
/// With `SameEverywhere`, products and sums round apart, so that every instruction set gives the same gaps.
template <bool SameEverywhere>
struct BoxAxes {
  struct Edges {
    int i, j;
  };
  Float8 ha[3], hb[3];
  Float8 r[3][3], q[3][3], ta[3];  // r = A·Bᵀ, q = |r|, ta = A·T with T from the one to the eight
  Float8 over_a[3], over_b[3];     // gaps along the faces' normals
  Float8 over_faces;               // the largest of them

  HWY_INLINE BoxAxes(const float* one, std::uint32_t lane, const float* eight) {
    using Rows = ObbRows;
    const auto o = [&](int row) { return Float8::broadcast(one[row + static_cast<int>(lane)]); };
    const auto e = [&](int row) { return Float8::load(eight + row); };
    const auto offset = [&](int axis) { return e(Rows::center(axis)) - o(Rows::center(axis)); };
    const Float8 dx = offset(0), dy = offset(1), dz = offset(2);
    ha[0] = o(Rows::half(0)), ha[1] = o(Rows::half(1)), ha[2] = o(Rows::half(2));
    hb[0] = e(Rows::half(0)), hb[1] = e(Rows::half(1)), hb[2] = e(Rows::half(2));
    for (int i = 0; i < 3; ++i) {
      const Float8 ax = o(Rows::axis(i, 0)), ay = o(Rows::axis(i, 1)), az = o(Rows::axis(i, 2));
      ta[i] = sum(ax, dx, sum(ay, dy, az * dz));
      for (int j = 0; j < 3; ++j) {
        r[i][j] = sum(ax, e(Rows::axis(j, 0)), sum(ay, e(Rows::axis(j, 1)), az * e(Rows::axis(j, 2))));
        q[i][j] = abs(r[i][j]);
      }
      const Float8 radius = ha[i] + sum(hb[0], q[i][0], sum(hb[1], q[i][1], hb[2] * q[i][2]));
      over_a[i] = abs(ta[i]) - radius;
      over_faces = i == 0 ? over_a[i] : max(over_faces, over_a[i]);
    }
    for (int j = 0; j < 3; ++j) {
      const Float8 along = sum(ta[0], r[0][j], sum(ta[1], r[1][j], ta[2] * r[2][j]));
      const Float8 radius = hb[j] + sum(ha[0], q[0][j], sum(ha[1], q[1][j], ha[2] * q[2][j]));
      over_b[j] = abs(along) - radius;
      over_faces = max(over_faces, over_b[j]);
    }
  }

  static HWY_INLINE Float8 sum(const Float8& a, const Float8& b, const Float8& c) {
    return SameEverywhere ? a * b + c : mul_add(a, b, c);
  }
  HWY_INLINE Float8 edge_slack() const {
    return Float8::broadcast(obb_edge_slack) * ((ha[0] + ha[1] + ha[2]) + (hb[0] + hb[1] + hb[2]));
  }
  /// Calls use(gap, i1, i2, j) for cross products of edges i and j, r[i1][j]·a_i2 − r[i2][j]·a_i1, not of unit length.
  template <class Use>
  HWY_INLINE void over_edges(const Float8& slack, const Use& use) const {
    for (const Edges edges : {Edges{0, 0}, Edges{0, 1}, Edges{1, 0}}) over_edges(edges, slack, use);
  }
  /// The same for the other six.
  template <class Use>
  HWY_INLINE void over_short_edges(const Float8& slack, const Use& use) const {
    for (const Edges edges : {Edges{0, 2}, Edges{1, 1}, Edges{1, 2}, Edges{2, 0}, Edges{2, 1}, Edges{2, 2}})
      over_edges(edges, slack, use);
  }

 private:
  template <class Use>
  HWY_INLINE void over_edges(Edges edges, const Float8& slack, const Use& use) const {
    const auto [i, j] = edges;
    const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
    const Float8 along = abs(ta[i2] * r[i1][j] - ta[i1] * r[i2][j]);
    const Float8 radius = sum(ha[i1], q[i2][j], ha[i2] * q[i1][j]) + sum(hb[j1], q[i][j2], hb[j2] * q[i][j1]);
    use(along - (radius + slack), i1, i2, j);
  }
};

/// With `AllAxes`, the test of the papers on all fifteen axes.
template <bool AllAxes>
struct ObbKernelOn {
  template <bool WantGaps>
  HWY_INLINE OverlapBits overlaps(const float* one, std::uint32_t lane, const float* eight, float* gaps) const {
    const BoxAxes<false> axes(one, lane, eight);
    Float8 apart = axes.over_faces;
    if (greater(apart, Float8::broadcast(0)) == 0xff) {
      if constexpr (WantGaps) apart.store(gaps);
      return {0, 0};
    }
    const auto widen = [&](const Float8& gap, int, int, int) HWY_ATTR { apart = max(apart, gap); };
    const Float8 slack = axes.edge_slack();
    axes.over_edges(slack, widen);
    if constexpr (AllAxes) axes.over_short_edges(slack, widen);
    if constexpr (WantGaps) apart.store(gaps);
    return overlap_bits(apart, size(one, lane));
  }

  static HWY_INLINE float size(const float* rows, std::uint32_t lane) {
    const auto half = [&](std::uint32_t axis) { return rows[ObbRows::half(axis) + lane]; };
    return half(0) + half(1) + half(2);
  }

  static HWY_INLINE float center_distance_sq(const float* one, std::uint32_t lane, const float* rows, std::uint32_t l) {
    const auto along = [&](std::uint32_t axis) {
      return rows[ObbRows::center(axis) + l] - one[ObbRows::center(axis) + lane];
    };
    return along(0) * along(0) + along(1) * along(1) + along(2) * along(2);
  }

  void close_lane(float* rows, std::uint32_t lane) const { write_empty_obb(rows, lane); }
};
using ObbKernel = ObbKernelOn<false>;

}  // namespace HWY_NAMESPACE
}  // namespace tumble
HWY_AFTER_NAMESPACE();

#endif
