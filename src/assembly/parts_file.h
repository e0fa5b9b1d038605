// SPDX-License-Identifier: Apache-2.0
// PartsFile: a PARTS.json as it is written, before any mesh is read.
#pragma once

#include "io/source.h"

#include <tumble/pose.h>
#include <tumble/vec.h>

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace tumble {

/// Of names, groups and patterns for them, in bytes. Fitting takes up to the product of two lengths.
inline constexpr std::size_t longest_name = 4096;

struct PartsFile {
  struct Entry {
    std::string name, mesh, group;
    Pose pose;
    Vec3 scale{1, 1, 1};
    bool moves = true;
  };
  std::string units;
  std::vector<Entry> parts;
  std::vector<std::array<std::string, 2>> ignore;
};

/// Throws Error naming the file and the entry.
PartsFile read_parts_file(const io::Source& source);

/// How messages name a part: parts[3] 'bolt'.
std::string part_in_words(std::size_t index, const std::string& name);

}  // namespace tumble
