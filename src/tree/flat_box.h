// SPDX-License-Identifier: Apache-2.0
// FlatBox: an axis-aligned box in single precision laid out for building trees. It guides choices only; what must hold
// for certain is fitted in bounds/.
#pragma once

#include <tumble/vec.h>

#include <array>
#include <cstddef>
#include <limits>

namespace tumble {

/// A box as (−lower, upper): growing it is one maximum over eight floats. The fourth places are free.
struct alignas(32) FlatBox {
  static constexpr float nothing = -std::numeric_limits<float>::infinity();

  std::array<float, 4> neg_lower{nothing, nothing, nothing, nothing};
  std::array<float, 4> upper{nothing, nothing, nothing, nothing};

  void grow(const FlatBox& other) {
    for (std::size_t i = 0; i < 4; ++i)
      neg_lower[i] = other.neg_lower[i] > neg_lower[i] ? other.neg_lower[i] : neg_lower[i];
    for (std::size_t i = 0; i < 4; ++i) upper[i] = other.upper[i] > upper[i] ? other.upper[i] : upper[i];
  }
  float twice_center(std::size_t axis) const { return upper[axis] - neg_lower[axis]; }
  float half_area() const {
    const float x = upper[0] + neg_lower[0], y = upper[1] + neg_lower[1], z = upper[2] + neg_lower[2];
    return x * y + y * z + z * x;
  }
};

inline FlatBox flat_box(const std::array<Vec3, 3>& corners) {
  FlatBox box;
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (const Vec3& corner : corners) {
      const auto c = static_cast<float>(corner[static_cast<int>(axis)]);
      box.neg_lower[axis] = -c > box.neg_lower[axis] ? -c : box.neg_lower[axis];
      box.upper[axis] = c > box.upper[axis] ? c : box.upper[axis];
    }
  return box;
}

}  // namespace tumble
