// SPDX-License-Identifier: Apache-2.0
// The checks a mesh must pass before any other code relies on it.
#include <tumble/error.h>
#include <tumble/mesh.h>

namespace tumble {

void check(const Mesh& mesh) {
  const auto fail = [](const std::string& what, Place place) {
    throw Error(ErrorCode::invalid_mesh, what, std::move(place));
  };
  constexpr std::size_t most = std::size_t{1} << 31;  // ids fit 32 bits with room for flags
  if (mesh.vertices.size() > most || mesh.triangles.size() > most)
    fail("more than 2^31 vertices or triangles; split the mesh", {});
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
    for (int axis = 0; axis < 3; ++axis)
      if (!(std::abs(mesh.vertices[v][axis]) <= max_coordinate))  // false for NaN
        fail("a coordinate is not finite or above 1e100 in magnitude", {.file = {}, .vertex = std::int64_t(v)});
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    for (const std::uint32_t index : mesh.triangles[t])
      if (index >= mesh.vertices.size())
        fail("vertex index " + std::to_string(index) + " is out of range: the mesh has " +
                 std::to_string(mesh.vertices.size()) + " vertices",
             {.file = {}, .triangle = std::int64_t(t)});
  std::size_t end = 0;
  for (const Part& part : mesh.parts) {
    if (part.first_triangle < end) fail("part '" + part.name + "' overlaps the part before it", {});
    end = std::size_t{part.first_triangle} + part.triangle_count;
    if (end > mesh.triangles.size()) fail("part '" + part.name + "' reaches past the last triangle", {});
  }
}

}  // namespace tumble
