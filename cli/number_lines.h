// SPDX-License-Identifier: Apache-2.0
// Numbers in text: on a command line, or line by line in a file with # for comments.
#pragma once

#include "io/source.h"

#include <tumble/error.h>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tumble::cli {

/// What a line must hold, for messages.
struct NumbersWanted {
  const char* noun;          // "pose"
  const char* what_it_is;    // "12 numbers, row-major [R|t]"
  std::size_t most_numbers;  // of its longest form
  ErrorCode code;            // of the error for a line that does not hold one
};

/// Adds the numbers of a text. Throws at one too many.
void parse_numbers(std::string_view text, const Place& source, const NumbersWanted& wanted,
                   std::vector<double>& numbers);

/// A regular file, a pipe or, for "-", standard input, read line by line: it is never in memory as a whole.
class NumberLines {
 public:
  NumberLines(const std::string& file, const NumbersWanted& wanted);

  /// Adds the numbers of the next line that has any; false at the end.
  bool next(std::vector<double>& numbers);
  /// The next line without its comment, valid until the next call; none at the end.
  std::optional<std::string_view> next_line();
  /// The same, with its comment.
  std::optional<std::string_view> next_whole_line();
  /// The place of the last line.
  const Place& place() const { return place_; }

 private:
  void fill();
  std::size_t read(char* into, std::size_t size);

  NumbersWanted wanted_;
  std::filesystem::path path_;  // the open file refers to it
  std::optional<io::InFile> file_;
  std::string buffer_;
  std::size_t begin_ = 0;  // of the next line
  Place place_;
};

}  // namespace tumble::cli
