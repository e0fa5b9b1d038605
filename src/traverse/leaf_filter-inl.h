// SPDX-License-Identifier: Apache-2.0
// Up to four triangles against four in single precision: which pairs are certainly apart, which certainly cross.
// Compiled once per instruction set.

#if defined(TUMBLE_TRAVERSE_LEAF_FILTER_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TUMBLE_TRAVERSE_LEAF_FILTER_INL_H_
#undef TUMBLE_TRAVERSE_LEAF_FILTER_INL_H_
#else
#define TUMBLE_TRAVERSE_LEAF_FILTER_INL_H_
#endif

#include "geometry/crossing-inl.h"
#include "math/relative_pose.h"
#include "math/sum_norm.h"
#include "simd/lanes-inl.h"
#include "traverse/leaf_pairs.h"

#include <algorithm>
#include <bit>
#include <cmath>

HWY_BEFORE_NAMESPACE();
namespace tumble {
namespace HWY_NAMESPACE {

using Float4 = Lanes<float, 4>;
using Float16 = Lanes<float, 16>;
using Vec3x4 = Vec3s<Float4>;
using Vec3x16 = Vec3s<Float16>;

/// A group of triangles as stored: nine rows of `width` floats. Lanes from `width` on read what follows and mean
/// nothing.
struct Group {
  const float* corners;
  std::uint32_t width;
};

struct FourCorners {
  Vec3x4 at[3];
};

/// What the tests below need of four triangles, as rows to be spread over the sixteen pairs.
struct FourPoints {
  HWY_ALIGN float x[4], y[4], z[4];
  HWY_INLINE void operator=(const Vec3x4& v) { v.x.store(x), v.y.store(y), v.z.store(z); }
};

struct FourBoxes {
  FourPoints low, high;
  HWY_ALIGN float size[4];  // |high − low|₁

  HWY_INLINE explicit FourBoxes(const FourCorners& four) {
    const Vec3x4(&c)[3] = four.at;
    const Vec3x4 lowest{min(min(c[0].x, c[1].x), c[2].x), min(min(c[0].y, c[1].y), c[2].y),
                        min(min(c[0].z, c[1].z), c[2].z)};
    const Vec3x4 highest{max(max(c[0].x, c[1].x), c[2].x), max(max(c[0].y, c[1].y), c[2].y),
                         max(max(c[0].z, c[1].z), c[2].z)};
    low = lowest;
    high = highest;
    const Vec3x4 sides = highest - lowest;
    (sides.x + (sides.y + sides.z)).store(size);
  }
};

struct FourPlanes {
  FourPoints normal;
  HWY_ALIGN float touch[4], touch_reach[4];      // heights to rule a pair out must exceed touch + touch_reach·reach,
  HWY_ALIGN float certain[4], certain_reach[4];  // and for their signs to be certain, these

  HWY_INLINE FourPlanes(const FourCorners& four, float slack_of_corners) {
    const Vec3x4(&c)[3] = four.at;
    const Vec3x4 u = c[1] - c[0], v = c[2] - c[0], n = cross(u, v);
    normal = n;
    const Float4 slack = Float4::broadcast(slack_of_corners), rounding = Float4::broadcast(0x1p-19f);
    const Float4 of_u = size_of(u), of_v = size_of(v), rounded = rounding * of_u * of_v;
    // The last term outweighs underflow, which no relative bound covers.
    mul_add(size_of(n), slack, Float4::broadcast(1e-36f)).store(touch);
    rounded.store(touch_reach);
    const Float4 shift = slack + slack, wide_u = of_u + shift, wide_v = of_v + shift;
    mul_add(shift * wide_u, wide_v, Float4::broadcast(1e-36f)).store(certain);
    mul_add(shift, wide_u + wide_v, rounded).store(certain_reach);
  }

 private:
  static HWY_INLINE Float4 size_of(const Vec3x4& v) { return abs(v.x) + (abs(v.y) + abs(v.z)); }
};

/// Pairs are ruled out by boxes, by either triangle's plane, and by where their planes' common line leaves them. The
/// single-precision corners are within `slack` of where the world has them, seen from the target. Hence
/// - if two triangles touch, the single-precision ones have points at most that far apart: along a normal n the other's
///   corners are then not all farther than |n|·slack;
/// - each edge is off by 2·slack at most, and the product of three, u·(v×w), by
///   2·slack·(|u||v| + |v||w| + |w||u|) with the lengths taken 2·slack longer; roundings add 16·2^-24·|u|₁|v|₁|w|₁.
/// Nothing overflows as long as the map's scale is at most 2^36 and the slack 2^41: corners are then within 2^38, edges
/// within 2^39, normals within 2^80 and bounds within 2^126; what did would be taken for uncertain.
class LeafFilter {
 public:
  explicit LeafFilter(const RelativePose& pose) {
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j)
        linear_[3 * i + j] = static_cast<float>(pose.linear.rows[i][static_cast<int>(j)]);
      translation_[i] = static_cast<float>(pose.translation[static_cast<int>(i)]);
    }
    // Corners are within √3 of their trees' centres. With u = 2^-24, storing one moves it by √3·u at most; a coordinate
    // of the map, l·x + t, is further off by u·(|t| + |l||x|) for the rounding of t and l and by 3u·(|t| + |l||x|) for
    // that of three sums, where |l||x| is at most √3·scale: together, over three coordinates, by u·(4|t| + 15·scale),
    // and the target's own corner by √3·u. A little is added for poses that stretch.
    const double t = sum_norm(pose.translation);
    slack_ = static_cast<float>((pose.margin + 0x1p-24 * (4 * t + 16 * pose.scale + 2)) * 1.001);
  }

