// SPDX-License-Identifier: Apache-2.0
// Manifold: the contacts of two bodies reduced to at most four points that span them.
#pragma once

#include <tumble/contact.h>
#include <tumble/vec.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace tumble {

struct ManifoldPoint {
  Vec3 point{};               // a vertex of the contact's outline
  Vec3 normal{};              // of the contact: unit, from b to a
  double depth = 0;           // of the contact
  std::uint32_t contact = 0;  // its index in the list
};

struct Manifold {
  std::array<ManifoldPoint, 4> points{};
  std::uint8_t count = 0;

  const ManifoldPoint* begin() const { return points.data(); }
  const ManifoldPoint* end() const { return points.data() + count; }
  std::size_t size() const { return count; }
};

/// What a physics engine asks of the contacts of one pair. The first point belongs to the deepest contact. Each other
/// is the outline vertex farthest from the hull of those before it (a point, a segment, a triangle), and is left out if
/// it lies in that hull, roundings aside. So no outline vertex is farther from the first three than the fourth. Ties go
/// to the lexicographically least point, so that swapping the bodies keeps the points. Contacts without a normal, those
/// of degenerate triangles, do not count. The contacts may be in any order; all belong to one pair.
Manifold manifold(std::span<const Contact> contacts);

}  // namespace tumble
