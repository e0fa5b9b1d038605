// SPDX-License-Identifier: Apache-2.0
// Unit spheres of exactly n triangles, in tessellations that a paper without a published one may have used.
#pragma once

#include <tumble/mesh.h>

#include <cstddef>
#include <cstdint>

namespace tumble::scenes {

enum class Tessellation {
  even,      // rings of latitude with vertices in proportion to their length: near-equal triangles, any even n
  uv,        // meridians and parallels: 2 * slices * rings, the factors of n / 2 with slices nearest twice the rings
  geodesic,  // a subdivided icosahedron, octahedron or tetrahedron: n = 20, 8 or 4 times a square
  hull,      // the convex hull of n / 2 + 2 seeded random points on the sphere: any even n, irregular
};
const char* name(Tessellation tessellation);

/// Throws Error(invalid_argument) if the tessellation has no sphere of that many triangles. `seed` is for `hull`.
Mesh sphere(std::size_t triangles, Tessellation tessellation = Tessellation::even, std::uint64_t seed = 1);

/// Meridians and parallels: 2 * slices * rings triangles.
Mesh uv_sphere(std::size_t slices, std::size_t rings);

/// Each vertex moved by at most `reach` in each coordinate.
Mesh perturbed(Mesh mesh, double reach, std::uint64_t seed);

}  // namespace tumble::scenes
