// SPDX-License-Identifier: Apache-2.0
// Up to four triangles against four in single precision: how far apart they are at least. Compiled once per instruction
// set.

#if defined(TUMBLE_TRAVERSE_NEAR_FILTER_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TUMBLE_TRAVERSE_NEAR_FILTER_INL_H_
#undef TUMBLE_TRAVERSE_NEAR_FILTER_INL_H_
#else
#define TUMBLE_TRAVERSE_NEAR_FILTER_INL_H_
#endif

#include "geometry/triangle_gaps-inl.h"
#include "traverse/leaf_filter-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tumble {
namespace HWY_NAMESPACE {

/// Boxes are cheap and tried first; then what TriangleGaps has, each on what was left over.
class NearFilter {
 public:
  explicit NearFilter(const RelativePose& pose) : map_(pose) {}

  /// Bit 4·i + j: triangle i of the target's group and j of the source's are not certainly farther apart than `limit`.
  /// gaps[4·i + j]: how far they are at least, up to 2^-19 of it, in target units; of all pairs that exist.
  /// reaches[4·i + j]: how far they are at most; of the pairs not ruled out.
  HWY_INLINE std::uint32_t operator()(Group target, Group source, float limit, float* gaps, float* reaches) const {
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
      sum_sq = axis == 0 ? gap * gap : gap * gap + sum_sq;
    }
    const std::uint32_t used = PairBits::all(target.width, source.width);
    Float16 gap = sqrt(sum_sq) - slack;
    std::uint32_t near = used & ~greater(gap, allowed);
    if (near != 0) {
      const TriangleGaps<Float16> triangles(a, b);
      gap = max(gap, triangles.beyond_planes() - slack);
      near = used & ~greater(gap, allowed);
      if (near != 0) {
        const auto nearest = triangles.nearest_edges();
        gap = max(gap, nearest.low - slack);
        (nearest.high + slack).store(reaches);
        near = used & ~greater(gap, allowed);
      }
    }
    gap.store(gaps);
    return near;
  }

  /// For contacts alone.
  const LeafFilter& contacts() const { return map_; }

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

 private:
  LeafFilter map_;
};

}  // namespace HWY_NAMESPACE
}  // namespace tumble
HWY_AFTER_NAMESPACE();

#endif
