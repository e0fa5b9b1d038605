// SPDX-License-Identifier: Apache-2.0
// Quaternions of unit length as rotations, made from matrices and poses without trigonometry.
#pragma once

#include "math/mat3.h"
#include "math/rotation_of.h"

#include <tumble/pose.h>

#include <array>
#include <cmath>
#include <cstddef>

namespace tumble {

using Quaternion = std::array<double, 4>;  // w, x, y, z

inline double dot(const Quaternion& a, const Quaternion& b) {
  return (a[0] * b[0] + a[1] * b[1]) + (a[2] * b[2] + a[3] * b[3]);
}

inline Quaternion normalized(Quaternion q) {
  const double length = std::sqrt(dot(q, q));
  for (double& component : q) component /= length;
  return q;
}

/// Of the rotation nearest to the matrix, about; from its largest component, so that no digits are lost (Shepperd
/// 1978).
inline Quaternion quaternion_of(const Mat3& rotation) {
  const auto& [x, y, z] = rotation.rows;
  // Rows of 4·q·qᵀ.
  const std::array<Quaternion, 4> products{{{1 + x.x + y.y + z.z, z.y - y.z, x.z - z.x, y.x - x.y},
                                            {z.y - y.z, 1 + x.x - y.y - z.z, x.y + y.x, x.z + z.x},
                                            {x.z - z.x, x.y + y.x, 1 - x.x + y.y - z.z, y.z + z.y},
                                            {y.x - x.y, x.z + z.x, y.z + z.y, 1 - x.x - y.y + z.z}}};
  std::size_t largest = 0;
  for (std::size_t i = 1; i < 4; ++i)
    if (products[i][i] > products[largest][largest]) largest = i;
  return normalized(products[largest]);
}
inline Quaternion quaternion_of(const Pose& pose) { return quaternion_of(rotation_of(pose)); }

inline Pose pose_of(const Quaternion& q, Vec3 translation) {
  return Pose::from_quaternion(q[0], q[1], q[2], q[3], translation);
}

}  // namespace tumble
