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
  touch,     // every other contact, all degenerate ones included
  cross,     // each has vertices strictly on both sides of the other's plane; they share a segment
  coplanar,  // the common set has area
  inside,    // solids only: a shell of one body lies inside the other and has no contact with it
};

/// Two triangles that meet. Kind inside is different: one triangle belongs to the shell, `point` is one of its vertices
/// and the whole outline, the other triangle is the other body's nearest to `point`, and `depth` is the distance
/// between those two. Moving a by `depth` along `normal` brings them together.
struct Contact {
  std::uint32_t triangle_a = 0;
  std::uint32_t triangle_b = 0;
  ContactKind kind = ContactKind::touch;
  std::uint8_t vertex_count = 0;   // 1: a point, 2: a segment, 3 to 6: a convex polygon
  std::array<Vec3, 6> vertices{};  // of the common set, in world coordinates, rounded
  Vec3 point{};                    // their middle
  Vec3 normal{};                   // unit, from b to a; NaN if a triangle is degenerate
  double depth = 0;                // least translation along ±normal of either triangle that separates this pair

  std::span<const Vec3> outline() const { return {vertices.data(), vertex_count}; }
};

/// Sorted by triangle of a, then of b.
using Contacts = std::vector<Contact>;

const char* name(ContactKind kind);

}  // namespace tumble
