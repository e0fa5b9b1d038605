// SPDX-License-Identifier: Apache-2.0
// DoubleDouble: an unevaluated sum of two doubles, about 106 bits, for the rare sums that cancel too much for one.
#pragma once

#include "math/two_terms.h"

#include <cmath>

namespace tumble {

/// Sums and products of doubles are exact; other results are good to about 2^-102 (Dekker 1971). Between magnitudes of
/// 1e-140 and 1e140 nothing overflows or underflows. Code that goes beyond must show why it is safe.
struct DoubleDouble {
  double high = 0, low = 0;

  constexpr DoubleDouble() = default;
  constexpr DoubleDouble(double value) : high(value) {}  // NOLINT: meant to be implicit
  constexpr DoubleDouble(double h, double l) : high(h), low(l) {}
  constexpr DoubleDouble(TwoTerms t) : high(t.sum), low(t.error) {}  // NOLINT: the same two numbers
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
    return DoubleDouble(quick_two_sum(first, second)) + (rest - b * second).high / b.high;
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
};

}  // namespace tumble
