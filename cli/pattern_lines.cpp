// SPDX-License-Identifier: Apache-2.0
// Divides lines into words.
#include "cli/pattern_lines.h"

#include "assembly/parts_file.h"
#include "cli/text.h"
#include "io/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace tumble::cli {

PatternLines::PatternLines(const std::string& file)
    : lines_(file, {"list of patterns", "", 0, ErrorCode::file_format}) {}

std::vector<std::string> PatternLines::next() {
  std::vector<std::string> words;
  while (words.empty()) {
    const auto line = lines_.next_whole_line();
    if (!line) break;
    for (std::string_view rest = io::trimmed(*line); !rest.empty() && rest.front() != '#'; rest = io::trimmed(rest)) {
      if (rest.front() == '"') {
        words.push_back(quoted(rest));
      } else {
        const auto end = static_cast<std::size_t>(std::ranges::find_if(rest, io::is_space) - rest.begin());
        words.emplace_back(rest.substr(0, end));
        rest.remove_prefix(end);
      }
      if (words.back().size() > longest_name)
        fail(fmt::format("{} is longer than {} bytes", io::in_quotes(words.back()), longest_name));
    }
  }
  return words;
}

void PatternLines::fail(const std::string& what) const {
  throw Error(ErrorCode::file_format, printable(what), lines_.place());  // a NUL would end the message
}

std::string PatternLines::quoted(std::string_view& rest) const {
  std::string word;
  for (rest.remove_prefix(1); !rest.empty(); rest.remove_prefix(1)) {
    if (rest.front() == '"') {
      rest.remove_prefix(1);
      if (!rest.empty() && !io::is_space(rest.front())) fail("a space is missing after a closing \"");
      return word;
    }
    if (rest.front() == '\\' && rest.size() > 1) rest.remove_prefix(1);
    word += rest.front();
  }
  fail("a \" is not closed");
}

}  // namespace tumble::cli
