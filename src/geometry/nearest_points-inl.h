// SPDX-License-Identifier: Apache-2.0
// Where triangles are nearest, for one pair (N = double) or for many side by side (N = Lanes of doubles). This is the
// arithmetic of the one distance (geometry/distance.h): every lane does the same operations in the same order, and gets
// the same bits. Two triangles apart are nearest at a corner of one and a point of the other, or on an edge of each.
// All candidates are points of the triangles, so rounding can only make the answer too large. Corner–edge candidates
// are stable; the others are refined until they are.

#if defined(TUMBLE_GEOMETRY_NEAREST_POINTS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TUMBLE_GEOMETRY_NEAREST_POINTS_INL_H_
#undef TUMBLE_GEOMETRY_NEAREST_POINTS_INL_H_
#else
#define TUMBLE_GEOMETRY_NEAREST_POINTS_INL_H_
#endif

#include "math/two_terms.h"
#include "simd/vec3s-inl.h"

#include <limits>

HWY_BEFORE_NAMESPACE();
namespace tumble {
namespace HWY_NAMESPACE {

template <class N>
HWY_INLINE N clamp(const N& x, const N& low, const N& high) {
  return select(less(x, low), low, select(less(high, x), high, x));
}
template <class N>
HWY_INLINE N clamp01(const N& x) {
  return clamp(x, same<N>(0), same<N>(1));
}

/// x in [0, 1] for which |w + x·u| is least; u may be zero.
template <class N>
HWY_INLINE N nearest_on(const Vec3s<N>& w, const Vec3s<N>& u, const N& uu) {
  return select(less(same<N>(0), uu), clamp01((same<N>(0) - dot(w, u)) / uu), same<N>(0));
}

/// The cross product to an ulp of each component (Kahan's difference of products), for nearly parallel vectors.
template <class N>
HWY_NOINLINE Vec3s<N> careful_cross(const Vec3s<N>& a, const Vec3s<N>& b) {
  struct Split {
    N high, low;
    explicit HWY_INLINE Split(const N& x) {  // as in two_product
      const N c = same<N>(veltkamp_splitter) * x;
      high = c - (c - x);
      low = x - high;
    }
  };
  const auto minor = [](const N& p, const N& q, const N& r, const N& s) {
    const N left = p * q, right = r * s;
    const auto error = [](const N& product, const Split& f, const Split& g) {
      return ((f.high * g.high - product) + f.high * g.low + f.low * g.high) + f.low * g.low;
    };
    return (left - right) + (error(left, Split(p), Split(q)) - error(right, Split(r), Split(s)));
  };
  return {minor(a.y, b.z, a.z, b.y), minor(a.z, b.x, a.x, b.z), minor(a.x, b.y, a.y, b.x)};
}

/// Two directions from a common origin and the solution of min |w + s·u + t·v| over the plane.
template <class N>
class Span {
 public:
  using Mask = decltype(less(N{}, N{}));

  HWY_INLINE Span(const Vec3s<N>& u_, const Vec3s<N>& v_)
      : u(u_), v(v_), uu(length_sq(u_)), vv(length_sq(v_)), normal_(cross(u_, v_)) {
    nn_ = length_sq(normal_);
    // Below a sine of 1/8 the solution loses digits. The careful product and more steps on the residual restore them.
    ill_conditioned = less(nn_, same<N>(0x1p-6) * uu * vv);
    if (any(ill_conditioned)) {
      normal_ = select(ill_conditioned, careful_cross(u, v), normal_);
      nn_ = length_sq(normal_);
    }
    has_area = less(same<N>(0), nn_);
  }

  Vec3s<N> u, v;
  N uu, vv;
  Mask has_area, ill_conditioned;

  // The residual w + s·u + t·v is parallel to the normal; crossing with one direction leaves the other's weight.
  HWY_INLINE N s(const Vec3s<N>& w) const { return (same<N>(0) - dot(crossed(w, v), normal_)) / nn_; }
  HWY_INLINE N t(const Vec3s<N>& w) const { return (same<N>(0) - dot(crossed(u, w), normal_)) / nn_; }

 private:
  HWY_INLINE Vec3s<N> crossed(const Vec3s<N>& a, const Vec3s<N>& b) const {
    const Vec3s<N> plain = cross(a, b);
    return any(ill_conditioned) ? select(ill_conditioned, careful_cross(a, b), plain) : plain;
  }

  Vec3s<N> normal_;
  N nn_;
};

/// A triangle with its edges.
template <class N>
struct Edged {
  Vec3s<N> corners[3], edges[3];  // from corner i to the next
  N edges_sq[3];

  explicit HWY_INLINE Edged(const Vec3s<N> (&t)[3]) {
    for (int i = 0; i < 3; ++i) {
      corners[i] = t[i];
      edges[i] = t[(i + 1) % 3] - t[i];
      edges_sq[i] = length_sq(edges[i]);
    }
  }
};

/// The nearest candidate so far.
template <class N>
class NearestSearch {
 public:
  N distance_sq;
  Vec3s<N> on_a, on_b;

  HWY_INLINE NearestSearch()
      : distance_sq(same<N>(std::numeric_limits<double>::infinity())),
        on_a{same<N>(0), same<N>(0), same<N>(0)},
        on_b(on_a) {}

  HWY_INLINE void triangles(const Edged<N>& a, const Edged<N>& b) {
    corners_to<false>(a.corners, 3, b);
    corners_to<true>(b.corners, 3, a);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) edge_edge(a.corners[i], a.edges[i], b.corners[j], b.edges[j]);
  }

