// SPDX-License-Identifier: Apache-2.0
// MeshFiles: models of the meshes that a description names, each file and scale once. A few bytes of a description ask
// for one more scale of a large mesh, so such copies may only have triangles in proportion to the files.
#pragma once

#include <tumble/model.h>

#include <array>
#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace tumble {

class MeshFiles {
 public:
  explicit MeshFiles(const TreeOptions& options) : options_(options) {}

  /// The mesh with its scale baked in; one that mirrors turns its faces. Throws Error naming the mesh's file, also if
  /// there are too many scales.
  Model load(const std::filesystem::path& file, Vec3 scale);

 private:
  void spend(const std::filesystem::path& file, std::size_t triangles);

  TreeOptions options_;
  std::map<std::pair<std::filesystem::path, std::array<double, 3>>, Model> models_;
  std::map<std::filesystem::path, std::size_t> scales_;  // how many of each file
  std::size_t copied_ = 0;                               // triangles of all scales of a file but its first
  std::size_t most_copied_ = std::size_t{1} << 20;       // grows with the files
};

}  // namespace tumble
