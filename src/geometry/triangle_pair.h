// SPDX-License-Identifier: Apache-2.0
// Whether and how two closed triangles meet, decided exactly for every input, degenerate triangles included.
#pragma once

#include "geometry/predicates.h"
#include "geometry/triangle.h"

#include <tumble/contact.h>

#include <array>
#include <cstdint>
#include <optional>

namespace tumble {

/// Whether the triangles have a point in common; touching counts. A degenerate triangle counts as the segment or point
/// it is. Symmetric in a and b, and the same for every order of corners.
bool intersects(const Corners& a, const Corners& b);

/// The same, with the kind of contact (docs/semantics.md, promise 1).
std::optional<ContactKind> classify(const Corners& a, const Corners& b);

/// The same for pairs a first look was unsure of.
std::optional<ContactKind> classify_exactly(const Corners& a, const Corners& b);

// The simplices that degenerate triangles are. All are closed.
bool meets(const Vec3& p, const Segment& s);
bool meets(const Vec3& p, const Corners& t);
bool meets(const Segment& s, const Segment& t);
bool meets(const Segment& s, const Corners& t);

/// Whether a point is on a triangle, which may be degenerate.
bool lies_on(const Vec3& p, const Corners& t);

/// A triangle that meets a plane without lying in it. Corner `p` is alone on its side; the two edges from it meet the
/// plane in one point each, the ends of the segment that triangle and plane share.
struct Apex {
  std::uint16_t p = 0, q = 0, r = 0;  // 16 bits, so that an Apex fills a register and is not copied byte by byte
  bool below = false;                 // p is on the negative side, or on the plane with the others above
  bool on_plane = false;              // p is on the plane, and both others on one side
};
Apex apex(const Sides& s);

/// Two apices, wound so that p of each lies above the other's plane. On the planes' common line, directed along the
/// cross product of the normals of that winding, a reaches from its edge pq to pr and b from pr to pq (Guigue &
/// Devillers 2003, section 4.2).
struct Straddle {
  Apex a, b;
};
Straddle straddle(const Sides& a_against_b, const Sides& b_against_a);

}  // namespace tumble
