// SPDX-License-Identifier: Apache-2.0
// DoubleDouble: an unevaluated sum of two doubles, about 106 bits, for the rare sums that cancel too much for one.
#pragma once

#include <cmath>

namespace tumble {

/// Sums and products of doubles are exact; other results are good to about 2^-102 (Dekker 1971). Within
/// magnitudes of 1e-140 and 1e140 nothing overflows or underflows on the way; who goes beyond shows why it is safe.
struct DoubleDouble {
  double high = 0, low = 0;

  constexpr DoubleDouble() = default;
  constexpr DoubleDouble(double value) : high(value) {}  // NOLINT: meant to be implicit
  constexpr DoubleDouble(double h, double l) : high(h), low(l) {}
  explicit constexpr operator double() const { return high + low; }

  friend constexpr DoubleDouble operator+(DoubleDouble a, DoubleDouble b) {
    const DoubleDouble s = two_sum(a.high, b.high), t = two_sum(a.low, b.low);
    const DoubleDouble v = quick_two_sum(s.high, s.low + t.high);
    return quick_two_sum(v.high, v.low + t.low);
  }
  friend constexpr DoubleDouble operator-(DoubleDouble a) { return {-a.high, -a.low}; }
  friend constexpr DoubleDouble operator-(DoubleDouble a, DoubleDouble b) { return a + -b; }
  friend constexpr DoubleDouble operator*(DoubleDouble a, DoubleDouble b) {
    const DoubleDouble p = two_product(a.high, b.high);
    return quick_two_sum(p.high, p.low + (a.high * b.low + a.low * b.high));
  }
  friend constexpr DoubleDouble operator/(DoubleDouble a, DoubleDouble b) {
    const double first = a.high / b.high;
    const DoubleDouble rest = a - b * first;
    const double second = rest.high / b.high;
    return quick_two_sum(first, second) + (rest - b * second).high / b.high;
  }
  constexpr DoubleDouble& operator+=(DoubleDouble b) { return *this = *this + b; }

  friend constexpr bool operator<(DoubleDouble a, DoubleDouble b) {
    return a.high < b.high || (a.high == b.high && a.low < b.low);
  }
  friend constexpr bool operator>(DoubleDouble a, DoubleDouble b) { return b < a; }
  friend constexpr bool operator==(DoubleDouble a, DoubleDouble b) { return a.high == b.high && a.low == b.low; }

  friend DoubleDouble sqrt(DoubleDouble a) {
    const double root = std::sqrt(a.high);
    return root == 0 ? DoubleDouble(0) : quick_two_sum(root, (a - two_product(root, root)).high / (2 * root));
  }

 private:
  static constexpr DoubleDouble two_sum(double a, double b) {
    const double sum = a + b, part = sum - a;
    return {sum, (a - (sum - part)) + (b - part)};
  }
  /// Needs |a| >= |b|.
  static constexpr DoubleDouble quick_two_sum(double a, double b) {
    const double sum = a + b;
    return {sum, b - (sum - a)};
  }
  static constexpr DoubleDouble two_product(double a, double b) {
    constexpr double splitter = 134217729;  // 2^27 + 1
    const double a_wide = splitter * a, a_high = a_wide - (a_wide - a), a_low = a - a_high;
    const double b_wide = splitter * b, b_high = b_wide - (b_wide - b), b_low = b - b_high;
    const double product = a * b;
    return {product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low};
  }
};

}  // namespace tumble
