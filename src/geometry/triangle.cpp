// SPDX-License-Identifier: Apache-2.0
// Order among a triangle's corners.
#include "geometry/triangle.h"

#include <utility>

namespace tumble {

Corners sorted(const Corners& t) {
  Corners s = t;
  if (lexicographic_less(s[1], s[0])) std::swap(s[0], s[1]);
  if (lexicographic_less(s[2], s[1])) std::swap(s[1], s[2]);
  if (lexicographic_less(s[1], s[0])) std::swap(s[0], s[1]);
  return s;
}

Segment segment_of(const Corners& t) {
  const Corners s = sorted(t);
  return {s[0], s[2]};
}

}  // namespace tumble
