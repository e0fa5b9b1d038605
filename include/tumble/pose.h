// SPDX-License-Identifier: Apache-2.0
// Pose: where a body is. It takes the body's own coordinates into the world.
#pragma once

#include <tumble/vec.h>

#include <array>
#include <span>

namespace tumble {

/// A rigid motion `world = R * body + t`. Checked when made (max|RᵀR − I| ≤ 1e-4, det R > 0, everything
/// finite and at most 1e100), then used exactly as given: nothing is orthonormalised behind your back.
class Pose {
 public:
  /// The identity.
  Pose() = default;

  /// 12 numbers, row-major [R|t]. Throws Error(invalid_pose).
  static Pose from_rows(std::span<const double, 12> rows);
  /// 16 numbers, row-major; the last row must be 0 0 0 1.
  static Pose from_matrix(std::span<const double, 16> matrix);
  /// A quaternion (w, x, y, z) of any length but zero, and a translation.
  static Pose from_quaternion(double w, double x, double y, double z, Vec3 translation);
  static Pose from_translation(Vec3 translation);

  /// Row `i` of R.
  const Vec3& row(int i) const { return rows_[static_cast<std::size_t>(i)]; }
  const Vec3& translation() const { return translation_; }
  std::array<double, 12> rows() const;
  bool is_identity() const { return *this == Pose{}; }

  /// ((r0*x + r1*y) + r2*z) + t, in this order and without contraction: the definition of a body's world
  /// coordinates on which every exact answer rests (docs/semantics.md). The identity returns `p` itself.
  Vec3 operator*(Vec3 p) const;

  /// First `other`, then this one, rounded: (a * b) * p is a * (b * p) but for rounding. Throws Error(invalid_pose) if
  /// the product of two poses that are not quite rigid is no longer accepted.
  Pose operator*(const Pose& other) const;
  /// The way back, of the matrix as it was given; rounded, and checked likewise.
  Pose inverse() const;

  friend bool operator==(const Pose&, const Pose&) = default;

 private:
  std::array<Vec3, 3> rows_{Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};
  Vec3 translation_{};
};

/// On the way between two poses: the translation on a straight line, the rotation about one axis at an even speed, the
/// shorter way round. `at` is from 0, which is `from` itself, to 1, which is `to`; anything else throws
/// Error(invalid_argument). The same on every machine: no trigonometry is used.
Pose interpolate(const Pose& from, const Pose& to, double at);

}  // namespace tumble
