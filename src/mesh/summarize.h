// SPDX-License-Identifier: Apache-2.0
// summarize() for vertices and triangles that are not in a Mesh.
#pragma once

#include <tumble/mesh.h>

#include <span>

namespace tumble {

MeshSummary summarize(std::span<const Vec3> vertices, std::span<const Triangle> triangles);

}  // namespace tumble
