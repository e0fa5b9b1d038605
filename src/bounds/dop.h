// SPDX-License-Identifier: Apache-2.0
// Dop<K>: a k-DOP, the intersection of K/2 slabs with fixed normals (Klosowski 1998, section 3), in single precision
// rounded outward. Its volume and area are in bounds/dop_measure.h, its corners in bounds/dop_brep.h.
#pragma once

#include "bounds/directions.h"
#include "math/rounding.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>

namespace tumble {

/// The set of points p with lower[i] <= n_i·p <= upper[i] for every slab direction n_i. Slabs are closed: volumes
/// that touch overlap.
template <int K>
requires(is_listed(K)) struct Dop {
  static constexpr std::size_t slab_count = K / 2;

  std::array<float, slab_count> lower, upper;

  /// The neutral element of merge: holds nothing, overlaps nothing, is infinitely far from everything.
  static constexpr Dop empty() {
    Dop dop;
    dop.lower.fill(std::numeric_limits<float>::infinity());
    dop.upper.fill(-std::numeric_limits<float>::infinity());
    return dop;
  }
  /// Whether it is empty(). Slabs that are not empty one by one may still have nothing in common.
  constexpr bool is_empty() const { return lower[0] > upper[0]; }

  friend constexpr bool operator==(const Dop&, const Dop&) = default;
};

namespace detail {

/// n·p with the terms of zero coefficients left out.
template <int K, std::size_t I>
[[gnu::always_inline]] inline double project(Vec3 p) {
  constexpr Vec3 n = slab_directions<K>[I];
  if constexpr (n.x == 0 && n.y == 0) {
    return n.z * p.z;
  } else {
    double sum = n.x == 0 ? n.y * p.y : n.x * p.x;
    if constexpr (n.x != 0 && n.y != 0) sum += n.y * p.y;
    if constexpr (n.z != 0) sum += n.z * p.z;
    return sum;
  }
}

/// Bounds |computed n·p − exact n·p|. The coordinates of p, at most `size` in magnitude, may themselves be roundings of
/// the exact ones. Let u be the unit roundoff and S = |n|·size. Rounded coordinates move n·p by at most u·S/(1 − u); up
/// to three products and two sums add at most ((1+u)³ − 1)·S(1+u); together less than 4.01u·S. 6u·S leaves room for the
/// roundings of the sums it is used in. Underflow, of coordinates or their products with the golden ratio, costs at
/// most a few of the smallest numbers, less than the smallest normal one. Coordinates that are all 0 are exact, and so
/// is their sum: flat sets have flat slabs.
template <int K, std::size_t I>
[[gnu::always_inline]] inline double projection_error(Vec3 size) {
  constexpr Vec3 n = slab_directions<K>[I];
  constexpr auto magnitude = [](double value) { return value < 0 ? -value : value; };
  double sum = 0;
  if constexpr (n.x != 0) sum += magnitude(n.x) * size.x;
  if constexpr (n.y != 0) sum += magnitude(n.y) * size.y;
  if constexpr (n.z != 0) sum += magnitude(n.z) * size.z;
  return sum > 0 ? 6 * unit_roundoff * sum + std::numeric_limits<double>::min() : 0;
}

template <int K, class Use>
[[gnu::always_inline]] inline void for_each_slab(Use&& use) {
  [&]<std::size_t... I>(std::index_sequence<I...>) { (use(std::integral_constant<std::size_t, I>{}), ...); }
  (std::make_index_sequence<K / 2>{});
}

[[gnu::always_inline]] inline double smaller(double a, double b) { return b < a ? b : a; }
[[gnu::always_inline]] inline double larger(double a, double b) { return b > a ? b : a; }
[[gnu::always_inline]] inline float smaller(float a, float b) { return b < a ? b : a; }
[[gnu::always_inline]] inline float larger(float a, float b) { return b > a ? b : a; }

}  // namespace detail

/// Gathers points, then gives the smallest Dop that certainly contains them.
template <int K>
class DopFit {
 public:
  DopFit() {
    lower_.fill(std::numeric_limits<double>::infinity());
    upper_.fill(-std::numeric_limits<double>::infinity());
  }

  /// `p` in tree coordinates: exact, or each coordinate rounded once from an exact one, and 0 only where that is 0.
  [[gnu::always_inline]] void add(Vec3 p) {
    size_ = {detail::larger(size_.x, std::abs(p.x)), detail::larger(size_.y, std::abs(p.y)),
             detail::larger(size_.z, std::abs(p.z))};
    detail::for_each_slab<K>([&](auto slab) {
      const double along = detail::project<K, slab()>(p);
      lower_[slab()] = detail::smaller(lower_[slab()], along);
      upper_[slab()] = detail::larger(upper_[slab()], along);
    });
  }

