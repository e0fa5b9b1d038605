// SPDX-License-Identifier: Apache-2.0
// Coordinates scaled by a common power of two become integers of at most 335 + 1074 bits.
#include "geometry/exact_integer.h"

#include "core/assert.h"

#include <boost/multiprecision/cpp_int.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace tumble {
namespace {

namespace mp = boost::multiprecision;

// Differences have 1410 bits, products of three 4230, the sum of six of them 4233. The size is fixed, so that a query
// that needs them allocates nothing.
using Integer = mp::number<mp::cpp_int_backend<4288, 4288, mp::signed_magnitude, mp::unchecked, void>, mp::et_off>;

constexpr int mantissa_bits = 53;
constexpr int least_exponent = -1074;  // of a denormal

/// x as mantissa · 2^exponent with an integral mantissa.
struct Decoded {
  std::int64_t mantissa;
  int exponent;
};

Decoded decode(double x) {
  TUMBLE_ASSERT(std::isfinite(x));
  int exponent = 0;
  std::frexp(x, &exponent);
  exponent = std::max(exponent - mantissa_bits, least_exponent);
  return {static_cast<std::int64_t>(std::ldexp(x, -exponent)), exponent};
}

/// The leading 64 bits give the value to 2^-53; dropping the others rounds toward zero and keeps the sign.
Scaled rounded(const Integer& x, int exponent) {
  if (x == 0) return {};
  const Integer magnitude = abs(x);
  const int shift = std::max(0, static_cast<int>(msb(magnitude)) - 63);
  const double leading = static_cast<double>(static_cast<std::uint64_t>(Integer(magnitude >> shift)));
  return {x < 0 ? -leading : leading, exponent + shift};
}

}  // namespace

Scaled integer_determinant(std::span<const double> from, std::span<const double> to) {
  TUMBLE_ASSERT(from.size() == to.size() && (from.size() == 4 || from.size() == 9));
  const std::size_t dimensions = from.size() == 4 ? 2 : 3;
  int least = 1024;
  for (const std::span<const double> numbers : {from, to})
    for (const double x : numbers)
      if (x != 0) least = std::min(least, decode(x).exponent);
  const auto integer = [&](double x) {
    const Decoded decoded = decode(x);
    return decoded.mantissa == 0 ? Integer(0) : Integer(decoded.mantissa) << (decoded.exponent - least);
  };
  std::array<std::array<Integer, 3>, 3> m;
  for (std::size_t row = 0; row < dimensions; ++row)
    for (std::size_t column = 0; column < dimensions; ++column)
      m[row][column] = integer(to[row * dimensions + column]) - integer(from[row * dimensions + column]);
  const auto minor = [&m](std::size_t i, std::size_t j) { return Integer(m[0][i] * m[1][j] - m[0][j] * m[1][i]); };
  if (dimensions == 2) return rounded(minor(0, 1), 2 * least);
  return rounded(minor(1, 2) * m[2][0] + minor(2, 0) * m[2][1] + minor(0, 1) * m[2][2], 3 * least);
}

}  // namespace tumble
