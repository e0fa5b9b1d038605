// SPDX-License-Identifier: Apache-2.0
// Polynomials for sines and cosines near 0, to which every angle is brought by quarter turns.
#include "math/turn.h"

#include <cmath>

namespace tumble {

SinCos sin_cos(double angle) {
  // π/2 in two parts: the first has 33 bits, so its product with up to 2^20 quarters is exact, and so is the
  // difference.
  constexpr double quarter_high = 0x1.921fb544p0, quarter_low = 0x1.0b4611a626331p-34,
                   per_quarter = 0x1.45f306dc9c883p-1;
  const double quarters = std::floor(angle * per_quarter + 0.5);
  const double r = (angle - quarters * quarter_high) - quarters * quarter_low;  // at most π/4 and a little
  const double x = r * r;
  // Taylor's polynomials: what they leave out is below 2^-58.
  constexpr auto factorial = [](int n) {
    double product = 1;
    for (int i = 2; i <= n; ++i) product *= i;
    return product;
  };
  double sum_sin = 0, sum_cos = 0;
  constexpr double s[] = {1 / factorial(17), -1 / factorial(15), 1 / factorial(13), -1 / factorial(11),
                          1 / factorial(9),  -1 / factorial(7),  1 / factorial(5),  -1 / factorial(3)};
  constexpr double c[] = {1 / factorial(16), -1 / factorial(14), 1 / factorial(12), -1 / factorial(10),
                          1 / factorial(8),  -1 / factorial(6),  1 / factorial(4),  -1 / factorial(2)};
  for (int i = 0; i < 8; ++i) {
    sum_sin = (sum_sin + s[i]) * x;
    sum_cos = (sum_cos + c[i]) * x;
  }
  const double sine = r + r * sum_sin, cosine = 1 + sum_cos;
  const auto quadrant = static_cast<long long>(quarters) & 3;
  const double sines[] = {sine, cosine, -sine, -cosine};
  return {sines[quadrant], sines[(quadrant + 1) & 3]};
}

double angle_of(double cos, double sin) {
  // Each step leaves the cube of the error, over six, which is below 0.1 at first.
  double angle = sin < cos ? sin : 0x1.921fb54442d18p0 - cos;
  for (int i = 0; i < 4; ++i) {
    const SinCos at = sin_cos(angle);
    angle += sin * at.cos - cos * at.sin;
  }
  return angle;
}

Mat3 rotation_about(const Vec3& axis, double angle) {
  const auto [sine, w] = sin_cos(angle / 2);
  const Vec3 v = axis * sine;
  const double s = 2 / (w * w + length_sq(v));  // the quaternion need not be of length one to the last bit
  return {{Vec3{1 - s * (v.y * v.y + v.z * v.z), s * (v.x * v.y - w * v.z), s * (v.x * v.z + w * v.y)},
           Vec3{s * (v.x * v.y + w * v.z), 1 - s * (v.x * v.x + v.z * v.z), s * (v.y * v.z - w * v.x)},
           Vec3{s * (v.x * v.z - w * v.y), s * (v.y * v.z + w * v.x), 1 - s * (v.x * v.x + v.y * v.y)}}};
}

}  // namespace tumble
