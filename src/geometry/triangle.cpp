// SPDX-License-Identifier: Apache-2.0
// Order among a triangle's corners.
#include "geometry/triangle.h"

#include <utility>

namespace tumble {

// By how many of the others come before each corner, without branches that would be mispredicted.
Corners sorted(const Corners& t) {
  const std::size_t first_second = lexicographic_less(t[0], t[1]), first_third = lexicographic_less(t[0], t[2]),
                    second_third = lexicographic_less(t[1], t[2]);
  Corners s;
  s[2 - first_second - first_third] = t[0];
  s[1 + first_second - second_third] = t[1];
  s[first_third + second_third] = t[2];
  return s;
}

Segment segment_of(const Corners& t) {
  const Corners s = sorted(t);
  return {s[0], s[2]};
}

}  // namespace tumble
