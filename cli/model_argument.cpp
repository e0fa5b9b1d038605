// SPDX-License-Identifier: Apache-2.0
// Loads meshes and models and builds trees, with a progress bar if it takes long.
#include "cli/model_argument.h"

#include "cli/progress.h"

#include <tumble/error.h>
#include <tumble/io.h>
#include <tumble/solid.h>

#include <chrono>
#include <filesystem>
#include <utility>

namespace tumble::cli {

bool is_stored_model(const std::string& file) {
  const std::string extension = std::filesystem::path(file).extension().string();
  return extension == ".tmbl" || extension == ".TMBL";
}

Mesh mesh_of(const Model& model) {
  const auto copy = [](const auto& range) { return std::vector(range.begin(), range.end()); };
  return {copy(model.vertices()), copy(model.triangles()), copy(model.parts())};
}

Mesh load_triangles(const std::string& file) {
  if (is_stored_model(file)) return mesh_of(load_stored_model(file).model);
  const Progress progress("reading " + file);
  return load_mesh(file);
}

NamedModel load_stored_model(const std::string& file) {
  const Progress progress("opening " + file);
  return {file, load_model(file), {}};
}

NamedModel build_model(const std::string& file, Mesh mesh, const TreeOptions& options) {
  const Progress progress("building the tree of " + file);
  const auto start = std::chrono::steady_clock::now();
  Model model(std::move(mesh), options);
  const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - start;
  return {file, std::move(model), Building{options, elapsed.count()}};
}

NamedModel load_or_build(const std::string& file, const TreeOptions& options) {
  return is_stored_model(file) ? load_stored_model(file) : build_model(file, load_triangles(file), options);
}

void require_closed(const NamedModel& model) {
  const Progress progress("looking whether it is closed: " + model.file);
  try {
    check_closed(model.model);
  } catch (const Error& error) {
    throw Error(error.code(), error.message(), {.file = model.file});
  }
}

}  // namespace tumble::cli
