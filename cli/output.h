// SPDX-License-Identifier: Apache-2.0
// Output: the destination of a command's result: a file that appears whole or not at all, or standard output.
#pragma once

#include "core/out_file.h"

#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace tumble::cli {

class Output {
 public:
  /// A file, or "-" for standard output. It is opened at once, so that a wrong name fails before any work is done.
  explicit Output(const std::string& name);

  void write(std::string_view text);
  /// Puts the file in its place. Without it, nothing is left behind.
  void finish();
  /// Writes all of it to the disk, where finish() only has to put it in its place.
  void complete();

 private:
  std::optional<OutFile> file_;  // none: standard output
};

/// Finishes the outputs of one command once all of them are complete: if one cannot be written, no file changes. Only a
/// file that cannot be put in its place after that, because somebody changed its folder, leaves the others changed.
/// `write_last` is for a file that puts itself in its place.
void finish_together(std::initializer_list<std::optional<Output>*> outputs,
                     const std::function<void()>& write_last = {});

/// Throws unless `file` could be written now; called before the work for it begins.
void require_writable(const std::string& file);

/// Throws if anything printed so far could not be written.
void flush_standard_output();

}  // namespace tumble::cli
