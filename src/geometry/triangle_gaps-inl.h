// SPDX-License-Identifier: Apache-2.0
// Lower and upper bounds of the distance of triangles, for many pairs side by side. Compiled once per instruction set.

#if defined(TUMBLE_GEOMETRY_TRIANGLE_GAPS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TUMBLE_GEOMETRY_TRIANGLE_GAPS_INL_H_
#undef TUMBLE_GEOMETRY_TRIANGLE_GAPS_INL_H_
#else
#define TUMBLE_GEOMETRY_TRIANGLE_GAPS_INL_H_
#endif

#include "simd/lanes-inl.h"

#include <limits>

HWY_BEFORE_NAMESPACE();
namespace tumble {
namespace HWY_NAMESPACE {

/// Any direction gives a lower bound: how far apart the triangles are along it. Two kinds are tried: either triangle's
/// normal, which is right if a corner is nearest to a face; and the line between the nearest points of two edges, right
/// otherwise. The accuracy of that line decides how tight the bound is, never whether it holds. N is a Lanes. Overflow
/// makes a bound infinite or NaN, which excludes nothing.
template <class N, class T = typename N::Number>
class TriangleGaps {
 public:
  /// Indexed by corner and axis. Not Vec3s: products of bounds may be fused, and loops run over axes.
  HWY_INLINE TriangleGaps(const N (&a)[3][3], const N (&b)[3][3]) : a_(a), b_(b), ea_(a), eb_(b) {}

  /// How far all corners of one triangle lie beyond the other's plane, on one side; negative if they do not.
  HWY_INLINE N beyond_planes() const { return max(beyond_plane(a_, ea_, b_), beyond_plane(b_, eb_, a_)); }

  struct Interval {
    N low, high, reach;  // reach: bounds the distance from one corner to all others
  };

  /// The nearest points of two edges (Ericson 2005, section 5.1.9), the best of nine pairs of edges: `high` from their
  /// distance, `low` from the gap of the triangles along the line between them.
  HWY_INLINE Interval nearest_edges() const {
    const auto &a = a_, &b = b_;
    const Edges &ea = ea_, &eb = eb_;
    const N zero = N::broadcast(0);
    N least = N::broadcast(std::numeric_limits<T>::max()), w[3] = {zero, zero, zero};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        const N r[3] = {b[j][0] - a[i][0], b[j][1] - a[i][1], b[j][2] - a[i][2]};
        const N c = dot(ea.e[i], r), f = dot(eb.e[j], r), cosine = dot(ea.e[i], eb.e[j]);
        const N area_sq = max(ea.sq[i] * eb.sq[j] - cosine * cosine, N::broadcast(tiny));
        const N first = clamp01((c * eb.sq[j] - cosine * f) / area_sq);
        const N t = clamp01((cosine * first - f) * eb.inverse_sq[j]);
        const N s = clamp01((cosine * t + c) * ea.inverse_sq[i]);
        N line[3];
        for (int axis = 0; axis < 3; ++axis) line[axis] = t * eb.e[j][axis] + (r[axis] - s * ea.e[i][axis]);
        const N sq = dot(line, line), nearer = sq - least;
        least = min(least, sq);
        for (int axis = 0; axis < 3; ++axis) w[axis] = if_negative(nearer, line[axis], w[axis]);
      }
    N a_highest = zero, b_lowest, reach = zero;
    for (int corner = 0; corner < 3; ++corner) {
      const N to_b[3] = {b[corner][0] - a[0][0], b[corner][1] - a[0][1], b[corner][2] - a[0][2]};
      const N along = dot(w, to_b);
      b_lowest = corner == 0 ? along : min(b_lowest, along);
      reach = max(reach, size_of(to_b));
      if (corner == 0) continue;
      const N to_a[3] = {a[corner][0] - a[0][0], a[corner][1] - a[0][1], a[corner][2] - a[0][2]};
      a_highest = max(a_highest, dot(w, to_a));
      reach = max(reach, size_of(to_a));
    }
    // Differences, products and sums: a dot product is off by at most 4u·|w||x|, two of them by 8u; the line itself by
    // less than 16u of the reach.
    const N length = sqrt(dot(w, w)) + N::broadcast(root_of_tiny);
    const N rounding = N::broadcast(16 * unit) * reach;
    return {(b_lowest - a_highest) / length - rounding, length + rounding, reach};
  }

 private:
  static constexpr T unit = std::numeric_limits<T>::epsilon() / 2;
  // These outweigh underflow, which no relative bound covers.
  static constexpr T tiny = sizeof(T) == 4 ? T(1e-36) : T(1e-290), root_of_tiny = sizeof(T) == 4 ? T(1e-18) : T(1e-145);

  static HWY_INLINE N dot(const N (&a)[3], const N (&b)[3]) { return a[0] * b[0] + (a[1] * b[1] + a[2] * b[2]); }
  static HWY_INLINE N size_of(const N (&v)[3]) { return abs(v[0]) + (abs(v[1]) + abs(v[2])); }
  static HWY_INLINE N clamp01(N x) { return min(max(x, N::broadcast(0)), N::broadcast(1)); }

  struct Edges {
    N e[3][3];  // from corner i to the next
    N sq[3], inverse_sq[3];

    explicit HWY_INLINE Edges(const N (&t)[3][3]) {
      for (int i = 0; i < 3; ++i) {
        for (int axis = 0; axis < 3; ++axis) e[i][axis] = t[(i + 1) % 3][axis] - t[i][axis];
        sq[i] = dot(e[i], e[i]);
        inverse_sq[i] = N::broadcast(1) / max(sq[i], N::broadcast(tiny));
      }
    }
  };

  /// How far all corners of `other` lie beyond the plane of `t`, on one side.
  static HWY_INLINE N beyond_plane(const N (&t)[3][3], const Edges& edges, const N (&other)[3][3]) {
    const N(&u)[3] = edges.e[0];
    const N(&v)[3] = edges.e[2];
    const N n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
    N lowest, highest, reach;
    for (int corner = 0; corner < 3; ++corner) {
      const N w[3] = {other[corner][0] - t[0][0], other[corner][1] - t[0][1], other[corner][2] - t[0][2]};
      const N height = dot(n, w), size = size_of(w);
      lowest = corner == 0 ? height : min(lowest, height);
      highest = corner == 0 ? height : max(highest, height);
      reach = corner == 0 ? size : max(reach, size);
    }
    // The normal is off by at most 6u·|u|₁|v|₁, a height by 16u·|u|₁|v|₁|w|₁. Its length errs to the large side,
    // underflow included.
    const N products = size_of(u) * size_of(v);
    const N rounding = N::broadcast(32 * unit) * products * reach + N::broadcast(tiny);
    const N length = sqrt(dot(n, n)) + (products * N::broadcast(8 * unit) + N::broadcast(root_of_tiny));
    return (max(lowest, N::broadcast(0) - highest) - rounding) / length;
  }

  const N (&a_)[3][3];
  const N (&b_)[3][3];
  Edges ea_, eb_;
};

}  // namespace HWY_NAMESPACE
}  // namespace tumble
HWY_AFTER_NAMESPACE();

#endif
