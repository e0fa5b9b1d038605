// SPDX-License-Identifier: Apache-2.0
// Mass properties: volume, centre and inertia of the solid that a closed mesh encloses, and the area of any mesh.
#pragma once

#include <tumble/mesh.h>
#include <tumble/vec.h>

#include <array>

namespace tumble {

/// Of a body of density 1, in the mesh's own coordinates. For another density, multiply volume and inertia by it.
struct MassProperties {
  double volume = 0;
  Vec3 centre{};
  /// About the centre, by rows, symmetric: the diagonal holds moments, the rest negated products of inertia.
  std::array<Vec3, 3> inertia{};
  bool inside_out = false;  // the fronts of the triangles look inward
};

/// Exact integrals over the enclosed volume, evaluated in double precision and in the order of the triangles: the same
/// on every machine. A region with the winding number n counts n times, so shells must not overlap if the result is to
/// be that of their union; a shell wound the other way is a cavity. Throws Error(not_closed), naming open edges, and
/// Error(invalid_mesh) for a mesh that fails check(), encloses no volume, or is so large or small that a result would
/// overflow or vanish.
MassProperties mass_properties(const Mesh& mesh);

/// The sum of the triangles' areas, closed or not, in the order of the triangles: the same on every machine. Infinite
/// if it is too large for a number. Throws Error(invalid_mesh) for a mesh that fails check().
double surface_area(const Mesh& mesh);

}  // namespace tumble
