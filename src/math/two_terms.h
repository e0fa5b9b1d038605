// SPDX-License-Identifier: Apache-2.0
// Sums and products of two doubles with their rounding errors, the basis of expansions and double-doubles.
#pragma once

namespace tumble {

/// sum + error is exactly a + b (or a − b, a · b), and sum is that rounded. Exact as long as nothing overflows or
/// underflows; the caller ensures that.
struct TwoTerms {
  double sum, error;
};

/// Knuth's two-sum (Shewchuk 1997, Theorem 7).
constexpr TwoTerms two_sum(double a, double b) {
  const double sum = a + b, b_virtual = sum - a;
  return {sum, (a - (sum - b_virtual)) + (b - b_virtual)};
}

constexpr TwoTerms two_diff(double a, double b) { return two_sum(a, -b); }

/// Needs |a| >= |b| (Dekker 1971).
constexpr TwoTerms quick_two_sum(double a, double b) {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}

/// With c = veltkamp_splitter·x, high = c − (c − x), low = x − high are halves of 26 bits, whose products are
/// exact. geometry/nearest_points-inl.h splits whole vectors by it.
inline constexpr double veltkamp_splitter = 0x1p27 + 1;

/// Dekker's product (Dekker 1971). Hardware FMA is not assumed, and std::fma is a slow library call on a baseline
/// x86-64.
constexpr TwoTerms two_product(double a, double b) {
  const double a_wide = veltkamp_splitter * a, a_high = a_wide - (a_wide - a), a_low = a - a_high;
  const double b_wide = veltkamp_splitter * b, b_high = b_wide - (b_wide - b), b_low = b - b_high;
  const double product = a * b;
  return {product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low};
}

}  // namespace tumble
