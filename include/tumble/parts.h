// SPDX-License-Identifier: Apache-2.0
// Parts: placed models with names, as PARTS.json lists them (docs/schemas/parts.schema.json). Link tumble::io.
#pragma once

#include <tumble/model.h>
#include <tumble/pose.h>

#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace tumble {

struct PlacedPart {
  std::string name;
  Model model;
  Pose pose{};
  std::string group{};  // parts of one group move as one and are not tested against each other; empty: none
  bool moves = true;
};

struct Parts {
  std::string units{};  // "m", "cm", "mm", "um", "in" or "ft": of all coordinates; empty: unknown
  std::vector<PlacedPart> parts{};
  /// Pairs of patterns. A part or group whose name fits one is not tested against those that fit the other.
  std::vector<std::array<std::string, 2>> ignore{};
};

/// Reads a PARTS.json. Meshes are those that load_mesh reads, named relative to the file's folder and inside it; their
/// scale is baked in, mirrored ones with their faces turned. A second part of the name bolt becomes bolt#2. Throws
/// Error naming the file and the entry, also for members it does not know and for patterns that no name fits.
Parts load_parts(const std::filesystem::path& file, const TreeOptions& tree = {});

/// The instances of an assembly as parts: one model for each mesh that is used, which its instances share.
Parts place(const Assembly& assembly, const TreeOptions& tree = {});

/// Whether a name fits a pattern: * stands for any characters, ? for any one, each other character for itself.
bool fits(std::string_view name, std::string_view pattern);
/// Whether a part fits a pattern, by its own name or its group's.
bool fits(const PlacedPart& part, std::string_view pattern);

/// Throws Error(invalid_argument) unless some part or group fits each pattern of `ignore`, and the parts of each group
/// agree whether they move.
void check(const Parts& parts);

}  // namespace tumble
