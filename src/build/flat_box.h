// SPDX-License-Identifier: Apache-2.0
// FlatBox: an axis-aligned box in single precision, laid out for building trees. It only guides choices; bounds/ fits
// the volumes that must hold for certain.
#pragma once

#include "simd/four.h"

#include <tumble/vec.h>

#include <array>
#include <bit>
#include <cstdint>
#include <limits>

namespace tumble {

/// A box stored as (−lower, upper), so that growing it takes two maxima. The fourth places are free.
struct FlatBox {
  Four neg_lower, upper;

  /// Holds nothing.
  static FlatBox empty() {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    return {four(-infinity), four(-infinity)};
  }

  /// Stores a number in the free places, half in each, as the last bits of normal floats. Subnormal floats would make
  /// every sum over boxes several times slower.
  void set_number(std::uint32_t number) {
    neg_lower[3] = std::bit_cast<float>(one | number >> 16);
    upper[3] = std::bit_cast<float>(one | (number & 0xffff));
  }
  std::uint32_t number() const {
    return std::bit_cast<std::uint32_t>(neg_lower[3]) << 16 | (std::bit_cast<std::uint32_t>(upper[3]) & 0xffff);
  }

  void grow(const FlatBox& other) {
    neg_lower = larger(other.neg_lower, neg_lower);
    upper = larger(other.upper, upper);
  }
  Four twice_center() const { return upper - neg_lower; }
  float half_area() const {
    const Four size = upper + neg_lower;
    const Four faces = size * shuffled<1, 2, 0, 3>(size, size);
    return faces[0] + faces[1] + faces[2];
  }

 private:
  static constexpr std::uint32_t one = 0x3f800000;  // the bits of 1.0f
};

/// The half areas of three boxes side by side; the fourth place repeats the third.
inline Four half_areas(const FlatBox& a, const FlatBox& b, const FlatBox& c) {
  const Four of_a = a.upper + a.neg_lower, of_b = b.upper + b.neg_lower, of_c = c.upper + c.neg_lower;
  const Four xy = shuffled<0, 4, 1, 5>(of_a, of_b), xy_c = shuffled<0, 0, 1, 1>(of_c, of_c);
  const Four x = shuffled<0, 1, 4, 5>(xy, xy_c), y = shuffled<2, 3, 6, 7>(xy, xy_c);
  const Four z = shuffled<0, 1, 6, 6>(shuffled<2, 6, 3, 7>(of_a, of_b), of_c);
  return x * y + (x + y) * z;
}

inline FlatBox flat_box(const std::array<Vec3, 3>& corners) {
  FlatBox box = FlatBox::empty();
  for (const Vec3& corner : corners) {
    const Four p{static_cast<float>(corner.x), static_cast<float>(corner.y), static_cast<float>(corner.z), 0};
    box.grow({-p, p});
  }
  return box;
}

}  // namespace tumble
