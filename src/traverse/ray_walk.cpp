// SPDX-License-Identifier: Apache-2.0
// Eight bounds, then four triangles, against a ray in single precision, with room for its roundings.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "traverse/ray_walk.cpp"
#include "simd/foreach_target.h"

#include "traverse/ray_walk.h"

#include "bounds/directions.h"
#include "bounds/rows.h"
#include "simd/vec3s-inl.h"
#include "traverse/clipped_ray.h"
#include "traverse/pending_children.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

HWY_BEFORE_NAMESPACE();
namespace tumble {
namespace HWY_NAMESPACE {

using Float8 = Lanes<float, 8>;
using Float4 = Lanes<float, 4>;

/// A line parallel to a slab is made to cross it by this much. Over the reach of a ray it strays less than a rounding.
constexpr float least_slope = 1e-18f;

// Bounds of both kinds tell which lanes a ray meets between 0 and `limit`, and then, if asked, where it enters them.
// Entries are off by 2^-22 of themselves, that is by less than the width.

/// Whether a box is met is decided without divisions, which the walk would have to wait for: intervals of a line have a
/// point in common if every two of them have (Helly 1923). Here they are the ray's own and those in the three slabs.
/// Roundings of these comparisons take up less than 2^-19 of the width.
struct ObbRay {
  const ClippedRay& ray;

  HWY_INLINE std::uint32_t meets(const float* rows, float limit, float* /*entries*/) const {
    const Along along(ray, rows);
    const Float8 middle = Float8::broadcast(limit / 2);
    std::uint32_t missed = 0;
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3;
      const Float8 &at = along.at[i], &slope = along.slope[i], &half = along.half[i], steep = abs(slope);
      missed |= greater(abs(mul_add(slope, middle, at)), mul_add(steep, middle, half));
      // A denormal product would not be rounded as others are.
      const Float8 room = mul_add(half, abs(along.slope[j]), mul_add(along.half[j], steep, Float8::broadcast(1e-36f)));
      missed |= greater(abs(at * along.slope[j] - along.at[j] * slope), room);
    }
    return ~missed & 0xff;
  }

  HWY_INLINE void enter(const float* rows, float* entries) const {
    const Along along(ray, rows);
    Float8 from = Float8::broadcast(0);
    for (int i = 0; i < 3; ++i) {
      // Box and ray are mirrored where needed, so that every slope is positive. If it is 0, either side will do.
      const Float8 turned = if_negative(along.slope[i], Float8::broadcast(0) - along.at[i], along.at[i]);
      from = max(from, (Float8::broadcast(0) - along.half[i] - turned) /
                           max(abs(along.slope[i]), Float8::broadcast(least_slope)));
    }
    from.store(entries);
  }

 private:
  /// The ray along the axes of eight boxes: where it begins, seen from the centre, and how fast it goes.
  struct Along {
    Float8 at[3], slope[3], half[3];

    HWY_INLINE Along(const ClippedRay& ray, const float* rows) {
      const Vec3s<Float8> w{Float8::broadcast(ray.origin[0]) - Float8::load(rows + ObbRows::center(0)),
                            Float8::broadcast(ray.origin[1]) - Float8::load(rows + ObbRows::center(1)),
                            Float8::broadcast(ray.origin[2]) - Float8::load(rows + ObbRows::center(2))};
      const Vec3s<Float8> d{Float8::broadcast(ray.direction[0]), Float8::broadcast(ray.direction[1]),
                            Float8::broadcast(ray.direction[2])};
      for (int i = 0; i < 3; ++i) {
        const Float8 x = Float8::load(rows + ObbRows::axis(i, 0)), y = Float8::load(rows + ObbRows::axis(i, 1)),
                     z = Float8::load(rows + ObbRows::axis(i, 2));
        at[i] = mul_add(z, w.z, mul_add(y, w.y, x * w.x));
        slope[i] = mul_add(z, d.z, mul_add(y, d.y, x * d.x));
        half[i] = Float8::load(rows + ObbRows::half(i)) + Float8::broadcast(ray.wide);
      }
    }
  };
};

struct DopRay {
  /// Which rows the ray enters and leaves a slab by, and their places along it: row · inverse + offset.
  struct Slab {
    std::size_t in, out;
    float inverse, in_offset, out_offset;
  };

  std::size_t count;
  float wide;
  std::array<Slab, max_k / 2> slabs;

  DopRay(const ClippedRay& ray, int k) : count(static_cast<std::size_t>(k) / 2), wide(ray.wide) {
    const std::span<const Vec3> normals = directions(k);
    const std::span<const double> lengths = direction_lengths(k);
    const Vec3 origin{ray.origin[0], ray.origin[1], ray.origin[2]};
    const Vec3 direction{ray.direction[0], ray.direction[1], ray.direction[2]};
    for (std::size_t i = 0; i < count; ++i) {
      const double slope = dot(normals[i], direction), at = dot(normals[i], origin), widened = ray.wide * lengths[i];
      const bool forward = slope >= 0;
      const double inverse = 1 / std::max(std::abs(slope), double{least_slope});
      slabs[i].in = forward ? DopRows::lower(i) : DopRows::upper(i);
      slabs[i].out = forward ? DopRows::upper(i) : DopRows::lower(i);
      slabs[i].inverse = static_cast<float>(forward ? inverse : -inverse);
      slabs[i].in_offset = static_cast<float>(((forward ? -at : at) - widened) * inverse);
      slabs[i].out_offset = static_cast<float>(((forward ? -at : at) + widened) * inverse);
    }
  }

