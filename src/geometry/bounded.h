// SPDX-License-Identifier: Apache-2.0
// Bounded: a double with a bound of its error, and Dyadic: the same number exactly. What is written for both is a
// filter and the exact arithmetic behind it.
#pragma once

#include "math/two_terms.h"

#include <boost/multiprecision/cpp_int.hpp>

#include <cmath>
#include <cstdint>

namespace tumble {

/// The number is within `error` of `value`. Sums and products of few digits are exact: their error stays 0. If
/// something overflows, the error is infinite or NaN, and nothing is certain.
struct Bounded {
  double value = 0, error = 0;

  Bounded() = default;
  explicit Bounded(double exact) : value(exact) {}
  Bounded(double v, double e) : value(v), error(e) {}

  bool is_certain() const { return std::abs(value) > error || error == 0; }
  int sign() const { return int{value > 0} - int{value < 0}; }  // if certain
  bool is_zero() const { return value == 0 && error == 0; }

  friend Bounded operator-(const Bounded& a) { return {-a.value, a.error}; }
  friend Bounded operator+(const Bounded& a, const Bounded& b) {
    const TwoTerms t = two_sum(a.value, b.value);
    return {t.sum, (a.error + b.error + std::abs(t.error)) * above_one};
  }
  friend Bounded operator-(const Bounded& a, const Bounded& b) { return a + -b; }
  friend Bounded operator*(const Bounded& a, const Bounded& b) {
    if (a.is_zero() || b.is_zero()) return {};
    const TwoTerms t = two_product(a.value, b.value);
    double error = std::abs(t.error) + std::abs(a.value) * b.error + a.error * (std::abs(b.value) + b.error);
    // What may underflow here is smaller than this.
    if (a.error + b.error > 0 || !(std::abs(t.sum) > 0x1p-900)) error += 0x1p-1000;
    return {t.sum, error * above_one};
  }

 private:
  static constexpr double above_one = 1 + 0x1p-48;  // covers the roundings of the bound
};

/// mantissa · 2^exponent. Sums, differences and products of doubles are such numbers.
class Dyadic {
 public:
  Dyadic() = default;
  explicit Dyadic(double x);

  int sign() const { return mantissa_.sign(); }

  friend Dyadic operator-(Dyadic a) {
    a.mantissa_ = -a.mantissa_;
    return a;
  }
  friend Dyadic operator+(const Dyadic& a, const Dyadic& b);
  friend Dyadic operator-(const Dyadic& a, const Dyadic& b) { return a + -b; }
  friend Dyadic operator*(const Dyadic& a, const Dyadic& b) {
    return {Integer(a.mantissa_ * b.mantissa_), a.exponent_ + b.exponent_};
  }
  /// Good to 2^-52 of itself, unless it is denormal; b is not zero.
  friend double quotient(const Dyadic& a, const Dyadic& b);

 private:
  // Integers of up to 512 bits, which are most, need no memory of their own.
  using Integer = boost::multiprecision::number<
      boost::multiprecision::cpp_int_backend<512, 0, boost::multiprecision::signed_magnitude,
                                             boost::multiprecision::unchecked, std::allocator<std::uint64_t>>,
      boost::multiprecision::et_off>;

  Dyadic(Integer mantissa, int exponent) : mantissa_(std::move(mantissa)), exponent_(exponent) {}

  Integer mantissa_;
  int exponent_ = 0;
};

}  // namespace tumble
