// SPDX-License-Identifier: Apache-2.0
// std::ldexp and std::frexp without the calls, for the exponents that occur.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace tumble {

/// x · 2^exponent, rounded once, as std::ldexp has it.
[[gnu::always_inline]] inline double times_power_of_two(double x, int exponent) {
  if (exponent < -1000 || exponent > 1000) [[unlikely]]
    return std::ldexp(x, exponent);
  return x * std::bit_cast<double>(static_cast<std::uint64_t>(1023 + exponent) << 52);
}

/// x = fraction · 2^exponent with a fraction from 1/2 to less than 1 in magnitude, or zero, as std::frexp has it.
struct Fraction {
  double value;
  int exponent;
};
[[gnu::always_inline]] inline Fraction fraction_of(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const auto biased = static_cast<int>(bits >> 52 & 0x7ff);
  if (biased == 0 || biased == 0x7ff) [[unlikely]] {
    int exponent = 0;
    const double value = std::frexp(x, &exponent);
    return {value, exponent};
  }
  return {std::bit_cast<double>((bits & ~(std::uint64_t{0x7ff} << 52)) | std::uint64_t{1022} << 52), biased - 1022};
}

}  // namespace tumble
