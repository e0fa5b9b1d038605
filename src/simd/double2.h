// SPDX-License-Identifier: Apache-2.0
// Double2: two doubles side by side in the registers every x86-64 has; elsewhere a plain pair. Each lane rounds as a
// double does, so both forms give the same results.
#pragma once

#if defined(__SSE2__)
#include <emmintrin.h>
#else
#include <algorithm>
#include <cmath>
#endif

namespace tumble {

#define TUMBLE_LANES [[gnu::always_inline]] friend inline

#if defined(__SSE2__)

struct Double2 {
  __m128d lanes;

  Double2() = default;
  explicit Double2(__m128d l) : lanes(l) {}
  explicit Double2(double both) : lanes(_mm_set1_pd(both)) {}
  Double2(double first, double second) : lanes(_mm_set_pd(second, first)) {}
  static Double2 load(const double* from) { return Double2(_mm_loadu_pd(from)); }
  void store(double* to) const { _mm_storeu_pd(to, lanes); }

  TUMBLE_LANES Double2 operator+(Double2 a, Double2 b) { return Double2(_mm_add_pd(a.lanes, b.lanes)); }
  TUMBLE_LANES Double2 operator-(Double2 a, Double2 b) { return Double2(_mm_sub_pd(a.lanes, b.lanes)); }
  TUMBLE_LANES Double2 operator*(Double2 a, Double2 b) { return Double2(_mm_mul_pd(a.lanes, b.lanes)); }
  TUMBLE_LANES Double2 min(Double2 a, Double2 b) { return Double2(_mm_min_pd(a.lanes, b.lanes)); }
  TUMBLE_LANES Double2 max(Double2 a, Double2 b) { return Double2(_mm_max_pd(a.lanes, b.lanes)); }
  TUMBLE_LANES Double2 negate(Double2 a) { return Double2(_mm_xor_pd(a.lanes, _mm_set1_pd(-0.0))); }
  TUMBLE_LANES Double2 abs(Double2 a) { return Double2(_mm_andnot_pd(_mm_set1_pd(-0.0), a.lanes)); }
  TUMBLE_LANES Double2 swapped(Double2 a) { return Double2(_mm_shuffle_pd(a.lanes, a.lanes, 1)); }
  /// The first lanes of both, and the second ones.
  TUMBLE_LANES Double2 firsts(Double2 a, Double2 b) { return Double2(_mm_unpacklo_pd(a.lanes, b.lanes)); }
  TUMBLE_LANES Double2 seconds(Double2 a, Double2 b) { return Double2(_mm_unpackhi_pd(a.lanes, b.lanes)); }
  /// Bit 0 for the first lane, bit 1 for the second.
  TUMBLE_LANES unsigned greater(Double2 a, Double2 b) {
    return static_cast<unsigned>(_mm_movemask_pd(_mm_cmpgt_pd(a.lanes, b.lanes)));
  }
  /// Bits as above, set for negative lanes.
  TUMBLE_LANES unsigned sign_bits(Double2 a) { return static_cast<unsigned>(_mm_movemask_pd(a.lanes)); }
};

#else

struct Double2 {
  double first, second;

  Double2() = default;
  explicit Double2(double both) : first(both), second(both) {}
  Double2(double f, double s) : first(f), second(s) {}
  static Double2 load(const double* from) { return {from[0], from[1]}; }
  void store(double* to) const { to[0] = first, to[1] = second; }

  TUMBLE_LANES Double2 operator+(Double2 a, Double2 b) { return {a.first + b.first, a.second + b.second}; }
  TUMBLE_LANES Double2 operator-(Double2 a, Double2 b) { return {a.first - b.first, a.second - b.second}; }
  TUMBLE_LANES Double2 operator*(Double2 a, Double2 b) { return {a.first * b.first, a.second * b.second}; }
  TUMBLE_LANES Double2 min(Double2 a, Double2 b) { return {std::min(a.first, b.first), std::min(a.second, b.second)}; }
  TUMBLE_LANES Double2 max(Double2 a, Double2 b) { return {std::max(a.first, b.first), std::max(a.second, b.second)}; }
  TUMBLE_LANES Double2 negate(Double2 a) { return {-a.first, -a.second}; }
  TUMBLE_LANES Double2 abs(Double2 a) { return {std::abs(a.first), std::abs(a.second)}; }
  TUMBLE_LANES Double2 swapped(Double2 a) { return {a.second, a.first}; }
  TUMBLE_LANES Double2 firsts(Double2 a, Double2 b) { return {a.first, b.first}; }
  TUMBLE_LANES Double2 seconds(Double2 a, Double2 b) { return {a.second, b.second}; }
  TUMBLE_LANES unsigned greater(Double2 a, Double2 b) {
    return unsigned{a.first > b.first} | unsigned{a.second > b.second} << 1;
  }
  TUMBLE_LANES unsigned sign_bits(Double2 a) {
    return unsigned{std::signbit(a.first)} | unsigned{std::signbit(a.second)} << 1;
  }
};

#endif

#undef TUMBLE_LANES

}  // namespace tumble
