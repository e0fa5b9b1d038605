// SPDX-License-Identifier: Apache-2.0
// How wide cones around the directions of a set must be to cover all directions.
#pragma once

#include "core/assert.h"

namespace tumble {

/// The cosine of the largest angle between any direction and the nearest of a set, rounded down (Fünzig 2003, Table 1,
/// whose value for 12 is wrong). It is the largest empty circle through three directions; a test computes it again.
inline double covering_cosine(int k) {
  switch (k) {
    case 6:
    case 8: return 0.57735026;
    case 12: return 0.79465447;
    case 14: return 0.80689822;
    case 18: return 0.81649658;
    case 26: return 0.88645188;
    case 50: return 0.92475504;
    case 98: return 0.95290965;
    default: TUMBLE_ASSERT(false); return 0;
  }
}

}  // namespace tumble
