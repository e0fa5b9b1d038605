// SPDX-License-Identifier: Apache-2.0
// How much more or less than their bodies' centres (FarLine) one bounding volume and eight, or four triangles and four,
// are apart: the kernels of queries about the distance of bodies far apart. Compiled once per instruction set.

#if defined(TUMBLE_TRAVERSE_FAR_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TUMBLE_TRAVERSE_FAR_INL_H_
#undef TUMBLE_TRAVERSE_FAR_INL_H_
#else
#define TUMBLE_TRAVERSE_FAR_INL_H_
#endif

#include "bounds/directions.h"
#include "math/rounding.h"
#include "realign/cones.h"
#include "traverse/far_line.h"
#include "traverse/near_filter-inl.h"
#include "traverse/overlap-inl.h"

#include <limits>
#include <span>

HWY_BEFORE_NAMESPACE();
namespace tumble {
namespace HWY_NAMESPACE {

// Let the line be s = |s|·u, and d the offset between two reference points, one of each volume, when the bodies are
// centre on centre. Along w, the direction of s + d, the volumes are at least |s + d| − r apart, r being how far they
// reach beyond these points towards each other. What the kernels compute is |s + d| − |s| − r. No number in it is as
// large as |s|:
//   |s + d| − |s| = t/(1 + m) with t = 2u·d + |d|²/|s| and m = |s + d|/|s| = √(1 + t/|s|);  w = (u + d/|s|)/m.
// Where |d| is more than |s|/2, the gap is unknown. Otherwise m is within 1/2 of 1. With e = 2^-24, t is off by 16e·|d|
// (d, u and a product of three terms by 5e·|d|, twice), m by 14e, the difference by 32e·|d|, w by 37e and an extent
// along it by 41e of itself. Let size be 1 + scale, what both trees measure (bounds/reach.h).
// - Boxes: |d| is at most 3.5·size and the half extents of both together 6·size, so the gap is off by 358e·size.
// - DOPs: |d| is at most 6.7·size, for k = 12. What three slabs say along u is off by 6e of 3.5·size, u·d by 5e·|d|;
//   what the first three say along d by 10e of 3.4·size; all over m: together by 392e·size.
// - Triangles: corners are within 1.8·size of the centre, edges 3.6·size long: 353e·size.
// The slack of the line, 512e·size and as much of the margin that bounds are widened by, covers them.
struct FarAxis {
  float direction[3], per_length, slack, quarter;

  explicit FarAxis(const FarLine& line) {
    for (int i = 0; i < 3; ++i) direction[i] = static_cast<float>(line.direction[i]);
    per_length = static_cast<float>(1 / line.length);
    slack = float_above(line.slack);
    quarter = static_cast<float>(line.length / 4);
  }
};

/// `value`, or NaN where a square over |s| is too large: where its root is more than |s|/2.
template <class N>
HWY_INLINE N unless_wide(const N& value, const N& square_per_length, const FarAxis& axis) {
  const N unknown = N::broadcast(std::numeric_limits<float>::quiet_NaN());
  return if_negative(N::broadcast(axis.quarter) - square_per_length, unknown, value);
}

/// The vector s + d; with a sign of −1, −s + d.
template <class N>
struct FarOffset {
  N longer, w[3], per_m;

  HWY_INLINE FarOffset(const FarAxis& axis, float sign, const N (&d)[3]) {
    const N one = N::broadcast(1), per_length = N::broadcast(axis.per_length);
    const N u[3] = {N::broadcast(sign * axis.direction[0]), N::broadcast(sign * axis.direction[1]),
                    N::broadcast(sign * axis.direction[2])};
    const N along = u[0] * d[0] + (u[1] * d[1] + u[2] * d[2]),
            square = (d[0] * d[0] + (d[1] * d[1] + d[2] * d[2])) * per_length;
    const N t = square + (along + along), m = sqrt(t * per_length + one);
    longer = unless_wide(t / (one + m), square, axis);
    per_m = one / m;
    for (int i = 0; i < 3; ++i) w[i] = (d[i] * per_length + u[i]) * per_m;
  }
};

/// `one_is_source`: it is of the source's tree, and the eight of the target's.
struct ObbFar : ObbKernel {
  static constexpr bool is_far = true;
  FarAxis axis;

  explicit ObbFar(const FarLine& line) : axis(line) {}

  HWY_INLINE std::uint32_t gaps(const float* one, std::uint32_t lane, const float* eight, bool one_is_source,
                                float limit, float* out) const {
    using Rows = ObbRows;
    const auto o = [&](int row) { return Float8::broadcast(one[row + static_cast<int>(lane)]); };
    const auto e = [&](int row) { return Float8::load(eight + row); };
    const auto offset = [&](int i) { return e(Rows::center(i)) - o(Rows::center(i)); };
    const FarOffset<Float8> from_one(axis, one_is_source ? -1 : 1, {offset(0), offset(1), offset(2)});
    const auto& w = from_one.w;
    Float8 gap = from_one.longer - Float8::broadcast(axis.slack);
    for (int i = 0; i < 3; ++i) {
      const auto along = [&](const auto& row) {
        return abs(row(Rows::axis(i, 0)) * w[0] + (row(Rows::axis(i, 1)) * w[1] + row(Rows::axis(i, 2)) * w[2]));
      };
      gap = gap - (o(Rows::half(i)) * along(o) + e(Rows::half(i)) * along(e));
    }
    gap.store(out);
    return ~greater(gap, Float8::broadcast(limit)) & 0xff;
  }
};

/// The reference points are the middles of the first three slabs, whatever their normals. Beyond them a DOP reaches no
/// farther along u than three slabs around u say (realign/cones.h), and along d, which is small beside s, than the
/// first three do.
struct DopFar : DopKernel {
  static constexpr bool is_far = true;
  FarAxis axis;
  float back[3][3];  // from offsets along the first three normals to coordinates
  float weights[3];
  int around[3];
  bool flipped[3];

