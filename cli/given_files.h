// SPDX-License-Identifier: Apache-2.0
// The files of a command line: what a command reads and what it writes must not be the same.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tumble::cli {

/// An argument or option and the file it names; "-" is standard input or output, and empty names none.
struct GivenFile {
  const char* argument;
  std::string file;

  GivenFile(const char* by, std::string named) : argument(by), file(std::move(named)) {}
  GivenFile(const char* by, const std::optional<std::string>& named) : argument(by), file(named.value_or("")) {}
};

/// Throws Error if standard input or standard output is named twice, if two results would be written to one file, or
/// one over what is read.
void check_files(const std::vector<GivenFile>& read, const std::vector<GivenFile>& written);

}  // namespace tumble::cli
