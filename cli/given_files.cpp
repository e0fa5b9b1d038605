// SPDX-License-Identifier: Apache-2.0
// Compares files by where they are, not by how they are spelled.
#include "cli/given_files.h"

#include "core/out_file.h"
#include "io/source.h"

#include <tumble/error.h>

namespace tumble::cli {
namespace {

bool same_place(const std::string& a, const std::string& b) {
  if (a == b) return true;
  if (a == "-" || b == "-") return false;
  std::error_code failed;  // ignored here: opening the file reports it
  const auto real = [&](const std::string& file) {
    return std::filesystem::weakly_canonical(behind_links(std::filesystem::absolute(file)), failed);
  };
  const std::filesystem::path real_a = real(a);
  if (failed) return false;
  return real_a == real(b) && !failed;
}

void require_different(const GivenFile& one, const GivenFile& other) {
  if (!one.file.empty() && !other.file.empty() && same_place(one.file, other.file))
    throw Error(
        ErrorCode::invalid_argument,
        std::string("is named by both ") + one.argument + " and " + other.argument + "; give one of them another file",
        {.file = one.file == "-" ? "standard output" : one.file});
}

/// The files that are there and will be replaced: nothing else may read them.
std::vector<GivenFile>& to_be_replaced() {
  static std::vector<GivenFile> files;
  return files;
}

}  // namespace

void refuse_written(const std::filesystem::path& file) {
  for (const GivenFile& output : to_be_replaced())
    if (same_place(output.file, file.string()))
      throw Error(ErrorCode::invalid_argument,
                  std::string("it is read, and ") + output.argument + " would write over it; give " + output.argument +
                      " another file",
                  {.file = file.string()});
}

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
  std::error_code ignored;  // what is not there cannot be read, and a device keeps what is in it
  for (const GivenFile& output : written)
    if (output.use == GivenFile::Use::once && std::filesystem::is_regular_file(output.file, ignored))
      to_be_replaced().push_back(output);
  io::before_reading(refuse_written);
}

}  // namespace tumble::cli
