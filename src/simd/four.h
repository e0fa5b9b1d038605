// SPDX-License-Identifier: Apache-2.0
// Four floats or integers side by side, in baseline registers: for building trees, where an item fills only one small
// vector. The hot kernels of walks use Lanes (simd/lanes-inl.h).
#pragma once

#include <cstdint>

namespace tumble {

/// Vector types of the compiler: arithmetic, comparisons and `mask ? a : b` work place by place.
using Four = float __attribute__((vector_size(16)));
using FourIntegers = std::int32_t __attribute__((vector_size(16)));

inline Four four(float value) { return Four{value, value, value, value}; }
inline Four larger(Four a, Four b) { return a > b ? a : b; }
inline Four smaller(Four a, Four b) { return a < b ? a : b; }

/// Places of a (0 to 3) and b (4 to 7).
template <int I, int J, int K, int L>
inline Four shuffled(Four a, Four b) {
  return __builtin_shufflevector(a, b, I, J, K, L);
}

inline Four to_floats(FourIntegers a) { return __builtin_convertvector(a, Four); }
/// Rounds toward zero.
inline FourIntegers to_integers(Four a) { return __builtin_convertvector(a, FourIntegers); }

}  // namespace tumble
