// SPDX-License-Identifier: Apache-2.0
// Closed meshes of the shapes that robots are described by, faces outward.
#pragma once

#include <tumble/mesh.h>

namespace tumble {

/// Around the origin, with the given edges.
Mesh box_mesh(Vec3 size);
/// Around the origin and the z axis. Its side is a prism of 32 faces with vertices on the cylinder, at most 0.5 % of
/// the radius inside of it.
Mesh cylinder_mesh(double radius, double length);
/// Around the origin. Its vertices are on the sphere, its faces at most 0.5 % of the radius inside of it.
Mesh sphere_mesh(double radius);

}  // namespace tumble
