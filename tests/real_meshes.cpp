// SPDX-License-Identifier: Apache-2.0
// The only file of the tests that is compiled for one checkout alone: it knows where that is.
#include "real_meshes.h"

#include <cstdio>

namespace tumble::testing {

std::filesystem::path repository() { return TUMBLE_SOURCE_DIR; }
std::filesystem::path part_file() { return repository() / "tests/data/mid_part.stl"; }
std::filesystem::path nut_file() { return repository() / "tests/data/nut_4.stl"; }

std::optional<std::filesystem::path> further_meshes() {
  const std::filesystem::path folder = repository() / "../shared/data";
  if (std::filesystem::exists(folder)) return folder;
  std::printf("[ NOTE     ] no meshes beside the repository: only those in tests/data are used\n");
  return std::nullopt;
}

}  // namespace tumble::testing
