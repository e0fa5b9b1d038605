// SPDX-License-Identifier: Apache-2.0
// Reads to the end of files, pipes and standard input.
#include "cli/input.h"

#include "io/source.h"

#include <tumble/error.h>

#include <cstdio>
#include <filesystem>
#include <optional>

namespace tumble::cli {

std::string read_all(const std::string& file) {
  const std::filesystem::path path = file;
  std::optional<io::InFile> in;
  if (file != "-") in.emplace(path, io::InFile::Pipes::read);
  constexpr std::size_t step = std::size_t{1} << 20;
  std::string bytes;
  for (std::size_t got = step; got == step;) {
    const std::size_t had = bytes.size();
    bytes.resize(had + step);
    got = in ? in->read(bytes.data() + had, step) : std::fread(bytes.data() + had, 1, step, stdin);
    bytes.resize(had + got);
  }
  if (!in && std::ferror(stdin)) throw Error(ErrorCode::file_access, "cannot be read", {.file = "standard input"});
  return bytes;
}

}  // namespace tumble::cli
