// SPDX-License-Identifier: Apache-2.0
// The sum of a vector's coordinates without their signs, for bounds that need no square root.
#pragma once

#include <tumble/vec.h>

#include <cmath>

namespace tumble {

/// Never less than the length, and at most √3 times that.
[[gnu::always_inline]] inline double sum_norm(const Vec3& v) { return (std::abs(v.x) + std::abs(v.y)) + std::abs(v.z); }

}  // namespace tumble
