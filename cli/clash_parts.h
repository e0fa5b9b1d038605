// SPDX-License-Identifier: Apache-2.0
// The parts that tumble clash compares: those of all files and folders of a command line, under names of their own.
#pragma once

#include "assembly/unique_names.h"
#include "cli/clash_findings.h"
#include "cli/part_files.h"

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace tumble::cli {

class ClashParts {
 public:
  /// Reads all files, with progress bars. Throws Error, also if there are fewer than two parts.
  ClashParts(const std::vector<std::string>& inputs, const PartFileOptions& options);

  /// The parts and what is to be told of them, without any pairs. They ignore none by name: see ignored().
  const ClashFindings& described() const { return described_; }
  /// The pairs that files ignore, each among its own parts and by the names it gives them; for ClashOptions::ignore.
  const std::vector<std::array<std::vector<std::size_t>, 2>>& ignored() const { return ignored_; }

 private:
  void add(const std::string& file, PartFile loaded);
  void describe();

  ClashFindings described_;
  UniqueNames unique_group_;
  std::vector<std::array<std::vector<std::size_t>, 2>> ignored_;
};

}  // namespace tumble::cli
