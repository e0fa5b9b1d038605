// SPDX-License-Identifier: Apache-2.0
// Model: a mesh with its bounding-volume tree, ready to be asked questions.
#pragma once

#include <tumble/mesh.h>
#include <tumble/tree_options.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tumble {

struct ModelData;

/// A cheap handle to constant, shared data: copy it freely, use it from any thread.
class Model {
 public:
  /// Checks the mesh and builds its tree. Throws Error(invalid_mesh), also for a mesh without triangles, and
  /// Error(invalid_argument) for options out of range. Triangles keep their numbers.
  explicit Model(Mesh mesh, const TreeOptions& options = {});

  std::span<const Vec3> vertices() const;  // vertices at equal positions may have been merged
  std::span<const Triangle> triangles() const;
  std::span<const Part> parts() const;
  /// Mesh and tree, and the hull once a World has looked at it. Not counted is what questions about solids and about
  /// bodies that almost touch add when first asked.
  std::size_t bytes() const;

 private:
  friend struct ModelAccess;
  Model() = default;

  std::shared_ptr<const ModelData> data_;
};

/// The size and shape of a tree.
struct TreeStatistics {
  Bound bound = Bound::obb;
  int k = 0;  // 0 for OBBs
  int arity = 0;
  std::size_t triangles = 0, nodes = 0, leaves = 0;
  std::size_t tree_bytes = 0, model_bytes = 0;
  double lanes_per_node = 0, triangles_per_leaf = 0;
  std::vector<std::size_t> leaves_at_depth;  // the root's children are at depth 1
  std::vector<double> volume_at_depth;       // sum over the bounding volumes of that depth, in the object's units cubed
};
TreeStatistics statistics(const Model& model);

/// Checks the shape of the tree, that every triangle is in exactly one leaf, and that every bounding volume holds its
/// triangles and the volumes below it. Returns an empty string, or what is wrong and where.
std::string validate(const Model& model);

/// The bounding volumes at one depth (0: the whole object's) as a mesh with one part each, in the object's coordinates.
Mesh bounds_at_depth(const Model& model, int depth);

/// Writes mesh and tree; the file appears whole or not at all. Reopening maps it and uses it in place.
void save(const Model& model, const std::filesystem::path& file);
/// What save() writes, in memory.
std::vector<std::byte> write_model(const Model& model);
/// Throws Error(file_format) for a file that is truncated, corrupted, foreign or unsound, Error(unsupported) for one
/// of a newer version or another byte order.
Model load_model(const std::filesystem::path& file);
/// The same from memory, which is copied; `name` stands for the file in errors.
Model read_model(std::span<const std::byte> bytes, std::string_view name = "memory");

}  // namespace tumble
