// SPDX-License-Identifier: Apache-2.0
// Reading STEP files: assemblies of exact shapes, divided into triangles. Link tumble::step, which exists where
// OpenCASCADE was found when tumble was built.
#pragma once

#include <tumble/mesh.h>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tumble {

struct StepOptions {
  /// OpenCASCADE takes points nearer to each other than this for one (Precision::Confusion), in mm.
  static constexpr double least_deflection = 1e-7;
  /// How far triangles may be from the shape, in mm; at least `least_deflection`. By default a thousandth of each
  /// part's size, which is the diagonal of its box.
  std::optional<double> deflection{};
  /// The largest angle between neighbouring triangles of a curved face, in degrees.
  double angle = 15;
};

struct StepAssembly {
  Assembly assembly{};            // in mm, whatever the file is in
  double deflection = 0;          // the largest that was allowed to a part
  std::size_t without_faces = 0;  // products that are only points and curves, and were left out
  std::size_t problems = 0;       // items that OpenCASCADE could not read; what they stand for is missing
  std::string first_problem{};    // in its words
};

/// Reads the assembly tree. An instance is named by its path in it, as in "gearbox/shaft", the root left out; a name
/// that exporters make up for an instance gives way to that of the product. Instances of a product share its mesh.
/// A product is one mesh, however many solids it has; a solid that is closed gives a closed mesh. Throws Error naming
/// the file if it is no STEP file, is cut off, has no faces, refers to other files (none is opened), places products
/// more than a million times or deeper than 256 levels, or if a face cannot be divided into triangles. OpenCASCADE
/// keeps its settings in global variables: call it from one thread at a time.
StepAssembly load_step(const std::filesystem::path& file, const StepOptions& options = {});

}  // namespace tumble