  /// The Dop, as a set of real points, holds every exact point p added and every real point whose coordinates round to
  /// p's: the exact extremes are within 4.01u·S of the computed ones, 6u·S is added, the sum rounds by less
  /// than 1.5u·S, and rounding to float goes outward.
  Dop<K> finish() const {
    if (!(lower_[0] <= upper_[0])) return Dop<K>::empty();
    Dop<K> dop;
    detail::for_each_slab<K>([&](auto slab) {
      const double error = detail::projection_error<K, slab()>(size_);
      dop.lower[slab()] = float_below(lower_[slab()] - error);
      dop.upper[slab()] = float_above(upper_[slab()] + error);
    });
    return dop;
  }

 private:
  std::array<double, K / 2> lower_, upper_;
  Vec3 size_{};
};

template <int K>
Dop<K> fit(std::span<const Vec3> points) {
  DopFit<K> gathered;
  for (const Vec3& p : points) gathered.add(p);
  return gathered.finish();
}

template <int K>
Dop<K> merge(const Dop<K>& a, const Dop<K>& b) {
  Dop<K> both;
  for (std::size_t i = 0; i < K / 2; ++i) both.lower[i] = detail::smaller(a.lower[i], b.lower[i]);
  for (std::size_t i = 0; i < K / 2; ++i) both.upper[i] = detail::larger(a.upper[i], b.upper[i]);
  return both;
}

/// Whether `p` certainly lies inside: never true for an exact point outside, always true for a point it was fitted to.
template <int K>
bool contains(const Dop<K>& dop, Vec3 p) {
  const Vec3 size{std::abs(p.x), std::abs(p.y), std::abs(p.z)};
  bool inside = true;
  detail::for_each_slab<K>([&](auto slab) {
    const double along = detail::project<K, slab()>(p);
    // The exact value is within 4.01u·S, and these sums round by less than 1.5u·S. fit() computed the same sums with
    // extremes and errors at least as large; rounding is monotone, so its points pass.
    const double error = detail::projection_error<K, slab()>(size);
    inside &= along - error >= dop.lower[slab()] && along + error <= dop.upper[slab()];
  });
  return inside;
}

// The functions below need no directions, or take k at run time. They work on rows of K/2 lowers and uppers.

/// Whether each slab of `inner` lies within that of `outer`; then the set does, too. The empty DOP lies in all.
inline bool contains(std::span<const float> outer_lower, std::span<const float> outer_upper,
                     std::span<const float> inner_lower, std::span<const float> inner_upper) {
  bool inside = true;
  for (std::size_t i = 0; i < outer_lower.size(); ++i)
    inside &= outer_lower[i] <= inner_lower[i] && inner_upper[i] <= outer_upper[i];
  return inside;
}

/// The interval test (Klosowski 1998, section 4.2): false only if a slab separates the two, so contact is never lost;
/// true may be wrong. Stops at the first slab that separates.
inline bool overlap(std::span<const float> a_lower, std::span<const float> a_upper, std::span<const float> b_lower,
                    std::span<const float> b_upper) {
  for (std::size_t i = 0; i < a_lower.size(); ++i)
    if (a_lower[i] > b_upper[i] || b_lower[i] > a_upper[i]) return false;
  return true;
}

/// A lower bound of the Euclidean distance of the two sets: the largest gap between slabs or, if the axes are slabs and
/// it is larger, the distance of the two boxes.
double gap(std::span<const float> a_lower, std::span<const float> a_upper, std::span<const float> b_lower,
           std::span<const float> b_upper, int k);

/// fit<K>() into rows; `k` must be listed and the rows have k/2 places.
void fit(std::span<const Vec3> points, std::span<float> lower, std::span<float> upper, int k);

/// Grows the first to hold the second, too.
inline void merge_into(std::span<float> lower, std::span<float> upper, std::span<const float> other_lower,
                       std::span<const float> other_upper) {
  for (std::size_t i = 0; i < lower.size(); ++i) lower[i] = detail::smaller(lower[i], other_lower[i]);
  for (std::size_t i = 0; i < upper.size(); ++i) upper[i] = detail::larger(upper[i], other_upper[i]);
}

/// The least-squares centre of the slabs; no point of the DOP is farther from it than `reach`.
struct SlabCentre {
  Vec3 point;
  double reach = 0;
};
SlabCentre slab_centre(std::span<const float> lower, std::span<const float> upper, int k);

template <int K>
bool contains(const Dop<K>& outer, const Dop<K>& inner) {
  return contains(outer.lower, outer.upper, inner.lower, inner.upper);
}
template <int K>
bool overlap(const Dop<K>& a, const Dop<K>& b) {
  return overlap(a.lower, a.upper, b.lower, b.upper);
}
template <int K>
double gap(const Dop<K>& a, const Dop<K>& b) {
  return gap(a.lower, a.upper, b.lower, b.upper, K);
}

}  // namespace tumble
