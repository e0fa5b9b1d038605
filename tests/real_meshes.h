// SPDX-License-Identifier: Apache-2.0
// Where the real meshes are: two in the repository, more in a folder that may be beside it.
#pragma once

#include <filesystem>
#include <optional>

namespace tumble::testing {

std::filesystem::path repository();
std::filesystem::path part_file();
std::filesystem::path nut_file();

/// The folder of further meshes; if it is not there, says what is not tested.
std::optional<std::filesystem::path> further_meshes();

}  // namespace tumble::testing