  HWY_INLINE PairBits operator()(Group target, Group source) const {
    const FourCorners of_target = corners_of(target), of_source = moved(corners_of(source));
    const FourBoxes a_boxes(of_target), b_boxes(of_source);
    const std::uint32_t by_boxes =
        PairBits::all(target.width, source.width) & ~greater(boxes_apart(a_boxes, b_boxes), Float16::broadcast(slack_));
    if (by_boxes == 0) return {};

    const FourPlanes a(of_target, slack_);
    // From corner to corner, given that the boxes are no farther apart than the slack.
    const Float16 reach = (each(a_boxes.size) + repeated(b_boxes.size)) + Float16::broadcast(3 * slack_);
    const SixteenPairs pairs(of_target, of_source);
    const auto& [a_corners, b_corners] = pairs;
    const Heights b_over_a(each(a.normal), a_corners[0], b_corners);
    const std::uint32_t by_a = by_boxes & ~b_over_a.on_one_side(mul_add(each(a.touch_reach), reach, each(a.touch)));
    if (by_a == 0) return {};
    const FourPlanes b(of_source, slack_);
    const Heights a_over_b(repeated(b.normal), b_corners[0], a_corners);
    const std::uint32_t open = by_a & ~a_over_b.on_one_side(mul_add(repeated(b.touch_reach), reach, repeated(b.touch)));
    if (open == 0) return {};

    const Float16 shift = Float16::broadcast(2 * slack_), wide = reach + shift;
    const std::uint32_t straddling = open & b_over_a.all_beyond(mul_add(each(a.certain_reach), wide, each(a.certain))) &
                                     a_over_b.all_beyond(mul_add(repeated(b.certain_reach), wide, repeated(b.certain)));
    if (straddling == 0) return {.open = open};

    const SegmentEnds<Float16> ends(Alone<Float16>(a_corners, a_over_b.h), Alone<Float16>(b_corners, b_over_a.h));
    const Float16 q_order = projected(cross(ends.along_q, ends.across), ends.end_q),
                  r_order = projected(cross(ends.along_r, ends.across), ends.end_r);
    const Float16 along = each(a_boxes.size) + shift, product = along * wide;
    const Float16 bound = mul_add(shift, (product + product) + wide * wide,
                                  mul_add(Float16::broadcast(0x1p-19f), product * wide, Float16::broadcast(1e-36f)));
    const std::uint32_t certain = straddling & greater(min(abs(q_order), abs(r_order)), bound);
    const Float16 zero = Float16::broadcast(0);
    return {.open = open & ~certain, .crossing = certain & greater(zero, q_order) & greater(r_order, zero)};
  }

  /// A lower bound of the distance between any triangle of the target's group and any of the source's; not above 0
  /// where none is certain.
  float gap(Group target, Group source) const {
    const FourCorners of_target = corners_of(target), of_source = moved(corners_of(source));
    const FourBoxes a_boxes(of_target), b_boxes(of_source);
    const FourPlanes a(of_target, slack_), b(of_source, slack_);
    const Float16 zero = Float16::broadcast(0), apart = boxes_apart(a_boxes, b_boxes);
    const Float16 reach = (each(a_boxes.size) + repeated(b_boxes.size)) +
                          Float16::broadcast(3) * (Float16::broadcast(slack_) + max(apart, zero));
    const SixteenPairs pairs(of_target, of_source);
    const auto& [a_corners, b_corners] = pairs;
    const Heights b_over_a(each(a.normal), a_corners[0], b_corners),
        a_over_b(repeated(b.normal), b_corners[0], a_corners);
    HWY_ALIGN float a_lengths[4], b_lengths[4], gaps[16];
    one_over_lengths(a.normal, a_lengths);
    one_over_lengths(b.normal, b_lengths);
    const Float16 over_a = (b_over_a.beyond() - mul_add(each(a.touch_reach), reach, each(a.touch))) * each(a_lengths),
                  over_b = (a_over_b.beyond() - mul_add(repeated(b.touch_reach), reach, repeated(b.touch))) *
                           repeated(b_lengths);
    max(apart - Float16::broadcast(slack_), max(over_a, over_b)).store(gaps);
    float least = 1e30f;
    for (std::uint32_t used = PairBits::all(target.width, source.width); used != 0; used &= used - 1) {
      const float here = gaps[std::countr_zero(used)];
      least = here < least ? here : least;
    }
    return least;
  }