  DopFar(const FarLine& line, int k) : DopKernel{k / 2, inverse_direction_lengths(k).data()}, axis(line) {
    const std::span<const Vec3> normals = directions(k);
    const Mat3 inverted = inverse({{normals[0], normals[1], normals[2]}});
    Cones::Triples storage;
    const Triple& cheapest = Cones::of(k).around(line.direction, storage).front();
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) back[i][j] = static_cast<float>(inverted.rows[i][static_cast<int>(j)]);
      weights[i] = static_cast<float>(cheapest.weights[i]);
      around[i] = cheapest.slabs[i];
      flipped[i] = cheapest.flipped[i];
    }
  }

  HWY_INLINE std::uint32_t gaps(const float* one, std::uint32_t lane, const float* eight, bool one_is_source,
                                float limit, float* out) const {
    const float* const o = one + lane;
    // The slab of all offsets from the one to each of the eight.
    const auto low = [&](int slab) {
      return Float8::load(eight + DopRows::lower(slab)) - Float8::broadcast(o[DopRows::upper(slab)]);
    };
    const auto high = [&](int slab) {
      return Float8::load(eight + DopRows::upper(slab)) - Float8::broadcast(o[DopRows::lower(slab)]);
    };
    const Float8 zero = Float8::broadcast(0), half = Float8::broadcast(0.5f);
    Float8 middle[3], extent[3], d[3];
    for (int i = 0; i < 3; ++i) {
      const Float8 l = low(i), h = high(i);
      middle[i] = half * (l + h);
      extent[i] = half * (h - l);
    }
    for (int i = 0; i < 3; ++i)
      d[i] = Float8::broadcast(back[i][0]) * middle[0] +
             (Float8::broadcast(back[i][1]) * middle[1] + Float8::broadcast(back[i][2]) * middle[2]);
    const float sign = one_is_source ? -1 : 1;
    const FarOffset<Float8> from_one(axis, sign, d);

    Float8 along_u = zero, along_d = zero;  // beyond d, at least
    for (int i = 0; i < 3; ++i) {
      const Float8 nearest = flipped[i] != one_is_source ? zero - high(around[i]) : low(around[i]);
      along_u = Float8::broadcast(weights[i]) * nearest + along_u;
    }
    for (int i = 0; i < 3; ++i) {
      along_u = along_u - Float8::broadcast(sign * axis.direction[i]) * d[i];
      const Float8 slope = Float8::broadcast(back[0][i]) * d[0] +
                           (Float8::broadcast(back[1][i]) * d[1] + Float8::broadcast(back[2][i]) * d[2]);
      along_d = along_d - abs(slope) * extent[i];
    }
    const Float8 beyond = (along_d * Float8::broadcast(axis.per_length) + along_u) * from_one.per_m;
    const Float8 gap = (from_one.longer + beyond) - Float8::broadcast(axis.slack);
    gap.store(out);
    return ~greater(gap, Float8::broadcast(limit)) & 0xff;
  }
};

/// What NearFilter does, along the lines between the first corners of two triangles.
class FarFilter {
 public:
  explicit FarFilter(const FarLine& line)
      : axis_(line), near_(line.pose), slack_(axis_.slack + near_.contacts().slack()) {}

  HWY_INLINE std::uint32_t operator()(Group target, Group source, float limit, float* gaps, float* reaches) const {
    Float16 a[3][3], b[3][3];  // corner, axis
    near_.place(target, source, a, b);
    const FarOffset<Float16> offset(axis_, 1, {b[0][0] - a[0][0], b[0][1] - a[0][1], b[0][2] - a[0][2]});
    const Float16 zero = Float16::broadcast(0), slack = Float16::broadcast(slack_);
    Float16 a_highest = zero, b_lowest = zero, a_size = zero, b_size = zero;
    for (int corner = 1; corner < 3; ++corner) {
      const Edge of_a(a, corner, offset.w), of_b(b, corner, offset.w);
      a_highest = max(a_highest, of_a.along), b_lowest = min(b_lowest, of_b.along);
      a_size = max(a_size, of_a.size), b_size = max(b_size, of_b.size);
    }
    const Float16 gap = offset.longer + (b_lowest - a_highest);
    (gap - slack).store(gaps);
    // The corners nearest along w are apart by |s| and the gap along it, and by y, no more than the edges are long,
    // across it. If y is at most |s|/4, the first is at least |s|/4, and 2y²/|s| is what the second adds at most.
    const Float16 across = a_size + b_size, adds = (across + across) * across * Float16::broadcast(axis_.per_length);
    unless_wide(gap + (adds + slack), adds + adds, axis_).store(reaches);
    return PairBits::all(target.width, source.width) & ~greater(gap - slack, Float16::broadcast(limit));
  }

 private:
  struct Edge {
    Float16 along, size;

    HWY_INLINE Edge(const Float16 (&t)[3][3], int corner, const Float16 (&w)[3]) {
      const Float16 x = t[corner][0] - t[0][0], y = t[corner][1] - t[0][1], z = t[corner][2] - t[0][2];
      along = w[0] * x + (w[1] * y + w[2] * z);
      size = abs(x) + (abs(y) + abs(z));
    }
  };

  FarAxis axis_;
  NearFilter near_;
  float slack_;
};

}  // namespace HWY_NAMESPACE
}  // namespace tumble
HWY_AFTER_NAMESPACE();

#endif
