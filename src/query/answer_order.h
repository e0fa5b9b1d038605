// SPDX-License-Identifier: Apache-2.0
// The order of contacts and near pairs in answers: by triangle of a, then of b (docs/semantics.md, promise 3).
#pragma once

#include "geometry/triangle.h"

#include <tumble/contact.h>
#include <tumble/distance.h>

#include <cstdint>

namespace tumble {

inline constexpr auto contact_order = [](const auto& pair) {
  return std::uint64_t{pair.triangle_a} << 32 | pair.triangle_b;
};

// What is inside comes first, and of two such entries, which may name the same two triangles, by place.

inline bool contact_before(const Contact& a, const Contact& b) {
  if (contact_order(a) != contact_order(b)) return contact_order(a) < contact_order(b);
  const bool a_inside = a.kind == ContactKind::inside, b_inside = b.kind == ContactKind::inside;
  return a_inside != b_inside ? a_inside : lexicographic_less(a.point, b.point);
}

inline bool near_before(const NearPair& a, const NearPair& b) {
  if (contact_order(a) != contact_order(b)) return contact_order(a) < contact_order(b);
  return a.inside != b.inside ? a.inside : lexicographic_less(a.point_a, b.point_a);
}

}  // namespace tumble
