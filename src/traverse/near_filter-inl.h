// SPDX-License-Identifier: Apache-2.0
// Up to four triangles against four in single precision: how far apart they are at least. Compiled once per instruction
// set.

#if defined(TUMBLE_TRAVERSE_NEAR_FILTER_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TUMBLE_TRAVERSE_NEAR_FILTER_INL_H_
#undef TUMBLE_TRAVERSE_NEAR_FILTER_INL_H_
#else
#define TUMBLE_TRAVERSE_NEAR_FILTER_INL_H_
#endif

#include "traverse/leaf_filter-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tumble {
namespace HWY_NAMESPACE {

/// Any direction gives a lower bound: how far apart the triangles are along it. Three kinds are tried, each on what the
/// ones before left over: coordinate axes, which are cheap; either triangle's normal, right where a corner is nearest
/// to a face; and the line between the nearest points of two edges, right everywhere else. How well that line was
/// computed decides how tight the bound is, never whether it holds.
class NearFilter {
 public:
  explicit NearFilter(const RelativePose& pose) : map_(pose) {}

  /// Bit 4·i + j: triangle i of the target's group and j of the source's are not certainly farther apart than `limit`.
  /// gaps[4·i + j]: how far they are at least, up to 2^-19 of it, in target units; of all pairs that exist.
  HWY_INLINE std::uint32_t operator()(Group target, Group source, float limit, float* gaps) const {
    Float16 a[3][3], b[3][3];  // corner, axis
    place(target, source, a, b);
    const Float16 zero = Float16::broadcast(0), allowed = Float16::broadcast(limit),
                  slack = Float16::broadcast(map_.slack());

    Float16 sum_sq;
    for (int axis = 0; axis < 3; ++axis) {
      const Float16 a_low = min(a[0][axis], min(a[1][axis], a[2][axis])),
                    a_high = max(a[0][axis], max(a[1][axis], a[2][axis]));
      const Float16 b_low = min(b[0][axis], min(b[1][axis], b[2][axis])),
                    b_high = max(b[0][axis], max(b[1][axis], b[2][axis]));
      const Float16 gap = max(max(a_low - b_high, b_low - a_high), zero);
      sum_sq = axis == 0 ? gap * gap : mul_add(gap, gap, sum_sq);
    }
    const std::uint32_t used = LeafFilter::used_bits(target.width, source.width);
    Float16 gap = sqrt(sum_sq) - slack;
    std::uint32_t near = used & ~greater(gap, allowed);
    if (near != 0) {
      const Edges ea(a), eb(b);
      gap = max(gap, max(beyond_plane(a, ea, b), beyond_plane(b, eb, a)) - slack);
      near = used & ~greater(gap, allowed);
      if (near != 0) {
        gap = max(gap, along_nearest_edges(a, ea, b, eb) - slack);
        near = used & ~greater(gap, allowed);
      }
    }
    gap.store(gaps);
    return near;
  }

  static constexpr std::uint32_t used_bits(Group target, Group source) {
    return LeafFilter::used_bits(target.width, source.width);
  }

 private:
  /// The target's triangles by rows of four pairs, the source's by columns.
  HWY_INLINE void place(Group target, Group source, Float16 (&a)[3][3], Float16 (&b)[3][3]) const {
    const FourCorners rows = LeafFilter::corners_of(target), columns = map_.moved(LeafFilter::corners_of(source));
    HWY_ALIGN float four[4];
    const auto each = [&](const Float4& v) { return v.store(four), Float16::each_four_times(four); };
    const auto repeated = [&](const Float4& v) { return v.store(four), Float16::four_repeated(four); };
    for (int i = 0; i < 3; ++i) {
      a[i][0] = each(rows.at[i].x), a[i][1] = each(rows.at[i].y), a[i][2] = each(rows.at[i].z);
      b[i][0] = repeated(columns.at[i].x), b[i][1] = repeated(columns.at[i].y), b[i][2] = repeated(columns.at[i].z);
    }
  }

  static HWY_INLINE Float16 dot(const Float16 (&a)[3], const Float16 (&b)[3]) {
    return mul_add(a[0], b[0], mul_add(a[1], b[1], a[2] * b[2]));
  }
  static HWY_INLINE Float16 size_of(const Float16 (&v)[3]) { return abs(v[0]) + (abs(v[1]) + abs(v[2])); }
  static HWY_INLINE Float16 clamp01(Float16 x) { return min(max(x, Float16::broadcast(0)), Float16::broadcast(1)); }

  struct Edges {
    Float16 e[3][3];  // from corner i to the next
    Float16 sq[3], inverse_sq[3];

