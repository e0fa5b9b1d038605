// SPDX-License-Identifier: Apache-2.0
// MeshFiles: models of the meshes that a description names, each file and scale once.
#pragma once

#include <tumble/model.h>

#include <array>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace tumble {

class MeshFiles {
 public:
  explicit MeshFiles(const TreeOptions& options) : options_(options) {}

  /// The mesh with its scale baked in; one that mirrors turns its faces. Throws Error naming the mesh's file.
  Model load(const std::filesystem::path& file, Vec3 scale);

 private:
  TreeOptions options_;
  std::map<std::pair<std::filesystem::path, std::array<double, 3>>, Model> models_;
};

}  // namespace tumble
