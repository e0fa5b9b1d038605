// SPDX-License-Identifier: Apache-2.0
// The parts that tumble clash compares: those of all files and folders of a command line, under names of their own.
#pragma once

#include "cli/clash_findings.h"
#include "cli/part_files.h"

#include <cstddef>
#include <string>
#include <vector>

namespace tumble::cli {

class ClashParts {
 public:
  /// Reads all files, with progress bars. Throws Error, also if there are fewer than two parts.
  ClashParts(const std::vector<std::string>& inputs, const PartFileOptions& options);

  /// The parts and what is to be told of them, without any pairs.
  const ClashFindings& described() const { return described_; }
  /// Whether the file of both parts says that they are not tested.
  bool are_ignored(std::size_t a, std::size_t b) const;

 private:
  struct File {
    std::size_t first, end;  // its parts
    Parts written;           // under the names they have in it
  };

  void add(const std::string& file, PartFile loaded);
  void describe();

  ClashFindings described_;
  std::vector<File> files_;  // those that ignore pairs, if there are several files
};

}  // namespace tumble::cli
