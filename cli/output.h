// SPDX-License-Identifier: Apache-2.0
// Output: a result file that appears whole or not at all.
#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace tumble::cli {

class UnfinishedFile;

class Output {
 public:
  /// A file, or "-" for standard output. Opened at once: a wrong name fails before any work is done.
  explicit Output(const std::string& name);
  /// Without finish(), leaves nothing behind.
  ~Output();
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  void write(std::string_view text);
  /// Puts the file in its place.
  void finish();

 private:
  [[noreturn]] void fail(const std::string& what, int error) const;

  const std::string name_;
  std::filesystem::path target_;     // where it will be
  std::filesystem::path temporary_;  // beside it; empty when written directly (standard output, devices, pipes)
  std::FILE* file_ = nullptr;
  std::unique_ptr<UnfinishedFile> unfinished_;
};

/// Throws if anything printed so far could not be written.
void flush_standard_output();

}  // namespace tumble::cli
