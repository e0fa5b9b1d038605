// SPDX-License-Identifier: Apache-2.0
// What is tidied up when a signal ends the program: an unfinished output file and the progress bar.
#pragma once

#include <string>

namespace tumble::cli {

/// Installs the handler for the signals that end a program from outside (Ctrl-C and the like).
void clean_up_when_interrupted();

/// Removes `file` on a signal, while this lives. One at a time.
class UnfinishedFile {
 public:
  explicit UnfinishedFile(std::string file);
  ~UnfinishedFile();
  UnfinishedFile(const UnfinishedFile&) = delete;
  UnfinishedFile& operator=(const UnfinishedFile&) = delete;

 private:
  const std::string file_;
};

/// Whether the last line of the terminal is a progress bar to be wiped on a signal.
void set_bar_visible(bool visible);

/// Moves to the line's start and wipes it.
inline constexpr char wipe_line[] = "\r\033[K";

}  // namespace tumble::cli
