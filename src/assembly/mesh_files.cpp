// SPDX-License-Identifier: Apache-2.0
// Loads, scales and remembers meshes.
#include "assembly/mesh_files.h"

#include <tumble/error.h>
#include <tumble/io.h>

#include <cmath>

namespace tumble {

Model MeshFiles::load(const std::filesystem::path& file, Vec3 scale) {
  std::error_code error;
  std::filesystem::path key = std::filesystem::canonical(file, error);
  if (error) throw Error(ErrorCode::file_access, "cannot read the file: " + error.message(), {.file = file.string()});
  const std::pair known(std::move(key), std::array{scale.x, scale.y, scale.z});
  if (const auto found = models_.find(known); found != models_.end()) return found->second;
  Mesh mesh = load_mesh(file);
  try {
    for (Vec3& v : mesh.vertices) v = {v.x * scale.x, v.y * scale.y, v.z * scale.z};
    if (std::signbit(scale.x) != (std::signbit(scale.y) != std::signbit(scale.z)))
      for (Triangle& t : mesh.triangles) std::swap(t[1], t[2]);
    return models_.emplace(known, Model(std::move(mesh), options_)).first->second;
  } catch (const Error& failure) {
    Place place = failure.place();
    place.file = file.string();
    throw Error(failure.code(), "as scaled: " + failure.message(), place);
  }
}

}  // namespace tumble
