// SPDX-License-Identifier: Apache-2.0
// Brings two triangles for the one distance (geometry/distance.h) into an order and units that depend only on them.
#pragma once

#include "geometry/distance.h"
#include "geometry/triangle.h"
#include "math/rounding.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <utility>

namespace tumble {

/// Coordinates relative to an origin, scaled by a power of two to a size near 1: no product overflows or underflows.
class LocalUnits {
 public:
  LocalUnits(const Vec3& origin, double size) : origin_(origin) {
    if (size >= std::numeric_limits<double>::min())
      exponent_ = static_cast<int>(std::bit_cast<std::int64_t>(size) >> 52) - 1022;  // frexp's, without the call
    else
      std::frexp(size, &exponent_);
    half_ = power_of_two(-exponent_ / 2);
    rest_ = power_of_two(-exponent_ - (-exponent_ / 2));
  }

  Corners local(const Corners& t) const {
    return {((t[0] - origin_) * half_) * rest_, ((t[1] - origin_) * half_) * rest_, ((t[2] - origin_) * half_) * rest_};
  }
  Vec3 world(const Vec3& p) const { return (p / half_) / rest_ + origin_; }
  double world_sq(double local_sq) const {
    return std::abs(exponent_) < 500 ? local_sq * power_of_two(2 * exponent_) : std::ldexp(local_sq, 2 * exponent_);
  }

 private:
  Vec3 origin_;
  int exponent_ = 0;
  double half_, rest_;  // two factors, since 2^1074 is no double
};

inline double size_from(const Vec3& origin, const Corners& t) {
  double size = 0;
  for (const Vec3& p : t)
    size = std::max({size, std::abs(p.x - origin.x), std::abs(p.y - origin.y), std::abs(p.z - origin.z)});
  return size;
}

/// a is the lexicographically smaller triangle, the corners of both are in order, and the first of a is the origin.
class OrderedPair {
 public:
  OrderedPair(const Corners& one, const Corners& other)
      : a(sorted(one)),
        b(sorted(other)),
        swapped_(std::ranges::lexicographical_compare(b, a, lexicographic_less)),
        units_(units_in_order()) {}

  Corners a, b;

  Corners local_a() const { return units_.local(a); }
  Corners local_b() const { return units_.local(b); }

  /// Converts a result in local units, for triangles apart, to one for the given triangles.
  TriangleDistance distance(double local_sq, const Vec3& on_a, const Vec3& on_b) const {
    TriangleDistance d{std::max(units_.world_sq(local_sq), std::numeric_limits<double>::denorm_min()),
                       units_.world(on_a), units_.world(on_b)};
    if (swapped_) std::swap(d.on_a, d.on_b);
    return d;
  }

 private:
  LocalUnits units_in_order() {
    if (swapped_) std::swap(a, b);
    return {a[0], std::max(size_from(a[0], a), size_from(a[0], b))};
  }

  bool swapped_;
  LocalUnits units_;
};

}  // namespace tumble
