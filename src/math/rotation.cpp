// SPDX-License-Identifier: Apache-2.0
// Rotations from angles in degrees, and from matrices that are almost rotations.
#include <tumble/rotation.h>

#include "math/mat3.h"
#include "math/turn.h"

#include <tumble/error.h>

#include <cmath>
#include <cstddef>
#include <string>

namespace tumble {
namespace {

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorCode::invalid_pose, why); }

/// Whole quarters are split off first, so that their sines are 0 and ±1.
SinCos sin_cos_of_degrees(double degrees) {
  constexpr double most_degrees = 1e6, per_degree = 0x1.1df46a2529d39p-6;  // π/180
  if (!(std::abs(degrees) <= most_degrees)) refuse("an angle must be finite and at most 1e6 degrees");
  const double quarters = std::floor(degrees / 90 + 0.5);
  const auto [sine, cosine] = sin_cos((degrees - quarters * 90) * per_degree);
  const auto quadrant = static_cast<long long>(quarters) & 3;
  const double sines[] = {sine, cosine, -sine, -cosine};
  return {sines[quadrant] + 0.0, sines[(quadrant + 1) & 3] + 0.0};  // −0 becomes 0
}

/// Rodrigues' formula; the axis has unit length.
Mat3 turn(const Vec3& axis, double degrees) {
  const auto [s, c] = sin_cos_of_degrees(degrees);
  const double t = 1 - c;
  const auto& [x, y, z] = axis;
  return {{Vec3{t * x * x + c, t * x * y - s * z, t * x * z + s * y},
           Vec3{t * x * y + s * z, t * y * y + c, t * y * z - s * x},
           Vec3{t * x * z - s * y, t * y * z + s * x, t * z * z + c}}};
}

Pose made_of(const Mat3& r, Vec3 t) {
  const double rows[12] = {r.rows[0].x, r.rows[0].y, r.rows[0].z, t.x,         r.rows[1].x, r.rows[1].y,
                           r.rows[1].z, t.y,         r.rows[2].x, r.rows[2].y, r.rows[2].z, t.z};
  return Pose::from_rows(rows);
}

}  // namespace

Pose pose_from_axis_angle(Vec3 axis, double degrees, Vec3 translation) {
  const double largest = std::fmax(std::abs(axis.x), std::fmax(std::abs(axis.y), std::abs(axis.z)));
  if (!(largest > 0) || !std::isfinite(axis.x) || !std::isfinite(axis.y) || !std::isfinite(axis.z))
    refuse("the axis of a turn must be finite and not zero");
  axis = axis / largest;  // first, so that squares neither overflow nor vanish
  return made_of(turn(axis / length(axis), degrees), translation);
}

Pose pose_from_euler(std::string_view axes, std::array<double, 3> degrees, Vec3 translation) {
  constexpr std::string_view world = "xyz", body = "XYZ";
  const bool stay = axes.find_first_not_of(world) == std::string_view::npos;
  if (axes.size() != 3 || (!stay && axes.find_first_not_of(body) != std::string_view::npos))
    refuse("the axes of Euler angles are three letters: xyz for those of the world, XYZ for the body's own");
  Mat3 all;
  for (std::size_t i = 0; i < 3; ++i) {
    Vec3 axis{};
    axis[static_cast<int>((stay ? world : body).find(axes[i]))] = 1;
    const Mat3 one = turn(axis, degrees[i]);
    all = stay ? one * all : all * one;
  }
  return made_of(all, translation);
}

Pose nearest_pose(std::span<const double, 12> rows) {
  Mat3 r{{Vec3{rows[0], rows[1], rows[2]}, Vec3{rows[4], rows[5], rows[6]}, Vec3{rows[8], rows[9], rows[10]}}};
  constexpr double rounded_to_three_digits = 2e-3;  // 2·√3·0.0005 is the most that this rounding makes
  const double departure = departure_from_orthogonality(r);
  if (std::isfinite(departure) && departure > rounded_to_three_digits)
    refuse(
        "the pose is not rigid: max|R^T R - I| is " + std::to_string(departure) +
        ", at most 2e-3 is accepted, as numbers rounded to three digits make it; scale and shear belong into the mesh");
  if (departure <= rounded_to_three_digits && determinant(r) > 0)
    // The mean of a matrix and its inverse transpose, again and again, tends to the nearest rotation, and squares what
    // is missing each time (Higham 1986, "Computing the polar decomposition").
    for (int i = 0; i < 5; ++i) {
      const Mat3 other = transpose(inverse(r));
      for (std::size_t row = 0; row < 3; ++row) r.rows[row] = (r.rows[row] + other.rows[row]) * 0.5;
    }
  return made_of(r, {rows[3], rows[7], rows[11]});
}

}  // namespace tumble