  /// Tries points of a against b; swapped: of b against a.
  template <bool Swapped>
  HWY_INLINE void corners_to(const Vec3s<N>* points, int count, const Edged<N>& to) {
    // The origin is the corner opposite the longest edge: the angle there is the best conditioned.
    const auto shorter_than_1 = less(to.edges_sq[0], to.edges_sq[1]),
               shorter_than_2 = less(to.edges_sq[0], to.edges_sq[2]),
               last_is_longest = less(to.edges_sq[1], to.edges_sq[2]);
    const Vec3s<N>* const c = to.corners;
    const auto by_longest = [&](const Vec3s<N>& first, const Vec3s<N>& second, const Vec3s<N>& third) {
      return select(shorter_than_1 | shorter_than_2, select(last_is_longest, third, second), first);
    };
    const Vec3s<N> origin = by_longest(c[2], c[0], c[1]);
    const Span<N> span(by_longest(c[0], c[1], c[2]) - origin, by_longest(c[1], c[2], c[0]) - origin);
    for (int p = 0; p < count; ++p) {
      for (int i = 0; i < 3; ++i) corner_edge<Swapped>(points[p], to.corners[i], to.edges[i], to.edges_sq[i]);
      corner_face<Swapped>(points[p], origin, span);
    }
  }

 private:
  using Mask = typename Span<N>::Mask;
  // Each step reduces the error by 2^-52 over the sine of the angle. If that is no reduction, the corner–edge
  // candidates are as near as rounding allows.
  static constexpr int refinements = 3;

  template <bool Swapped = false>
  HWY_INLINE void offer(const Vec3s<N>& p, const Vec3s<N>& q, const Mask& counts) {
    const N sq = length_sq(p - q);
    take<Swapped>(counts & less(sq, distance_sq), sq, p, q);
  }
  template <bool Swapped>
  HWY_INLINE void take(const Mask& nearer, const N& sq, const Vec3s<N>& p, const Vec3s<N>& q) {
    distance_sq = select(nearer, sq, distance_sq);
    on_a = select(nearer, Swapped ? q : p, on_a);
    on_b = select(nearer, Swapped ? p : q, on_b);
  }

  template <bool Swapped>
  HWY_INLINE void corner_edge(const Vec3s<N>& p, const Vec3s<N>& q, const Vec3s<N>& v, const N& vv) {
    const Vec3s<N> near = q + v * nearest_on(q - p, v, vv);
    const N sq = length_sq(near - p);
    take<Swapped>(less(sq, distance_sq), sq, p, near);
  }

  /// Edges p + s·u and q + t·v whose lines are nearest inside both; otherwise the nearest pair has a corner. However
  /// ill conditioned, an s or t pushed off the end by rounding costs no more than rounding: the smaller the sine, the
  /// larger that error, but the less moving along both edges changes their distance. Clamping s, then t, then s again
  /// ends at the nearest pair if the first s was right (Ericson 2005, section 5.1.9). The projections also remove the
  /// error of s that matters most, along both edges.
  HWY_NOINLINE void edge_edge(const Vec3s<N>& p, const Vec3s<N>& u, const Vec3s<N>& q, const Vec3s<N>& v) {
    const N zero = same<N>(0), one = same<N>(1);
    const Vec3s<N> origin{zero, zero, zero};
    const Span<N> span(u, origin - v);
    const Vec3s<N> w = p - q;
    N s = span.s(w);
    const N first_t = span.t(w);
    const Mask outside = less(s, zero) | less(one, s) | less(first_t, zero) | less(one, first_t);
    Mask counts = span.has_area & !outside;
    if (!any(counts)) return;
    for (int step = refinements;; --step) {
      const N t = nearest_on(w + u * s, span.v, span.vv);
      s = nearest_on(w - v * t, u, span.uu);
      offer(p + u * s, q + v * t, counts);
      counts = counts & span.ill_conditioned;
      if (step == 0 || !any(counts)) return;
      s = clamp01(s + span.s((w + u * s) - v * t));
    }
  }

  /// A corner p over the inside of the triangle q + s·u + t·v; if it is over the outside, an edge is nearer.
  template <bool Swapped>
  HWY_NOINLINE void corner_face(const Vec3s<N>& p, const Vec3s<N>& q, const Span<N>& span) {
    const N zero = same<N>(0), one = same<N>(1);
    const Vec3s<N> w = q - p;
    N s = span.s(w), t = span.t(w);
    const Mask outside = less(s, zero) | less(t, zero) | less(one, s + t);
    Mask counts = span.has_area & (span.ill_conditioned | !outside);
    if (!any(counts)) return;
    for (int step = refinements;; --step) {
      s = clamp01(s);
      t = clamp(t, zero, one - s);
      const Vec3s<N> near = (q + span.u * s) + span.v * t;
      offer<Swapped>(p, near, counts);
      counts = counts & span.ill_conditioned;
      if (step == 0 || !any(counts)) return;
      // First along the edges, which are nearly parallel: that error matters most.
      t = clamp(t - dot(near - p, span.v) / span.vv, zero, one - s);
      const Vec3s<N> residual = (w + span.u * s) + span.v * t;
      s = s + span.s(residual);
      t = t + span.t(residual);
    }
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace tumble
HWY_AFTER_NAMESPACE();

#endif
