// SPDX-License-Identifier: Apache-2.0
// What neighbour finding asks of boxes. All of it is exact: comparisons of coordinates as they are.
#pragma once

#include <tumble/mesh.h>

#include <algorithm>

namespace tumble {

inline bool overlap(const Box& a, const Box& b) {
  // Without branches: which test fails cannot be foretold.
  return (a.lower.x <= b.upper.x) & (b.lower.x <= a.upper.x) & (a.lower.y <= b.upper.y) & (b.lower.y <= a.upper.y) &
         (a.lower.z <= b.upper.z) & (b.lower.z <= a.upper.z);
}

inline bool contains(const Box& outer, const Box& inner) {
  return (outer.lower.x <= inner.lower.x) & (inner.upper.x <= outer.upper.x) & (outer.lower.y <= inner.lower.y) &
         (inner.upper.y <= outer.upper.y) & (outer.lower.z <= inner.lower.z) & (inner.upper.z <= outer.upper.z);
}

inline void stretch(Box& box, const Box& over) {
  box.lower.x = std::min(box.lower.x, over.lower.x);
  box.lower.y = std::min(box.lower.y, over.lower.y);
  box.lower.z = std::min(box.lower.z, over.lower.z);
  box.upper.x = std::max(box.upper.x, over.upper.x);
  box.upper.y = std::max(box.upper.y, over.upper.y);
  box.upper.z = std::max(box.upper.z, over.upper.z);
}

}  // namespace tumble
