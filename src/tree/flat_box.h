// SPDX-License-Identifier: Apache-2.0
// FlatBox: an axis-aligned box in single precision laid out for building trees. It guides choices only; what must hold
// for certain is fitted in bounds/.
#pragma once

#include <tumble/vec.h>

#include <array>
#include <limits>

namespace tumble {

/// Four floats side by side: a vector type of the compiler, in whatever registers the baseline has.
using Four = float __attribute__((vector_size(16)));
inline Four larger(Four a, Four b) { return a > b ? a : b; }
inline Four smaller(Four a, Four b) { return a < b ? a : b; }
inline Four four(float value) { return Four{value, value, value, value}; }

/// A box as (−lower, upper): growing it is two maxima. The fourth places are free.
struct FlatBox {
  Four neg_lower, upper;

  /// Holds nothing.
  static FlatBox empty() {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    return {four(-infinity), four(-infinity)};
  }

  void grow(const FlatBox& other) {
    neg_lower = larger(other.neg_lower, neg_lower);
    upper = larger(other.upper, upper);
  }
  Four twice_center() const { return upper - neg_lower; }
  float half_area() const {
    const Four size = upper + neg_lower;
    const Four faces = size * __builtin_shufflevector(size, size, 1, 2, 0, 3);
    return faces[0] + faces[1] + faces[2];
  }
};

inline FlatBox flat_box(const std::array<Vec3, 3>& corners) {
  FlatBox box = FlatBox::empty();
  for (const Vec3& corner : corners) {
    const Four p{static_cast<float>(corner.x), static_cast<float>(corner.y), static_cast<float>(corner.z), 0};
    box.grow({-p, p});
  }
  return box;
}

}  // namespace tumble
