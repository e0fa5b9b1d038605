// SPDX-License-Identifier: Apache-2.0
// Divides a shape of OpenCASCADE into triangles that share vertices along the shape's edges.
#pragma once

#include <tumble/mesh.h>

#include <cstddef>

class TopoDS_Shape;

namespace tumble::step {

struct Tessellation {
  Mesh mesh;
  std::size_t missing_faces = 0;  // that could not be divided
};

bool has_faces(const TopoDS_Shape& shape);
/// The diagonal of the shape's box.
double size_of(const TopoDS_Shape& shape);
/// `deflection` in the shape's units, `angle` in radians.
Tessellation tessellate(const TopoDS_Shape& shape, double deflection, double angle);

}  // namespace tumble::step
