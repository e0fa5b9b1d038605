// SPDX-License-Identifier: Apache-2.0
// The files of a command line: what a command reads and what it writes must not be the same.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tumble::cli {

/// An argument or option and the file it names; "-" is standard input or output, and empty names none.
struct GivenFile {
  enum class Use { once, kept };  // kept: who writes it reads it, too

  const char* argument;
  std::string file;
  Use use = Use::once;

  GivenFile(const char* by, std::string named) : argument(by), file(std::move(named)) {}
  GivenFile(const char* by, const std::optional<std::string>& named, Use how = Use::once)
      : argument(by), file(named.value_or("")), use(how) {}
};

/// Throws Error if standard input or standard output is named twice, if two results would be written to one file, or
/// one over what is read. From then on refuse_written() sees every file that is read.
void check_files(const std::vector<GivenFile>& read, const std::vector<GivenFile>& written);

/// Throws Error if a result is to be written over this file, which a folder or another file brought in. Whoever reads
/// without src/io calls it: for stored models and STEP files.
void refuse_written(const std::filesystem::path& file);

}  // namespace tumble::cli