  HWY_INLINE std::uint32_t meets(const float* rows, float limit, float* entries) const {
    Float8 from = Float8::broadcast(0), to = Float8::broadcast(limit);
    for (std::size_t i = 0; i < count; ++i) {
      const Slab& slab = slabs[i];
      const Float8 inverse = Float8::broadcast(slab.inverse);
      from = max(from, mul_add(Float8::load(rows + slab.in), inverse, Float8::broadcast(slab.in_offset)));
      to = min(to, mul_add(Float8::load(rows + slab.out), inverse, Float8::broadcast(slab.out_offset)));
    }
    from.store(entries);
    return ~greater(from, to + Float8::broadcast(wide)) & 0xff;
  }

  void enter(const float* /*rows*/, float* /*entries*/) const {}  // `meets` has found the entries
};

/// Triangles of a group that the line passes on both sides, or that lie beyond the ends.
class GroupRay {
 public:
  explicit GroupRay(const ClippedRay& ray)
      : wide_(ray.wide), origin_(same(ray.origin)), direction_(same(ray.direction)) {}

  /// The others: bit i for triangle i.
  HWY_INLINE std::uint32_t meets(const float* corners, std::uint32_t width, float limit) const {
    const Float4 wide = Float4::broadcast(wide_), zero = Float4::broadcast(0);
    Points c[3];
    Float4 along[3];
    for (int i = 0; i < 3; ++i) {
      const float* const rows = corners + static_cast<std::size_t>(3 * i) * width;
      c[i] = Points{Float4::load(rows), Float4::load(rows + width), Float4::load(rows + 2 * width)} - origin_;
      along[i] = dot(c[i], direction_);
    }
    const Float4 first = min(along[0], min(along[1], along[2])), last = max(along[0], max(along[1], along[2]));
    std::uint32_t missed = greater(first, Float4::broadcast(limit) + wide) | greater(zero - wide, last);
    // Seen along the line from a place beside the triangle, so that what is multiplied is small.
    Float4 sizes[3];
    for (int i = 0; i < 3; ++i) {
      c[i] = c[i] - direction_ * along[0];
      sizes[i] = abs(c[i].x) + (abs(c[i].y) + abs(c[i].z));
    }
    // d·(a × b) is off by |a| and |b| times the width and their product times 2^-20 for the roundings.
    Float4 left = zero, right = zero;
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3;
      const Float4 side = dot(direction_, cross(c[i], c[j]));
      const Float4 error = mul_add(Float4::broadcast(0x1p-20f) * sizes[i], sizes[j],
                                   mul_add(wide, (sizes[i] + sizes[j]) + wide, Float4::broadcast(1e-36f)));
      left = max(left, side - error);
      right = max(right, zero - side - error);
    }
    missed |= greater(left, zero) & greater(right, zero);
    return ~missed & ((1u << width) - 1);
  }

 private:
  using Points = Vec3s<Float4>;
  static HWY_INLINE Points same(const float (&v)[3]) {
    return {Float4::broadcast(v[0]), Float4::broadcast(v[1]), Float4::broadcast(v[2])};
  }

  float wide_;
  Points origin_, direction_;
};

template <class Bounds>
HWY_INLINE void follow(const Tree& tree, const ClippedRay& ray, const Bounds& bounds, RaySink& sink) {
  const Nodes nodes(tree);
  const GroupRay group_ray(ray);
  const auto limit_of_sink = [&]() HWY_ATTR {
    return static_cast<float>(std::min(double{ray.reach}, sink.limit - ray.start)) + ray.wide;
  };
  float limit = limit_of_sink();
  PendingChildren<float> pending;
  // From what the root leads to: its one lane, the whole object, would seldom be ruled out.
  Pending<float> next{0, nodes[0].children[0]};
  HWY_ALIGN float entries[Tree::lanes];
  for (;; next = pending.pop()) {
    while (!next.child.is_leaf() && next.distance <= limit) {
      const NodeView node = nodes[next.child.index()];
      const std::uint32_t met = bounds.meets(node.rows, limit, entries);
      if (met == 0) break;
      if (std::has_single_bit(met)) {
        next.child = node.children[std::countr_zero(met)];
        continue;
      }
      bounds.enter(node.rows, entries);
      next = pending.push_others(met, entries, node.children);
    }
    if (next.child.is_leaf() && next.distance <= limit) {
      const LeafView leaf = tree.leaf(next.child.index());
      for (std::uint32_t slot = leaf.first; slot < leaf.last; slot += Tree::group_size) {
        const float* const corners = tree.corners.data() + Tree::corner_floats * slot;
        const std::uint32_t width = std::min(Tree::group_size, leaf.last - slot);
        for (std::uint32_t met = group_ray.meets(corners, width, limit); met != 0; met &= met - 1) {
          if (sink.meet(tree.triangle_ids[slot + static_cast<std::uint32_t>(std::countr_zero(met))])) return;
          limit = limit_of_sink();
        }
      }
    }
    if (pending.empty()) return;
  }
}

void follow_dops(const Tree& tree, const ClippedRay& ray, RaySink& sink) {
  follow(tree, ray, DopRay(ray, tree.k), sink);
}
void follow_obbs(const Tree& tree, const ClippedRay& ray, RaySink& sink) { follow(tree, ray, ObbRay{ray}, sink); }

}  // namespace HWY_NAMESPACE
}  // namespace tumble
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tumble {

HWY_EXPORT(follow_dops);
HWY_EXPORT(follow_obbs);

void follow(const Tree& tree, const ClippedRay& ray, RaySink& sink) {
  if (tree.bound == Bound::dop)
    HWY_DYNAMIC_DISPATCH(follow_dops)(tree, ray, sink);
  else
    HWY_DYNAMIC_DISPATCH(follow_obbs)(tree, ray, sink);
}

}  // namespace tumble
#endif
