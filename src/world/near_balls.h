// SPDX-License-Identifier: Apache-2.0
// Which of few balls meet.
#pragma once

#include "world/body_shape.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace tumble {

/// As many as have a bit each.
inline constexpr std::size_t most_balls = 64;

/// Balls side by side.
struct FewBalls {
  using Row = std::array<double, most_balls>;
  alignas(64) Row x{}, y{}, z{}, radius{};

  void put(std::size_t i, const Ball& ball) {
    x[i] = ball.center.x, y[i] = ball.center.y, z[i] = ball.center.z, radius[i] = ball.radius;
  }
};

/// Bit b of near[a] is set where that of tested[a] is, unless balls a and b are certainly apart.
void near_balls(const FewBalls& balls, std::span<const std::uint64_t> tested, std::span<std::uint64_t> near);

}  // namespace tumble
