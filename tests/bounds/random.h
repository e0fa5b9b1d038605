// SPDX-License-Identifier: Apache-2.0
// Seeded random points for the tests of bounds: clouds, and the flat, straight and coincident sets that break things.
#pragma once

#include <tumble/vec.h>

#include <cstdint>
#include <random>
#include <vector>

namespace tumble {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine_); }
  int integer(int low, int high) { return std::uniform_int_distribution<int>(low, high)(engine_); }
  Vec3 vector(double size) { return {uniform(-size, size), uniform(-size, size), uniform(-size, size)}; }

  /// A cloud of up to `most` points around a random centre, of a random size, and as often as not stretched, flat,
  /// straight, on a coarse grid, or all in one place.
  std::vector<Vec3> cloud(int most, double size = 1) {
    const Vec3 centre = vector(size * 0.5);
    const double radius = size * 0.5 * std::pow(10.0, -uniform(0, 4));
    const Vec3 u = vector(radius), v = vector(radius), w = vector(radius);
    const int shape = integer(0, 7);
    std::vector<Vec3> points(static_cast<std::size_t>(integer(1, most)));
    for (Vec3& p : points) {
      const double a = uniform(-1, 1), b = uniform(-1, 1), c = uniform(-1, 1);
      switch (shape) {
        case 0: p = centre + u * a + v * b; break;
        case 1: p = centre + u * a; break;
        case 2: p = centre; break;
        case 3: p = Vec3{std::round(4 * a), std::round(4 * b), std::round(4 * c)} * (size / 8); break;
        case 4: p = centre + Vec3{a, b, 0} * radius; break;
        case 5: p = centre + Vec3{a, b, c * 1e-5} * radius; break;
        default: p = centre + u * a + v * b + w * c;
      }
    }
    return points;
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace tumble
