// SPDX-License-Identifier: Apache-2.0
// Makes poses and refuses those that are not rigid.
#include <tumble/pose.h>

#include "math/mat3.h"
#include "math/transform.h"

#include <tumble/error.h>

#include <string>

namespace tumble {
namespace {

constexpr double max_departure = 1e-4;

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorCode::invalid_pose, why); }

void check_rigid(const Mat3& r, Vec3 t) {
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j)
      if (!std::isfinite(r.rows[static_cast<std::size_t>(i)][j])) refuse("the pose's rotation is not finite");
    if (!(std::abs(t[i]) <= max_coordinate))
      refuse("the pose's translation must be finite and at most 1e100 in magnitude");
  }
  // The negation catches NaN from overflow, too.
  const double departure = departure_from_orthogonality(r);
  if (!(departure <= max_departure))
    refuse("the pose is not rigid: max|R^T R - I| is " + std::to_string(departure) +
           ", at most 1e-4 is accepted; bake scale and shear into the mesh");
  if (!(determinant(r) > 0)) refuse("the pose mirrors (det R < 0); mirror the mesh and flip its triangles instead");
}

}  // namespace

Pose Pose::from_rows(std::span<const double, 12> rows) {
  Pose pose;
  for (std::size_t i = 0; i < 3; ++i) {
    pose.rows_[i] = {rows[4 * i], rows[4 * i + 1], rows[4 * i + 2]};
    pose.translation_[static_cast<int>(i)] = rows[4 * i + 3];
  }
  check_rigid(Mat3{pose.rows_}, pose.translation_);
  return pose;
}

Pose Pose::from_matrix(std::span<const double, 16> matrix) {
  if (matrix[12] != 0 || matrix[13] != 0 || matrix[14] != 0 || matrix[15] != 1)
    refuse("the last row of a 4x4 pose must be 0 0 0 1 (is the matrix transposed?)");
  return from_rows(matrix.first<12>());
}

Pose Pose::from_quaternion(double w, double x, double y, double z, Vec3 translation) {
  // Scaled first, so that squares of tiny or huge quaternions neither underflow nor overflow.
  const double largest = std::fmax(std::fmax(std::abs(w), std::abs(x)), std::fmax(std::abs(y), std::abs(z)));
  if (!(largest > 0) || !std::isfinite(largest)) refuse("a pose's quaternion must be finite and not zero");
  w /= largest, x /= largest, y /= largest, z /= largest;
  const double s = 2 / (w * w + x * x + y * y + z * z);
  if (!std::isfinite(s)) refuse("a pose's quaternion must be finite and not zero");
  const double rows[12] = {1 - s * (y * y + z * z), s * (x * y - w * z),     s * (x * z + w * y),     translation.x,
                           s * (x * y + w * z),     1 - s * (x * x + z * z), s * (y * z - w * x),     translation.y,
                           s * (x * z - w * y),     s * (y * z + w * x),     1 - s * (x * x + y * y), translation.z};
  return from_rows(rows);
}

Pose Pose::from_translation(Vec3 translation) {
  const double rows[12] = {1, 0, 0, translation.x, 0, 1, 0, translation.y, 0, 0, 1, translation.z};
  return from_rows(rows);
}

std::array<double, 12> Pose::rows() const {
  std::array<double, 12> all{};
  for (std::size_t i = 0; i < 3; ++i) {
    all[4 * i] = rows_[i].x, all[4 * i + 1] = rows_[i].y, all[4 * i + 2] = rows_[i].z;
    all[4 * i + 3] = translation_[static_cast<int>(i)];
  }
  return all;
}

Vec3 Pose::operator*(Vec3 p) const { return to_world(*this, p); }

}  // namespace tumble
