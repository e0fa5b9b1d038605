// SPDX-License-Identifier: Apache-2.0
// Makes poses and refuses those that are not rigid.
#include <tumble/pose.h>

#include "math/mat3.h"
#include "math/quaternion.h"
#include "math/transform.h"

#include <tumble/error.h>

#include <algorithm>
#include <array>
#include <cmath>
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
    refuse(
        "the pose is not rigid: max|R^T R - I| is " + std::to_string(departure) +
        ", at most 1e-4 is accepted; numbers rounded to fewer than five digits cause that, and scale or shear, which "
        "belong into the mesh");
  if (!(determinant(r) > 0)) refuse("the pose mirrors (det R < 0); mirror the mesh and flip its triangles instead");
}

Pose made_of(const Mat3& rotation, Vec3 translation) {
  std::array<double, 12> rows;
  for (std::size_t i = 0; i < 3; ++i)
    for (int j = 0; j < 4; ++j)
      rows[4 * i + static_cast<std::size_t>(j)] = j < 3 ? rotation.rows[i][j] : translation[static_cast<int>(i)];
  return Pose::from_rows(rows);
}

/// The arc from a to b at a share of its length, by halving it towards the share until it is as good as straight.
Quaternion between(Quaternion a, Quaternion b, double at) {
  if (dot(a, b) < 0)
    for (double& component : b) component = -component;  // the shorter way round
  constexpr int halvings = 26;                           // an arc of 2^-25 is straight to 2^-75
  for (int i = 0; i < halvings; ++i) {
    Quaternion middle;
    for (std::size_t c = 0; c < 4; ++c) middle[c] = a[c] + b[c];
    middle = normalized(middle);
    at *= 2;
    if (at < 1) {
      b = middle;
    } else {
      a = middle;
      at -= 1;
    }
  }
  for (std::size_t c = 0; c < 4; ++c) a[c] += (b[c] - a[c]) * at;
  return a;
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
  if (!std::ranges::all_of(matrix, [](double x) { return std::isfinite(x); })) refuse("the pose is not finite");
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

Pose Pose::operator*(const Pose& other) const {
  if (is_identity()) return other;
  return made_of(Mat3{rows_} * Mat3{other.rows_}, *this * other.translation_);
}

Pose Pose::inverse() const {
  const Mat3 back = tumble::inverse(Mat3{rows_});
  return made_of(back, -(back * translation_));
}

Pose interpolate(const Pose& from, const Pose& to, double at) {
  if (!(at >= 0 && at <= 1))
    throw Error(ErrorCode::invalid_argument, "poses are interpolated at 0 to 1, not at " + std::to_string(at));
  if (at == 0) return from;
  if (at == 1) return to;
  const Vec3 translation = from.translation() + (to.translation() - from.translation()) * at;
  const Quaternion turn = between(quaternion_of(from), quaternion_of(to), at);
  return pose_of(turn, translation);
}

}  // namespace tumble
