// SPDX-License-Identifier: Apache-2.0
// Determinants in exact integers, for coordinates so small that expansions would underflow. Slow, and never wrong.
#pragma once

#include "geometry/predicates.h"

#include <span>

namespace tumble {

/// Determinant of the 2x2 matrix of q − p, r − p, or of the 3x3 matrix of q − p, r − p, s − p: `points` holds 3
/// points of 2 coordinates or 4 points of 3, one after the other.
Scaled integer_orientation(std::span<const double> points);

}  // namespace tumble
