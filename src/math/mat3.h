// SPDX-License-Identifier: Apache-2.0
// Mat3: a 3x3 matrix by rows, in double precision.
#pragma once

#include <tumble/vec.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace tumble {

struct Mat3 {
  std::array<Vec3, 3> rows{Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};

  Vec3 column(int i) const { return {rows[0][i], rows[1][i], rows[2][i]}; }
  friend Vec3 operator*(const Mat3& m, Vec3 v) { return {dot(m.rows[0], v), dot(m.rows[1], v), dot(m.rows[2], v)}; }
  friend bool operator==(const Mat3&, const Mat3&) = default;
};

inline Mat3 transpose(const Mat3& m) { return {{m.column(0), m.column(1), m.column(2)}}; }

inline Mat3 operator*(const Mat3& a, const Mat3& b) {
  const Mat3 columns = transpose(b);
  Mat3 product;
  for (std::size_t i = 0; i < 3; ++i) product.rows[i] = columns * a.rows[i];
  return product;
}

inline double determinant(const Mat3& m) { return dot(m.rows[0], cross(m.rows[1], m.rows[2])); }

/// The true inverse: poses need not be orthogonal to the last bit, and are used as given.
inline Mat3 inverse(const Mat3& m) {
  const Vec3 a = cross(m.rows[1], m.rows[2]), b = cross(m.rows[2], m.rows[0]), c = cross(m.rows[0], m.rows[1]);
  const double d = 1 / dot(m.rows[0], a);
  return transpose(Mat3{{a * d, b * d, c * d}});
}

/// max |MᵀM − I|: 0 for a rotation.
inline double departure_from_orthogonality(const Mat3& m) {
  const Vec3 x = m.column(0), y = m.column(1), z = m.column(2);
  // In pairs: six comparisons one after the other would take twice as long.
  const double lengths = std::max(std::abs(dot(x, x) - 1), std::max(std::abs(dot(y, y) - 1), std::abs(dot(z, z) - 1)));
  const double angles = std::max(std::abs(dot(x, y)), std::max(std::abs(dot(x, z)), std::abs(dot(y, z))));
  return std::max(lengths, angles);
}

}  // namespace tumble
