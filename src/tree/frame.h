// SPDX-License-Identifier: Apache-2.0
// Frame: tree coordinates. They are the object's own, centred, scaled by a power of two and possibly turned.
#pragma once

#include "math/mat3.h"
#include "math/rounding.h"

#include <tumble/mesh.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tumble {

/// tree = rotation * ((object − center) / 2^exponent). Vertex coordinates are then at most 1 in magnitude (√3 with a
/// rotation: bounds/reach.h), so single precision works for objects of any size and place.
struct Frame {
  Vec3 center{};
  Mat3 rotation{};
  int exponent = 0;

  /// Bounds the rounding error of each coordinate in to_tree with a rotation, in tree units: one difference, three
  /// products and two sums of values up to √3. Without a rotation each coordinate is rounded once.
  static constexpr double rotation_error = 0x1p-48;

  bool is_turned() const { return rotation != Mat3{}; }

  Vec3 to_tree(Vec3 p) const {
    const Vec3 from_center = p - center;
    Vec3 scaled = from_center * power_of_two(-exponent);
    // Fits treat 0 as exact, so a coordinate off the centre must not underflow to 0.
    if (exponent > 0)
      for (int axis = 0; axis < 3; ++axis)
        if (scaled[axis] == 0 && from_center[axis] != 0)
          scaled[axis] = std::copysign(std::numeric_limits<double>::denorm_min(), from_center[axis]);
    return is_turned() ? rotation * scaled : scaled;
  }

  friend bool operator==(const Frame&, const Frame&) = default;
};

/// The unturned frame of a box. The exponent is clamped so that 2^-exponent is a normal double.
inline Frame frame_of(const Box& box) {
  Frame frame;
  frame.center = box.lower * 0.5 + box.upper * 0.5;
  double size = 0;
  for (int axis = 0; axis < 3; ++axis)
    size = std::max({size, box.upper[axis] - frame.center[axis], frame.center[axis] - box.lower[axis]});
  if (size > 0) frame.exponent = std::clamp(std::ilogb(size) + 1, -1000, 1000);
  return frame;
}

}  // namespace tumble
