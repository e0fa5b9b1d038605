// SPDX-License-Identifier: Apache-2.0
// Up to four triangles against four in single precision: which pairs may touch. Compiled once per instruction set.

#if defined(TUMBLE_TRAVERSE_LEAF_FILTER_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TUMBLE_TRAVERSE_LEAF_FILTER_INL_H_
#undef TUMBLE_TRAVERSE_LEAF_FILTER_INL_H_
#else
#define TUMBLE_TRAVERSE_LEAF_FILTER_INL_H_
#endif

#include "realign/relative_pose.h"
#include "simd/lanes-inl.h"

#include <cmath>

HWY_BEFORE_NAMESPACE();
namespace tumble {
namespace HWY_NAMESPACE {

using Float4 = Lanes<float, 4>;
using Float16 = Lanes<float, 16>;

/// A group of triangles as stored: nine rows of `width` floats. Lanes from `width` on read what follows and mean
/// nothing.
struct Group {
  const float* corners;
  std::uint32_t width;
};

/// Pairs are ruled out by boxes, then by either triangle's plane. If two triangles touch in the world, the
/// single-precision ones have points at most `slack` apart: along a normal n the other's corners are then not all
/// farther than |n|·slack. Nothing overflows as long as the map's scale is at most 2^36: corners are then within 2^38,
/// edges within 2^39, normals within 2^80 and heights within 2^122.
class LeafFilter {
 public:
  explicit LeafFilter(const RelativePose& pose) {
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j)
        linear_[3 * i + j] = static_cast<float>(pose.linear.rows[i][static_cast<int>(j)]);
      translation_[i] = static_cast<float>(pose.translation[static_cast<int>(i)]);
    }
    // Stored corners are rounded by 2^-25 of at most √3; the map's entries, three products and three sums of numbers up
    // to 2·scale and |t| by 8·2^-24 of their sum; √3 < 2 makes each a distance.
    const double t = std::abs(pose.translation.x) + std::abs(pose.translation.y) + std::abs(pose.translation.z);
    slack_ = static_cast<float>((pose.margin + 2 * 8 * 0x1p-24 * (t + 8 * pose.scale + 1)) * 1.001);
  }

  /// Bit 4·i + j: triangle i of the target's group may touch triangle j of the source's.
  HWY_INLINE std::uint32_t operator()(Group target, Group source) const {
    HWY_ALIGN float moved[9][4];
    for (int corner = 0; corner < 3; ++corner) {
      const float* const at = source.corners + 3 * corner * static_cast<int>(source.width);
      const Float4 x = Float4::load(at), y = Float4::load(at + source.width), z = Float4::load(at + 2 * source.width);
      for (int axis = 0; axis < 3; ++axis)
        mul_add(Float4::broadcast(linear_[3 * axis]), x,
                mul_add(Float4::broadcast(linear_[3 * axis + 1]), y,
                        mul_add(Float4::broadcast(linear_[3 * axis + 2]), z, Float4::broadcast(translation_[axis]))))
            .store(moved[3 * corner + axis]);
    }
    Float16 a[3][3], b[3][3];  // corner, axis: a of the target, each lane four times; b of the source, four by four
    for (int row = 0; row < 9; ++row) {
      a[row / 3][row % 3] = Float16::each_four_times(target.corners + row * static_cast<int>(target.width));
      b[row / 3][row % 3] = Float16::four_repeated(moved[row]);
    }

    const Float16 slack = Float16::broadcast(slack_);
    Float16 apart;
    for (int axis = 0; axis < 3; ++axis) {
      const Float16 a_low = min(a[0][axis], min(a[1][axis], a[2][axis])),
                    a_high = max(a[0][axis], max(a[1][axis], a[2][axis]));
      const Float16 b_low = min(b[0][axis], min(b[1][axis], b[2][axis])),
                    b_high = max(b[0][axis], max(b[1][axis], b[2][axis]));
      const Float16 gap = max(a_low - b_high, b_low - a_high);
      apart = axis == 0 ? gap : max(apart, gap);
    }
    const std::uint32_t used = used_bits(target.width, source.width);
    const std::uint32_t by_boxes = used & ~greater(apart, slack);
    if (by_boxes == 0) return 0;
    return by_boxes & ~beyond_plane(a, b, slack) & ~beyond_plane(b, a, slack);
  }

 private:
  static constexpr std::uint32_t used_bits(std::uint32_t rows, std::uint32_t columns) {
    const std::uint32_t row = (1u << columns) - 1;
    return (row * 0x1111u) & ((1u << (4 * rows)) - 1);
  }

  /// Where all corners of `other` lie beyond the plane of `t`, on one side.
  static HWY_INLINE std::uint32_t beyond_plane(const Float16 (&t)[3][3], const Float16 (&other)[3][3], Float16 slack) {
    Float16 u[3], v[3];
    for (int axis = 0; axis < 3; ++axis) {
      u[axis] = t[1][axis] - t[0][axis];
      v[axis] = t[2][axis] - t[0][axis];
    }
    const Float16 n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
    Float16 lowest, highest, reach;
    for (int corner = 0; corner < 3; ++corner) {
      const Float16 x = other[corner][0] - t[0][0], y = other[corner][1] - t[0][1], z = other[corner][2] - t[0][2];
      const Float16 height = mul_add(n[0], x, mul_add(n[1], y, n[2] * z));
      const Float16 size = size_of(x, y, z);
      lowest = corner == 0 ? height : min(lowest, height);
      highest = corner == 0 ? height : max(highest, height);
      reach = corner == 0 ? size : max(reach, size);
    }
    // Differences, products and sums: n is off by 6·2^-24·|u|₁|v|₁ at most, a height by 16·2^-24·|u|₁|v|₁|w|₁.
    const Float16 rounding =
        Float16::broadcast(0x1p-19f) * size_of(u[0], u[1], u[2]) * size_of(v[0], v[1], v[2]) * reach;
    // The last term outweighs underflow, which no relative bound covers.
    const Float16 allowed = mul_add(size_of(n[0], n[1], n[2]), slack, rounding) + Float16::broadcast(1e-36f);
    return greater(lowest, allowed) | greater(Float16::broadcast(0) - highest, allowed);
  }
  static HWY_INLINE Float16 size_of(Float16 x, Float16 y, Float16 z) { return abs(x) + (abs(y) + abs(z)); }

  float linear_[9], translation_[3], slack_;
};

}  // namespace HWY_NAMESPACE
}  // namespace tumble
HWY_AFTER_NAMESPACE();

#endif
