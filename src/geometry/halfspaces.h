// SPDX-License-Identifier: Apache-2.0
// The boundary of an intersection of half-spaces: its corners and faces.
#pragma once

#include <tumble/vec.h>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace tumble {

/// The points x with normal·x <= offset; the normal need not be of unit length.
struct HalfSpace {
  Vec3 normal;
  double offset = 0;
};

/// The boundary of a convex polyhedron; possibly flat (both sides are faces), a segment or point (no faces), or empty.
struct Polytope {
  std::vector<Vec3> vertices;
  std::vector<std::uint32_t> face_plane;     // which half-space each face lies on
  std::vector<std::uint32_t> face_begin{0};  // of each face's ring in `rings`, and the end
  std::vector<std::uint32_t> rings;          // vertices, counter-clockwise seen from outside
  /// Corners are rounded, and not outward: in any direction the true set reaches at most this much farther than the
  /// vertices. A bound of the set by its vertices must add it.
  double margin = 0;

  std::size_t face_count() const { return face_plane.size(); }
  std::span<const std::uint32_t> ring(std::size_t face) const {
    return std::span(rings).subspan(face_begin[face], face_begin[face + 1] - face_begin[face]);
  }
};

/// The hull of the dual points (Klosowski 1998, section 4.1) has at most 2n − 4 facets, so there are at most that many
/// vertices. For thin and flat sets the dual grows without bounds; they are clipped instead. Clipping a polygon in each
/// plane works for all sets, with a wider margin; for few planes it is much faster.
enum class IntersectBy { dual_hull, clipping };

/// The intersection; half-spaces may be redundant, repeated or only touch it. It must lie within `reach` of `middle`,
/// which need not be inside.
Polytope intersection(std::span<const HalfSpace> spaces, Vec3 middle, double reach,
                      IntersectBy way = IntersectBy::dual_hull);

/// The faces cut into triangles, outward.
std::vector<std::array<std::uint32_t, 3>> triangulate(const Polytope& polytope);

}  // namespace tumble
