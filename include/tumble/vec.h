// SPDX-License-Identifier: Apache-2.0
// Vec3: a point or direction in double precision.
#pragma once

#include <tumble/cxx20.h>

#include <cmath>

// Always inlined, so that no out-of-line copy is shared: the linker must not replace the library's exact arithmetic by
// the copy of a program compiled with contraction (-march=native).
#define TUMBLE_INLINE [[gnu::always_inline]] inline constexpr

namespace tumble {

/// The largest magnitude a coordinate of a mesh or a translation may have.
inline constexpr double max_coordinate = 1e100;

struct Vec3 {
  double x = 0, y = 0, z = 0;

  TUMBLE_INLINE double operator[](int axis) const { return axis == 0 ? x : axis == 1 ? y : z; }
  TUMBLE_INLINE double& operator[](int axis) { return axis == 0 ? x : axis == 1 ? y : z; }

  friend constexpr bool operator==(const Vec3&, const Vec3&) = default;

  TUMBLE_INLINE friend Vec3 operator+(Vec3 a, Vec3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  TUMBLE_INLINE friend Vec3 operator-(Vec3 a, Vec3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  TUMBLE_INLINE friend Vec3 operator-(Vec3 a) { return {-a.x, -a.y, -a.z}; }
  TUMBLE_INLINE friend Vec3 operator*(Vec3 a, double s) { return {a.x * s, a.y * s, a.z * s}; }
  TUMBLE_INLINE friend Vec3 operator*(double s, Vec3 a) { return a * s; }
  TUMBLE_INLINE friend Vec3 operator/(Vec3 a, double s) { return {a.x / s, a.y / s, a.z / s}; }
  TUMBLE_INLINE Vec3& operator+=(Vec3 b) { return *this = *this + b; }
  TUMBLE_INLINE Vec3& operator-=(Vec3 b) { return *this = *this - b; }
  TUMBLE_INLINE Vec3& operator*=(double s) { return *this = *this * s; }
};

TUMBLE_INLINE double dot(Vec3 a, Vec3 b) { return (a.x * b.x + a.y * b.y) + a.z * b.z; }
TUMBLE_INLINE Vec3 cross(Vec3 a, Vec3 b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
TUMBLE_INLINE double length_sq(Vec3 a) { return dot(a, a); }
[[gnu::always_inline]] inline double length(Vec3 a) { return std::sqrt(length_sq(a)); }

}  // namespace tumble
