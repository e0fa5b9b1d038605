// SPDX-License-Identifier: Apache-2.0
// Our own random numbers: the same sequence from the same seed on every machine, unlike std::*_distribution.
#pragma once

#include <tumble/vec.h>

#include <cmath>
#include <cstdint>

namespace tumble::scenes {

/// splitmix64 (Steele, Lea, Flood 2014): a counter stepped by the golden ratio, then mixed. 64 bits of state; any seed
/// is good. Draw in separate statements or braces: C++ does not fix the order of function arguments or operands.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t bits() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  /// In [0, 1), all 53 bits.
  double unit() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
  /// In [low, high).
  double between(double low, double high) { return low + (high - low) * unit(); }
  /// In [0, n); the bias is below n / 2^64.
  std::size_t index(std::size_t n) { return static_cast<std::size_t>(bits() % n); }
  /// In the box [low, high).
  Vec3 in_box(Vec3 low, Vec3 high) {
    return Vec3{between(low.x, high.x), between(low.y, high.y), between(low.z, high.z)};
  }
  /// Uniform on the unit sphere, by rejection.
  Vec3 direction() {
    for (;;) {
      const Vec3 v = in_box({-1, -1, -1}, {1, 1, 1});
      const double square = length_sq(v);
      if (square > 1e-4 && square <= 1) return v / std::sqrt(square);
    }
  }

 private:
  std::uint64_t state_;
};

}  // namespace tumble::scenes