  /// How far corners are from where the world has them, seen from the target.
  float slack() const { return slack_; }
  static HWY_INLINE FourCorners corners_of(Group group) {
    const auto row = [&](int i) { return Float4::load(group.corners + i * static_cast<int>(group.width)); };
    return {{{row(0), row(1), row(2)}, {row(3), row(4), row(5)}, {row(6), row(7), row(8)}}};
  }
  /// The source's corners in the target's coordinates, the same on every instruction set.
  HWY_INLINE FourCorners moved(const FourCorners& c) const {
    const auto coordinate = [&](int axis, const Vec3x4& p) {
      const auto entry = [&](int column) { return Float4::broadcast(linear_[3 * axis + column]); };
      return entry(0) * p.x + (entry(1) * p.y + (entry(2) * p.z + Float4::broadcast(translation_[axis])));
    };
    const auto move = [&](const Vec3x4& p) { return Vec3x4{coordinate(0, p), coordinate(1, p), coordinate(2, p)}; };
    return {{move(c.at[0]), move(c.at[1]), move(c.at[2])}};
  }

 private:
  static HWY_INLINE Float16 boxes_apart(const FourBoxes& a, const FourBoxes& b) {
    const Vec3x16 a_low = each(a.low), a_high = each(a.high), b_low = repeated(b.low), b_high = repeated(b.high);
    return max(max(max(a_low.x - b_high.x, b_low.x - a_high.x), max(a_low.y - b_high.y, b_low.y - a_high.y)),
               max(a_low.z - b_high.z, b_low.z - a_high.z));
  }
  /// Rounded down; of a normal that is none, something finite.
  static void one_over_lengths(const FourPoints& n, float* into) {
    for (int i = 0; i < 4; ++i)
      into[i] = 0.9999f / std::sqrt(std::max(n.x[i] * n.x[i] + (n.y[i] * n.y[i] + n.z[i] * n.z[i]), 1e-36f));
  }

  /// The target's triangles by rows of four pairs, the source's by columns.
  static HWY_INLINE Float16 each(const float* four) { return Float16::each_four_times(four); }
  static HWY_INLINE Float16 repeated(const float* four) { return Float16::four_repeated(four); }
  static HWY_INLINE Vec3x16 each(const FourPoints& p) { return {each(p.x), each(p.y), each(p.z)}; }
  static HWY_INLINE Vec3x16 repeated(const FourPoints& p) { return {repeated(p.x), repeated(p.y), repeated(p.z)}; }
  /// Corners of either triangle of each pair.
  struct SixteenPairs {
    Vec3x16 of_target[3], of_source[3];

    HWY_INLINE SixteenPairs(const FourCorners& target, const FourCorners& source) {
      FourPoints four;
      for (int i = 0; i < 3; ++i) {
        four = target.at[i];
        of_target[i] = each(four);
        four = source.at[i];
        of_source[i] = repeated(four);
      }
    }
  };
  static HWY_INLINE Float16 projected(const Vec3x16& n, const Vec3x16& v) {
    return mul_add(n.x, v.x, mul_add(n.y, v.y, n.z * v.z));
  }

  /// Of one triangle's corners over the plane of the other, times its normal's length.
  struct Heights {
    Float16 h[3];

    HWY_INLINE Heights(const Vec3x16& normal, const Vec3x16& origin, const Vec3x16 (&corners)[3]) {
      for (int i = 0; i < 3; ++i) h[i] = projected(normal, corners[i] - origin);
    }
    /// How far all three are on one side.
    HWY_INLINE Float16 beyond() const {
      const Float16 lowest = min(min(h[0], h[1]), h[2]), highest = max(max(h[0], h[1]), h[2]);
      return max(lowest, Float16::broadcast(0) - highest);
    }
    HWY_INLINE std::uint32_t on_one_side(const Float16& bound) const { return greater(beyond(), bound); }
    HWY_INLINE std::uint32_t all_beyond(const Float16& bound) const {
      return greater(min(min(abs(h[0]), abs(h[1])), abs(h[2])), bound);
    }
  };

  float linear_[9], translation_[3], slack_;
};

}  // namespace HWY_NAMESPACE
}  // namespace tumble
HWY_AFTER_NAMESPACE();

#endif
