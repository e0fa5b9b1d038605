// SPDX-License-Identifier: Apache-2.0
// Chooses the axes of a tree's own frame (a question Klosowski 1998, section 6, leaves open).
#pragma once

#include "tree/frame.h"

#include <span>

namespace tumble {

/// A rotation after which the k-DOPs of the mesh and of its triangles have small surfaces; the identity if nothing
/// better is found. It uses a sample of fixed size, so its cost does not grow with the mesh.
Mat3 tight_orientation(std::span<const Vec3> vertices, std::span<const Triangle> triangles, const Frame& frame, int k);

}  // namespace tumble
