// SPDX-License-Identifier: Apache-2.0
// From exact minors, scaled before they are squared.
#include "geometry/unit_normal.h"

#include "math/power_of_two.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>

namespace tumble {

UnitNormal unit_normal(const Corners& t) {
  std::array<Scaled, 3> component;
  int exponent = std::numeric_limits<int>::min();
  for (int axis = 0; axis < 3; ++axis) {
    Scaled& c = component[static_cast<std::size_t>(axis)];
    c = orient2d_value(project(t[0], axis), project(t[1], axis), project(t[2], axis));
    const Fraction fraction = fraction_of(c.value);
    c.value = fraction.value;
    c.exponent += fraction.exponent;
    if (c.value != 0) exponent = std::max(exponent, c.exponent);
  }
  const auto aligned = [exponent](const Scaled& c) {
    return c.value == 0 ? 0 : times_power_of_two(c.value, std::max(c.exponent - exponent, -1000));
  };
  const Vec3 n{aligned(component[0]), aligned(component[1]), aligned(component[2])};
  return {n / length(n), {length(n), exponent}};
}

}  // namespace tumble
