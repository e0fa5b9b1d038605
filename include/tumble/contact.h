// SPDX-License-Identifier: Apache-2.0
// Contact: what two touching triangles have in common.
#pragma once

#include <tumble/vec.h>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace tumble {

/// How two closed triangles meet (docs/semantics.md, promise 1).
enum class ContactKind : std::uint8_t {
  touch,     // everything that is neither of the others, all degenerate contacts included
  cross,     // each has vertices strictly on both sides of the other's plane; they share a segment
  coplanar,  // the common set has area
  inside,    // of solids, where asked for: a shell of one body lies inside the other and has no contact with it
};

/// Two triangles that meet; or, of kind inside, a triangle of the shell that is inside and the other body's triangle
/// nearest to the point: one of its vertices, by itself the outline, and `depth` away from that triangle. Moving a by
/// `depth` along `normal` takes it there.
struct Contact {
  std::uint32_t triangle_a = 0;
  std::uint32_t triangle_b = 0;
  ContactKind kind = ContactKind::touch;
  std::uint8_t vertex_count = 0;   // 1: a point, 2: a segment, 3 to 6: a convex polygon
  std::array<Vec3, 6> vertices{};  // of the common set, in world coordinates, correctly placed to rounding
  Vec3 point{};                    // their middle
  Vec3 normal{};                   // unit, from b to a; NaN if a triangle is degenerate
  double depth = 0;                // least translation along ±normal of either triangle that separates this pair

  std::span<const Vec3> outline() const { return {vertices.data(), vertex_count}; }
};

/// Sorted by triangle of a, then of b.
using Contacts = std::vector<Contact>;

const char* name(ContactKind kind);

}  // namespace tumble
