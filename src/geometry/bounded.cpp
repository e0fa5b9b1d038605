// SPDX-License-Identifier: Apache-2.0
// The exact half.
#include "geometry/bounded.h"

#include <algorithm>
#include <bit>
#include <cstdlib>

namespace tumble {

Dyadic::Dyadic(double x) {
  if (x == 0) return;
  auto digits = static_cast<std::int64_t>(std::ldexp(std::frexp(x, &exponent_), 53));
  const int zeros = std::countr_zero(static_cast<std::uint64_t>(std::abs(digits)));
  mantissa_ = digits >> zeros;  // exact, so also for negative ones; coordinates on a grid stay short
  exponent_ += zeros - 53;
}

Dyadic operator+(const Dyadic& a, const Dyadic& b) {
  if (a.sign() == 0) return b;
  if (b.sign() == 0) return a;
  if (a.exponent_ < b.exponent_) return b + a;
  return {Dyadic::Integer((a.mantissa_ << (a.exponent_ - b.exponent_)) + b.mantissa_), b.exponent_};
}

double quotient(const Dyadic& a, const Dyadic& b) {
  if (a.sign() == 0) return 0;
  const Dyadic::Integer over = abs(a.mantissa_), under = abs(b.mantissa_);
  // The whole part of the quotient gets at least 64 digits; those below do not matter.
  const int shift = std::max(0, 65 + static_cast<int>(msb(under)) - static_cast<int>(msb(over)));
  Dyadic::Integer whole = (over << shift) / under;
  const int drop = std::max(0, static_cast<int>(msb(whole)) - 63);
  const auto leading = static_cast<double>(static_cast<std::uint64_t>(Dyadic::Integer(whole >> drop)));
  const double size = std::ldexp(leading, a.exponent_ - b.exponent_ - shift + drop);
  return a.sign() == b.sign() ? size : -size;
}

}  // namespace tumble
