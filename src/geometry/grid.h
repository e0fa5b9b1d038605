// SPDX-License-Identifier: Apache-2.0
// Determinants in plain integers. The coordinates of a few triangles near each other are multiples of one small power
// of two along each axis, so differences fit 64 bits and determinants 192: exact, whether zero or not, in the time of a
// dozen products. Where they do not fit, this says so.
#pragma once

#include "math/two_terms.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace tumble {

__extension__ using Int128 = __int128;
__extension__ using Uint128 = unsigned __int128;

/// N differences along one axis, exactly, as whole numbers of 2^exponent.
template <std::size_t N>
class GridDifferences {
 public:
  std::array<std::int64_t, N> steps{};  // at most 2^61 in magnitude
  int exponent = 0;
  bool fit = true;

  [[gnu::always_inline]] GridDifferences(const std::array<double, N>& to, const std::array<double, N>& from) {
    std::array<TwoTerms, N> exact;
    double largest = 0;
    for (std::size_t i = 0; i < N; ++i) {
      exact[i] = two_diff(to[i], from[i]);
      largest = std::max(largest, std::abs(exact[i].sum));
    }
    if (largest == 0) return;
    // The largest comes to lie between 2^60 and 2^61. The scale is a double, and at least 1, so that nothing
    // underflows, if the largest is between 2^-900 and 2^61.
    const auto biased = static_cast<int>(std::bit_cast<std::uint64_t>(largest) >> 52);
    fit = biased >= 1023 - 900 && biased <= 1023 + 60;
    if (!fit) return;
    exponent = biased - 1023 - 60;
    const auto scale = std::bit_cast<double>(static_cast<std::uint64_t>(1023 - exponent) << 52);
    for (std::size_t i = 0; i < N; ++i) {
      const double sum = exact[i].sum * scale, error = exact[i].error * scale;
      const auto whole_sum = static_cast<std::int64_t>(sum), whole_error = static_cast<std::int64_t>(error);
      fit &= static_cast<double>(whole_sum) == sum && static_cast<double>(whole_error) == error;
      steps[i] = whole_sum + whole_error;
    }
  }
};

/// high · 2^64 + low
struct Int192 {
  Int128 high = 0;
  std::uint64_t low = 0;

  int sign() const { return high < 0 ? -1 : int{high != 0 || low != 0}; }
};

namespace grid {

/// u and v are the differences numbered 0 and 1. At most 2^123 in magnitude.
template <std::size_t N>
Int128 minor(const GridDifferences<N>& x, const GridDifferences<N>& y) {
  return Int128{x.steps[0]} * y.steps[1] - Int128{y.steps[0]} * x.steps[1];
}

}  // namespace grid

/// det(u, v), u and v being the two differences.
class GridDet2 {
 public:
  GridDet2(const GridDifferences<2>& x, const GridDifferences<2>& y)
      : fit(x.fit && y.fit), exponent(x.exponent + y.exponent), det_(fit ? grid::minor(x, y) : 0) {}

  Int192 operator()() const { return {det_ >> 64, static_cast<std::uint64_t>(det_)}; }

  bool fit;
  int exponent;

 private:
  Int128 det_;
};

/// det(u, v, w) for the first two of N differences and each of the others in turn.
template <std::size_t N>
class GridDet3 {
 public:
  GridDet3(const GridDifferences<N>& x, const GridDifferences<N>& y, const GridDifferences<N>& z)
      : fit(x.fit && y.fit && z.fit), exponent(x.exponent + y.exponent + z.exponent), x_(x), y_(y), z_(z) {
    if (!fit) return;
    minor_x_ = grid::minor(y, z);
    minor_y_ = grid::minor(z, x);
    minor_z_ = grid::minor(x, y);
  }

  Int192 operator()(std::size_t w) const {
    // With minors m = h · 2^64 + l, 0 <= l < 2^64: sums of three products h · w stay below 2^122, of l · w below 2^127.
    Int128 high = 0, low = 0;
    const auto add = [&](Int128 m, std::int64_t factor) {
      high += Int128{static_cast<std::int64_t>(m >> 64)} * factor;
      low += Int128{static_cast<std::uint64_t>(m)} * factor;
    };
    add(minor_x_, x_.steps[w]);
    add(minor_y_, y_.steps[w]);
    add(minor_z_, z_.steps[w]);
    return {high + (low >> 64), static_cast<std::uint64_t>(low)};
  }

  bool fit;
  int exponent;

 private:
  GridDifferences<N> x_, y_, z_;
  Int128 minor_x_ = 0, minor_y_ = 0, minor_z_ = 0;
};

/// The leading 64 bits of a magnitude that is not zero, cut off: it is from bits · 2^exponent to less than one more.
struct Leading {
  std::uint64_t bits;
  int exponent;
};
inline Leading leading(const Int192& x) {
  Uint128 high = static_cast<Uint128>(x.high);
  std::uint64_t low = x.low;
  if (x.high < 0) {
    low = 0 - low;
    high = ~high + Uint128{low == 0};
  }
  // From the top: three words, of which the first that is not zero is shifted up.
  std::uint64_t words[3] = {static_cast<std::uint64_t>(high >> 64), static_cast<std::uint64_t>(high), low};
  int first = 0;
  while (words[first] == 0) ++first;
  const int shift = std::countl_zero(words[first]);
  const std::uint64_t next = first < 2 ? words[first + 1] : 0;
  return {shift == 0 ? words[first] : words[first] << shift | next >> (64 - shift), 64 * (2 - first) - shift};
}

}  // namespace tumble
