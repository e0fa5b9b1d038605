// SPDX-License-Identifier: Apache-2.0
// Real CAD parts, from a folder of meshes that may lie beside the repository.
#pragma once

#include "lab/table.h"
#include "scenes/moving_bodies.h"
#include "scenes/placings.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tumble::lab {

struct RealParts {
  std::string first, second;  // files, relative to the folder
  Mesh env, object;           // each scaled to size 1
};

/// The folder of meshes; none if it, or `part` of it, is not there.
std::optional<std::filesystem::path> real_data(const std::filesystem::path& part);
/// Of a matrix of four rows, as the folder's lists of placed meshes have it.
Pose pose_of(const Json& matrix);

/// None if the folder, or one of the files, is not there.
std::optional<RealParts> real_parts();
/// The second part pushed towards the first until they touch, and back by so much.
scenes::Placing pushed_together(const RealParts& parts, double gap);

/// A heap, as scenes::falling_heap() makes it, of parts, tools and animals, which are these files.
std::vector<std::string> real_heap_files();
std::optional<scenes::MovingBodies> real_heap(std::size_t bodies, std::size_t steps);
/// A rig of 80 servos, brackets, screws and nuts, drawn apart from its middle. Parts are off their places by some
/// hundredths of a millimetre, as real ones are: faces that lie on each other to the last bit are contacts that
/// libraries which round do not find.
std::optional<scenes::MovingBodies> real_assembly(std::size_t steps);

}  // namespace tumble::lab
