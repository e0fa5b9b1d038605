// SPDX-License-Identifier: Apache-2.0
// Compares canonical paths step by step.
#include "io/inside_folder.h"

#include <algorithm>
#include <system_error>
#include <tuple>

namespace tumble::io {

bool is_inside(const std::filesystem::path& file, const std::filesystem::path& folder) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path base = fs::canonical(folder, error);
  const fs::path real = error ? fs::path() : fs::weakly_canonical(file, error);
  return !error && std::mismatch(base.begin(), base.end(), real.begin(), real.end()).first == base.end();
}

bool is_too_long(const std::filesystem::path& file) {
  std::error_code error;
  std::ignore = std::filesystem::status(file, error);
  return error == std::errc::filename_too_long;
}

}  // namespace tumble::io
