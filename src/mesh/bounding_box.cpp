// SPDX-License-Identifier: Apache-2.0
// The axis-aligned box of a mesh's faces.
#include <tumble/mesh.h>

#include <algorithm>
#include <limits>

namespace tumble {

Box bounding_box(const Mesh& mesh) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  Box box{{inf, inf, inf}, {-inf, -inf, -inf}};
  for (const Triangle& triangle : mesh.triangles)
    for (const std::uint32_t index : triangle)
      for (int axis = 0; axis < 3; ++axis) {
        const double x = mesh.vertices[index][axis];
        box.lower[axis] = std::min(box.lower[axis], x);
        box.upper[axis] = std::max(box.upper[axis], x);
      }
  return box;
}

}  // namespace tumble
