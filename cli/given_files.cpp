// SPDX-License-Identifier: Apache-2.0
// Compares files by where they are, not by how they are spelled.
#include "cli/given_files.h"

#include <tumble/error.h>

#include <filesystem>

namespace tumble::cli {
namespace {

bool same_place(const std::string& a, const std::string& b) {
  if (a == b) return true;
  if (a == "-" || b == "-") return false;
  std::error_code failed;  // ignored here: opening the file reports it
  const std::filesystem::path real_a = std::filesystem::weakly_canonical(std::filesystem::absolute(a), failed);
  if (failed) return false;
  return real_a == std::filesystem::weakly_canonical(std::filesystem::absolute(b), failed) && !failed;
}

void require_different(const GivenFile& one, const GivenFile& other) {
  if (!one.file.empty() && !other.file.empty() && same_place(one.file, other.file))
    throw Error(
        ErrorCode::invalid_argument,
        std::string("is named by both ") + one.argument + " and " + other.argument + "; give one of them another file",
        {.file = one.file == "-" ? "standard output" : one.file});
}

}  // namespace

void check_files(const std::vector<GivenFile>& read, const std::vector<GivenFile>& written) {
  const GivenFile* standard_input = nullptr;
  for (const GivenFile& input : read) {
    if (input.file != "-") continue;
    if (standard_input)
      throw Error(ErrorCode::invalid_argument,
                  std::string("standard input cannot be both ") + standard_input->argument + " and " + input.argument);
    standard_input = &input;
  }
  for (std::size_t i = 0; i < written.size(); ++i) {
    for (std::size_t j = i + 1; j < written.size(); ++j) require_different(written[i], written[j]);
    for (const GivenFile& input : read)
      if (input.file != "-") require_different(written[i], input);  // in and out are two streams
  }
}

}  // namespace tumble::cli
