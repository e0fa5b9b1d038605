// SPDX-License-Identifier: Apache-2.0
// Two real CAD parts, from a folder of meshes that may lie beside the repository.
#pragma once

#include "scenes/placings.h"

#include <filesystem>
#include <optional>
#include <string>

namespace tumble::lab {

struct RealParts {
  std::string first, second;  // files, relative to the folder
  Mesh env, object;           // each scaled to size 1
};

/// The folder of meshes; none if it, or `part` of it, is not there.
std::optional<std::filesystem::path> real_data(const std::filesystem::path& part);

/// None if the folder, or one of the files, is not there.
std::optional<RealParts> real_parts();
/// The second part pushed towards the first until they touch, and back by so much.
scenes::Placing pushed_together(const RealParts& parts, double gap);

}  // namespace tumble::lab