    explicit HWY_INLINE Edges(const Float16 (&t)[3][3]) {
      for (int i = 0; i < 3; ++i) {
        for (int axis = 0; axis < 3; ++axis) e[i][axis] = t[(i + 1) % 3][axis] - t[i][axis];
        sq[i] = dot(e[i], e[i]);
        inverse_sq[i] = Float16::broadcast(1) / max(sq[i], Float16::broadcast(1e-36f));
      }
    }
  };

  /// How far all corners of `other` lie beyond the plane of `t`, on one side.
  static HWY_INLINE Float16 beyond_plane(const Float16 (&t)[3][3], const Edges& edges, const Float16 (&other)[3][3]) {
    const Float16(&u)[3] = edges.e[0];
    const Float16(&v)[3] = edges.e[2];
    const Float16 n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
    Float16 lowest, highest, reach;
    for (int corner = 0; corner < 3; ++corner) {
      const Float16 w[3] = {other[corner][0] - t[0][0], other[corner][1] - t[0][1], other[corner][2] - t[0][2]};
      const Float16 height = dot(n, w), size = size_of(w);
      lowest = corner == 0 ? height : min(lowest, height);
      highest = corner == 0 ? height : max(highest, height);
      reach = corner == 0 ? size : max(reach, size);
    }
    // As in LeafFilter. The normal's length errs to the large side, underflow included.
    const Float16 products = size_of(u) * size_of(v);
    const Float16 rounding = mul_add(Float16::broadcast(0x1p-19f) * products, reach, Float16::broadcast(1e-36f));
    const Float16 length =
        sqrt(dot(n, n)) + mul_add(products, Float16::broadcast(0x1p-21f), Float16::broadcast(1e-18f));
    return (max(lowest, Float16::broadcast(0) - highest) - rounding) / length;
  }

  /// Of the points of an edge each that are nearest to each other (Ericson 2005, section 5.1.9), the nearest of nine
  /// pairs: how far apart the triangles are along the line between them.
  static HWY_INLINE Float16 along_nearest_edges(const Float16 (&a)[3][3], const Edges& ea, const Float16 (&b)[3][3],
                                                const Edges& eb) {
    const Float16 zero = Float16::broadcast(0);
    Float16 least = Float16::broadcast(3e38f), w[3] = {zero, zero, zero};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        const Float16 r[3] = {b[j][0] - a[i][0], b[j][1] - a[i][1], b[j][2] - a[i][2]};
        const Float16 c = dot(ea.e[i], r), f = dot(eb.e[j], r), cosine = dot(ea.e[i], eb.e[j]);
        const Float16 area_sq = max(ea.sq[i] * eb.sq[j] - cosine * cosine, Float16::broadcast(1e-36f));
        const Float16 first = clamp01((c * eb.sq[j] - cosine * f) / area_sq);
        const Float16 t = clamp01((cosine * first - f) * eb.inverse_sq[j]);
        const Float16 s = clamp01(mul_add(cosine, t, c) * ea.inverse_sq[i]);
        Float16 line[3];
        for (int axis = 0; axis < 3; ++axis) line[axis] = mul_add(t, eb.e[j][axis], r[axis] - s * ea.e[i][axis]);
        const Float16 sq = dot(line, line), nearer = sq - least;
        least = min(least, sq);
        for (int axis = 0; axis < 3; ++axis) w[axis] = if_negative(nearer, line[axis], w[axis]);
      }
    Float16 a_highest = zero, b_lowest, reach = zero;
    for (int corner = 0; corner < 3; ++corner) {
      const Float16 to_b[3] = {b[corner][0] - a[0][0], b[corner][1] - a[0][1], b[corner][2] - a[0][2]};
      const Float16 along = dot(w, to_b);
      b_lowest = corner == 0 ? along : min(b_lowest, along);
      reach = max(reach, size_of(to_b));
      if (corner == 0) continue;
      const Float16 to_a[3] = {a[corner][0] - a[0][0], a[corner][1] - a[0][1], a[corner][2] - a[0][2]};
      a_highest = max(a_highest, dot(w, to_a));
      reach = max(reach, size_of(to_a));
    }
    // Differences, products and sums: a dot product is off by at most 4·2^-24·|w||x|, two of them by 2^-21.
    const Float16 length = sqrt(dot(w, w)) + Float16::broadcast(1e-18f);
    return (b_lowest - a_highest) / length - Float16::broadcast(0x1p-21f) * reach;
  }

  LeafFilter map_;
};

}  // namespace HWY_NAMESPACE
}  // namespace tumble
HWY_AFTER_NAMESPACE();

#endif
