// SPDX-License-Identifier: Apache-2.0
// Seeded pairs of triangles, from harmless to hostile, for the oracles and property tests of the geometry room.
#pragma once

#include "geometry/triangle.h"

#include <cstdint>
#include <span>

namespace tumble::testing {

struct TrianglePair {
  Corners a, b;
};

/// SplitMix64 (Steele, Lea & Flood 2014): the same numbers everywhere.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t bits() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  /// In [low, high], both included.
  int integer(int low, int high) { return low + static_cast<int>(bits() % static_cast<std::uint64_t>(high - low + 1)); }
  std::size_t index(std::size_t size) { return static_cast<std::size_t>(bits() % size); }
  /// In [low, high).
  double real(double low = -1, double high = 1) {
    return low + (high - low) * (static_cast<double>(bits() >> 11) * 0x1p-53);
  }
  bool one_in(int n) { return integer(1, n) == 1; }

 private:
  std::uint64_t state_;
};

struct Generator {
  const char* name;
  TrianglePair (*make)(Random&);
};

/// The first is plain random triangles; the others are adversarial.
std::span<const Generator> generators();

/// Moves one coordinate by one ulp.
void nudge(double& x, Random& random);

}  // namespace tumble::testing
