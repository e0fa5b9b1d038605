// SPDX-License-Identifier: Apache-2.0
// Expansions: exact sums of doubles (Shewchuk 1997, "Adaptive Precision Floating-Point Arithmetic and Fast Robust
// Geometric Predicates"). Exact as long as nothing overflows or underflows; the caller ensures that.
#pragma once

#include "math/two_terms.h"

#include <cmath>

namespace tumble {

/// At most N non-overlapping terms, smallest first, zeros left out; no term means zero.
template <int N>
struct Expansion {
  double terms[N];
  int size = 0;

  void append(double term) {
    if (term != 0) terms[size++] = term;
  }
  /// The rounded value, to about an ulp, with the exact sign.
  double estimate() const {
    double sum = 0;
    for (int i = 0; i < size; ++i) sum += terms[i];
    return sum;
  }
};

inline Expansion<2> expansion(TwoTerms t) {
  Expansion<2> e;
  e.append(t.error);
  e.append(t.sum);
  return e;
}

template <int N>
Expansion<N> operator-(const Expansion<N>& e) {
  Expansion<N> h;
  h.size = e.size;
  for (int i = 0; i < e.size; ++i) h.terms[i] = -e.terms[i];
  return h;
}

/// Fast expansion sum with zero elimination (Shewchuk 1997, Theorem 13): merge by magnitude, then carry upward.
template <int N, int M>
Expansion<N + M> operator+(const Expansion<N>& e, const Expansion<M>& f) {
  Expansion<N + M> h;
  int i = 0, j = 0;
  const auto next = [&] {
    return j == f.size || (i < e.size && std::abs(e.terms[i]) < std::abs(f.terms[j])) ? e.terms[i++] : f.terms[j++];
  };
  if (e.size + f.size == 0) return h;
  double carry = next();
  while (i < e.size || j < f.size) {
    const TwoTerms t = two_sum(carry, next());
    h.append(t.error);
    carry = t.sum;
  }
  h.append(carry);
  return h;
}

template <int N, int M>
Expansion<N + M> operator-(const Expansion<N>& e, const Expansion<M>& f) {
  return e + -f;
}

/// Scaled expansion with zero elimination (Shewchuk 1997, Theorem 19).
template <int N>
Expansion<2 * N> operator*(const Expansion<N>& e, double factor) {
  Expansion<2 * N> h;
  if (e.size == 0 || factor == 0) return h;
  const TwoTerms first = two_product(e.terms[0], factor);
  h.append(first.error);
  double carry = first.sum;
  for (int i = 1; i < e.size; ++i) {
    const TwoTerms product = two_product(e.terms[i], factor);
    const TwoTerms low = two_sum(carry, product.error);
    h.append(low.error);
    const TwoTerms high = two_sum(product.sum, low.sum);
    h.append(high.error);
    carry = high.sum;
  }
  h.append(carry);
  return h;
}

template <int N>
Expansion<4 * N> operator*(const Expansion<N>& e, const Expansion<2>& f) {
  Expansion<4 * N> h;
  if (f.size == 2) return e * f.terms[0] + e * f.terms[1];
  if (f.size == 0) return h;
  const Expansion<2 * N> single = e * f.terms[0];
  for (int i = 0; i < single.size; ++i) h.append(single.terms[i]);
  return h;
}

}  // namespace tumble
