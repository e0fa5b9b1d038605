// SPDX-License-Identifier: Apache-2.0
// Rounds doubles outward to floats, so that single-precision bounds hold what double-precision ones do.
#pragma once

#include <bit>
#include <cstdint>

namespace tumble {

/// The unit roundoff of double precision: the relative error of one operation is at most this.
inline constexpr double unit_roundoff = 0x1p-53;

/// 2^exponent, for exponents of normal numbers.
inline constexpr double power_of_two(int exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
}

/// The next float above a finite one, FLT_MAX going to infinity.
[[gnu::always_inline]] inline constexpr float next_above(float f) {
  const auto bits = std::bit_cast<std::int32_t>(f + 0.0f);  // −0 becomes 0
  return std::bit_cast<float>(bits >= 0 ? bits + 1 : bits - 1);
}
[[gnu::always_inline]] inline constexpr float next_below(float f) { return -next_above(-f); }

/// The least float that is not below `value`, which may be infinite but not NaN.
[[gnu::always_inline]] inline constexpr float float_above(double value) {
  // Without a branch, which would be mispredicted every other time. The bits count upward from zero on both sides.
  const auto nearest = static_cast<float>(value);
  const auto bits = std::bit_cast<std::int32_t>(nearest + 0.0f);  // −0 becomes 0
  const auto step = static_cast<std::int32_t>(static_cast<double>(nearest) < value);
  return std::bit_cast<float>(bits + (bits >= 0 ? step : -step));
}
/// The greatest float that is not above `value`.
[[gnu::always_inline]] inline constexpr float float_below(double value) { return -float_above(-value); }

}  // namespace tumble
