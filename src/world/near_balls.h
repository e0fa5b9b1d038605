// SPDX-License-Identifier: Apache-2.0
// Which of few balls meet.
#pragma once

#include "world/body_shape.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace tumble {

/// As many as have a bit each.
inline constexpr std::size_t most_balls = 64;

/// Bit b of near[a] is set where that of tested[a] is, unless balls a and b are certainly apart.
void near_balls(std::span<const Ball> balls, std::span<const std::uint64_t> tested, std::span<std::uint64_t> near);

}  // namespace tumble
