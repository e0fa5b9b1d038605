// SPDX-License-Identifier: Apache-2.0
// Finds the format of a file by its name.
#include <tumble/error.h>
#include <tumble/io.h>

#include <algorithm>
#include <string>

namespace tumble {

MeshFormat format_of(const std::filesystem::path& file) {
  std::string extension = file.extension().string();
  std::ranges::transform(extension, extension.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
  if (extension == ".stl") return MeshFormat::stl;
  if (extension == ".obj") return MeshFormat::obj;
  if (extension == ".ply") return MeshFormat::ply;
  if (extension == ".off") return MeshFormat::off;
  if (extension == ".gltf") return MeshFormat::gltf;
  if (extension == ".glb") return MeshFormat::glb;
  throw Error(ErrorCode::unsupported,
              "unknown mesh format '" + extension + "'; tumble reads .stl, .obj, .ply, .off, .gltf and .glb",
              {.file = file.string()});
}

}  // namespace tumble
