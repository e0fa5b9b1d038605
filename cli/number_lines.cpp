// SPDX-License-Identifier: Apache-2.0
// Reads numbers.
#include "cli/number_lines.h"

#include "io/parse_number.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

namespace tumble::cli {
namespace {

constexpr std::size_t longest_line = 1 << 16;  // a mesh or a device named by mistake has longer lines

}  // namespace

void parse_numbers(std::string_view text, const Place& source, const NumbersWanted& wanted,
                   std::vector<double>& numbers) {
  constexpr std::string_view separators = " \t\r\n,";
  for (std::size_t begin = text.find_first_not_of(separators); begin != text.npos;
       begin = text.find_first_not_of(separators, begin)) {
    const std::size_t end = std::min(text.find_first_of(separators, begin), text.size());
    const std::string_view word = text.substr(begin, end - begin);
    const std::optional<double> value = io::parse_number(word);
    if (!value) throw Error(wanted.code, "'" + std::string(word.substr(0, 40)) + "' is not a number", source);
    if (numbers.size() == wanted.most_numbers)
      throw Error(wanted.code,
                  std::string("a ") + wanted.noun + " is " + wanted.what_it_is + ", and here are more than " +
                      std::to_string(wanted.most_numbers),
                  source);
    numbers.push_back(*value);
    begin = end;
  }
}

NumberLines::NumberLines(const std::string& file, const NumbersWanted& wanted)
    : wanted_(wanted), path_(file), place_{.file = file == "-" ? "standard input" : file, .line = 0} {
  if (file != "-") file_.emplace(path_, io::InFile::Pipes::read);
  buffer_.reserve(2 * longest_line);
  fill();
  if (buffer_.starts_with("\xFF\xFE") || buffer_.starts_with("\xFE\xFF"))
    throw Error(wanted_.code, "it is UTF-16, as PowerShell's > writes it; save it as UTF-8", {.file = place_.file});
  if (buffer_.starts_with("\xEF\xBB\xBF")) begin_ = 3;  // a byte order mark, as some editors write it
}

bool NumberLines::next(std::vector<double>& numbers) {
  const std::size_t before = numbers.size();
  while (const auto line = next_line()) {
    parse_numbers(*line, place_, wanted_, numbers);
    if (numbers.size() > before) return true;
  }
  return false;
}

std::optional<std::string_view> NumberLines::next_line() {
  const auto line = next_whole_line();
  return line ? std::optional(line->substr(0, line->find('#'))) : std::nullopt;
}

std::optional<std::string_view> NumberLines::next_whole_line() {
  std::size_t end = buffer_.find('\n', begin_);
  if (end == std::string::npos) {
    fill();
    end = buffer_.find('\n', begin_);
  }
  if (begin_ == buffer_.size()) return {};
  ++place_.line;
  end = std::min(end, buffer_.size());
  if (end - begin_ >= longest_line)
    throw Error(wanted_.code, std::string("the line is too long for a ") + wanted_.noun, place_);
  const std::string_view line = std::string_view(buffer_).substr(begin_, end - begin_);
  begin_ = std::min(end + 1, buffer_.size());
  return line;
}

/// Moves the rest of the buffer to its front and reads on behind it.
void NumberLines::fill() {
  buffer_.erase(0, begin_);
  begin_ = 0;
  const std::size_t had = buffer_.size();
  buffer_.resize(had + longest_line);
  buffer_.resize(had + read(buffer_.data() + had, longest_line));
}

std::size_t NumberLines::read(char* into, std::size_t size) {
  if (file_) return file_->read(into, size);
  const std::size_t got = std::fread(into, 1, size, stdin);
  if (std::ferror(stdin))
    throw Error(ErrorCode::file_access, std::string("cannot be read: ") + std::strerror(errno), {.file = place_.file});
  return got;
}

}  // namespace tumble::cli
