// SPDX-License-Identifier: Apache-2.0
// The axis-aligned box of a mesh's faces.
#include "math/transform.h"
#include "mesh/growing_box.h"

namespace tumble {

GrowingBox box_of(std::span<const Vec3> vertices, std::span<const Triangle> triangles) {
  GrowingBox box;
  for (const Triangle& triangle : triangles)
    for (const std::uint32_t v : triangle) box.grow(vertices[v]);
  return box;
}

GrowingBox box_of(std::span<const Vec3> vertices, std::span<const Triangle> triangles, const Pose& pose) {
  if (pose.is_identity()) return box_of(vertices, triangles);
  GrowingBox box;
  for (const Triangle& triangle : triangles)
    for (const std::uint32_t v : triangle) box.grow(to_world(pose, vertices[v]));
  return box;
}

Box bounding_box(const Mesh& mesh) { return box_of(mesh.vertices, mesh.triangles); }

}  // namespace tumble
