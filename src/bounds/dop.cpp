// SPDX-License-Identifier: Apache-2.0
// k-DOPs by run-time k.
#include "bounds/dop.h"

namespace tumble {

// Slab offsets are floats: their differences are multiples of 2^-149, so squares do not underflow. Each step below has
// a relative error of at most u: the difference, the squares and sums under the root (halved by it), the root, the
// normal's length (1 ulp) and the division. Together less than 6u, far less than the 16u subtracted.
double gap(std::span<const float> a_lower, std::span<const float> a_upper, std::span<const float> b_lower,
           std::span<const float> b_upper, int k) {
  constexpr double rounded_down = 1 - 16 * unit_roundoff;
  const std::span<const double> lengths = direction_lengths(k);
  const auto along = [&](std::size_t i) {
    const double above = static_cast<double>(a_lower[i]) - b_upper[i];
    const double below = static_cast<double>(b_lower[i]) - a_upper[i];
    return detail::larger(0, detail::larger(above, below));
  };
  double largest = 0;
  if (has_axes(k)) largest = std::sqrt(along(0) * along(0) + along(1) * along(1) + along(2) * along(2));
  for (std::size_t i = has_axes(k) ? 3 : 0; i < a_lower.size(); ++i)
    largest = detail::larger(largest, along(i) / lengths[i]);
  return largest * rounded_down;
}

// The sets of normals are symmetric, so Σ n nᵀ = λ I. Hence the centre c with the least Σ (n·c − middle)² is
// Σ n·middle / λ, and |x − c|² = Σ (n·(x − c))² / λ.
SlabCentre slab_centre(std::span<const float> lower, std::span<const float> upper, int k) {
  const std::span<const Vec3> normals = directions(k);
  SlabCentre centre;
  double trace = 0;
  for (std::size_t i = 0; i < normals.size(); ++i) {
    centre.point += normals[i] * (0.5 * (static_cast<double>(lower[i]) + upper[i]));
    trace += length_sq(normals[i]);
  }
  centre.point *= 3 / trace;
  double sum = 0;
  for (std::size_t i = 0; i < normals.size(); ++i) {
    const double at_centre = dot(normals[i], centre.point);
    const double farthest = detail::larger(std::abs(upper[i] - at_centre), std::abs(at_centre - lower[i]));
    sum += farthest * farthest;
  }
  centre.reach = std::sqrt(3 * sum / trace) * (1 + 0x1p-40);
  return centre;
}

void fit(std::span<const Vec3> points, std::span<float> lower, std::span<float> upper, int k) {
  with_k(k, [&](auto listed) {
    const Dop<listed()> dop = fit<listed()>(points);
    std::copy(dop.lower.begin(), dop.lower.end(), lower.begin());
    std::copy(dop.upper.begin(), dop.upper.end(), upper.begin());
  });
}

}  // namespace tumble
