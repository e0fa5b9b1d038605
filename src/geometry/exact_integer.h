// SPDX-License-Identifier: Apache-2.0
// Determinants in exact integers, for coordinates so small that expansions would underflow. Slow, and never wrong.
#pragma once

#include "geometry/predicates.h"

#include <span>

namespace tumble {

/// Determinant of the 2x2 or 3x3 matrix with entries to[i] − from[i], by rows.
Scaled integer_determinant(std::span<const double> from, std::span<const double> to);

}  // namespace tumble
