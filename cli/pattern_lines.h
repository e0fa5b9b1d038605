// SPDX-License-Identifier: Apache-2.0
// PatternLines: a text with a few patterns for names in each line.
#pragma once

#include "cli/number_lines.h"

#include <string>
#include <string_view>
#include <vector>

namespace tumble::cli {

/// Words are separated by spaces. One with spaces is put in double quotes, in which \" and \\ stand for " and \. A #
/// that begins a word begins a comment: one inside of a word is part of it, as in the name bolt#2.
class PatternLines {
 public:
  /// "-" is standard input.
  explicit PatternLines(const std::string& file);

  /// The words of the next line that has any; none at the end. Throws Error(file_format) for quotes that are not
  /// closed and for a word that is too long.
  std::vector<std::string> next();
  /// Throws Error(file_format) with the place of the last line.
  [[noreturn]] void fail(const std::string& what) const;

 private:
  std::string quoted(std::string_view& rest) const;

  NumberLines lines_;
};

}  // namespace tumble::cli
