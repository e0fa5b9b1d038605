// SPDX-License-Identifier: Apache-2.0
// Where the real meshes are: two in the repository, more in a folder that may be beside it.
#pragma once

#include <cstdio>
#include <filesystem>
#include <optional>

namespace tumble::testing {

inline const std::filesystem::path repository = TUMBLE_SOURCE_DIR;
inline const std::filesystem::path part_file = repository / "tests/data/mid_part.stl";
inline const std::filesystem::path nut_file = repository / "tests/data/nut_4.stl";

/// The folder of further meshes; if it is not there, says what is not tested.
inline std::optional<std::filesystem::path> further_meshes() {
  const std::filesystem::path folder = repository / "../shared/data";
  if (std::filesystem::exists(folder)) return folder;
  std::printf("[ NOTE     ] no meshes beside the repository: only those in tests/data are used\n");
  return std::nullopt;
}

}  // namespace tumble::testing
