// SPDX-License-Identifier: Apache-2.0
// From a pair of meeting triangles to the Contact a caller sees: common set, middle, normal and depth.
#pragma once

#include "geometry/triangle.h"

#include <tumble/contact.h>

#include <cstdint>

namespace tumble {

/// Precondition: classify(a, b) == kind. Triangle ids are left 0.
///
/// `normal` is one of ±the two triangles' unit normals and `depth` the least distance a can be moved along it (or b
/// against it) before the two have no point in common: moving by depth leaves them touching. Depth is exact to
/// 1e-9 of itself plus 1e-13 of the pair's size where the triangles are well shaped; in rounded arithmetic a
/// prism around each triangle, wider by 1e-14 of the pair's size, stands for the triangle, so that depth errs to the
/// large side. Of equal depths the direction nearest to centroid(a) − centroid(b) is taken. NaN if a triangle is
/// degenerate. The result is the same for every order of corners; swapping a and b turns the normal.
Contact make_contact(const Corners& a, const Corners& b, ContactKind kind);

/// The key by which contacts, and pairs of triangles near each other, are sorted in answers: by triangle of a, then of
/// b (docs/semantics.md, promise 3).
constexpr std::uint64_t order_of(std::uint32_t triangle_a, std::uint32_t triangle_b) {
  return std::uint64_t{triangle_a} << 32 | triangle_b;
}
inline constexpr auto contact_order = [](const auto& pair) { return order_of(pair.triangle_a, pair.triangle_b); };

}  // namespace tumble
