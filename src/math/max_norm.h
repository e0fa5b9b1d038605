// SPDX-License-Identifier: Apache-2.0
// The largest coordinate of a vector, for bounds that need no square root.
#pragma once

#include <tumble/vec.h>

#include <algorithm>
#include <cmath>

namespace tumble {

[[gnu::always_inline]] inline double max_norm(const Vec3& v) {
  return std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
}

}  // namespace tumble
