// SPDX-License-Identifier: Apache-2.0
// The whole contents of what a command line names.
#pragma once

#include <string>

namespace tumble::cli {

/// Of a file, a pipe or, for "-", standard input. Throws Error(file_access).
std::string read_all(const std::string& file);

}  // namespace tumble::cli
