// SPDX-License-Identifier: Apache-2.0
// Loads, scales and remembers meshes.
#include "assembly/mesh_files.h"

#include <tumble/error.h>
#include <tumble/io.h>

#include <algorithm>
#include <cmath>

namespace tumble {
namespace {

/// A triangle takes some 100 bytes with its tree, and 20 to 100 in a file: all files may be had at dozens of scales. A
/// file that names others, as a glTF does, or repeats its own data may have fewer bytes than triangles.
constexpr std::size_t copied_per_byte = 1, copied_per_triangle = 4;

}  // namespace

Model MeshFiles::load(const std::filesystem::path& file, Vec3 scale) {
  std::error_code error;
  std::filesystem::path key = std::filesystem::weakly_canonical(file, error);
  if (error) throw Error(ErrorCode::file_access, "cannot read the file: " + error.message(), {.file = file.string()});
  const std::pair known(std::move(key), std::array{scale.x, scale.y, scale.z});
  if (const auto found = models_.find(known); found != models_.end()) return found->second;
  Mesh mesh = load_mesh(file);
  spend(known.first, mesh.triangles.size());
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

void MeshFiles::spend(const std::filesystem::path& file, std::size_t triangles) {
  const std::size_t scales = ++scales_[file];
  if (scales == 1) {
    std::error_code error;
    const std::uintmax_t bytes = std::filesystem::file_size(file, error);
    most_copied_ +=
        std::max(error ? 0 : copied_per_byte * static_cast<std::size_t>(bytes), copied_per_triangle * triangles);
    return;
  }
  copied_ += triangles;
  if (copied_ > most_copied_)
    throw Error(ErrorCode::unsupported,
                "this mesh is asked for at " + std::to_string(scales) + " scales so far, and all scaled copies have " +
                    std::to_string(copied_) +
                    " triangles, far more than the sizes of the files justify; use fewer scales, or store each scaled "
                    "mesh in a file of its own",
                {.file = file.string()});
}

}  // namespace tumble
