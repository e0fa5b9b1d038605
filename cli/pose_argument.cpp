// SPDX-License-Identifier: Apache-2.0
// Reading a pose from an argument, a file or standard input.
#include "cli/pose_argument.h"

#include "cli/text.h"

#include <tumble/error.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

namespace tumble::cli {
namespace {

constexpr std::size_t longest_text = 1 << 16;  // no pose is longer; a mesh given by mistake is

/// All of it, up to `most` bytes.
std::string read_text(const std::string& file, std::size_t most) {
  const bool standard_input = file == "-";
  const auto fail = [&](const std::string& what) {
    throw Error(ErrorCode::file_access, what, {.file = standard_input ? "standard input" : file});
  };
  const auto close = [](std::FILE* stream) { return stream == stdin ? 0 : std::fclose(stream); };
  const std::unique_ptr<std::FILE, decltype(close)> stream(standard_input ? stdin : std::fopen(file.c_str(), "r"),
                                                           close);
  if (!stream) fail(std::string("cannot read the pose: ") + std::strerror(errno));
  std::string text;
  for (std::size_t size = std::min(most, longest_text);; size = std::min(most, 2 * size)) {
    const std::size_t had = text.size();
    text.resize(size);
    text.resize(had + std::fread(text.data() + had, 1, size - had, stream.get()));
    if (text.size() < size || size == most) break;
  }
  if (std::ferror(stream.get())) fail(std::string("cannot read the pose: ") + std::strerror(errno));
  if (text.size() == most) fail("is too long for poses of 12 numbers");
  return text;
}

std::string without_comments(std::string_view text) {
  std::string kept;
  bool comment = false;
  for (const char c : text) {
    if (c == '#') comment = true;
    if (c == '\n') comment = false;
    if (!comment) kept += c;
  }
  return kept;
}

std::vector<double> parse_numbers(std::string_view text, const Place& source) {
  constexpr std::string_view separators = " \t\r\n,";
  std::vector<double> numbers;
  for (std::size_t begin = text.find_first_not_of(separators); begin != text.npos;
       begin = text.find_first_not_of(separators, begin)) {
    const std::size_t end = std::min(text.find_first_of(separators, begin), text.size());
    const std::string_view word = text.substr(begin, end - begin);
    const std::string_view digits = word.starts_with('+') ? word.substr(1) : word;
    double value = 0;
    const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc{} || stop != digits.data() + digits.size())
      throw Error(ErrorCode::invalid_pose, "'" + std::string(word.substr(0, 40)) + "' is not a number", source);
    numbers.push_back(value);
    begin = end;
  }
  return numbers;
}

Pose make_pose(const std::vector<double>& numbers, const Place& source, const char* hint) {
  try {
    if (numbers.size() == 12) return Pose::from_rows(std::span<const double, 12>(numbers));
    if (numbers.size() == 16) return Pose::from_matrix(std::span<const double, 16>(numbers));
  } catch (const Error& error) {
    throw Error(error.code(), error.message(), source);
  }
  throw Error(ErrorCode::invalid_pose,
              "a pose is 12 numbers, row-major [R|t], not " + std::to_string(numbers.size()) + hint, source);
}

}  // namespace

Pose parse_pose(const std::string& argument, std::string_view option) {
  const bool in_file = argument.starts_with('@');
  const Place source{.file = in_file ? argument.substr(1) : std::string(option)};
  const std::string text = in_file ? without_comments(read_text(source.file, longest_text)) : argument;
  return make_pose(parse_numbers(text, source), source, in_file ? "" : "; write @FILE to read them from a file");
}

std::vector<Pose> read_poses(const std::string& file) {
  const std::string text = without_comments(read_text(file, std::size_t{1} << 40));
  std::vector<Pose> poses;
  Place source{.file = file == "-" ? "standard input" : file, .line = 0};
  for (std::string_view rest = text; !rest.empty();) {
    ++source.line;
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::vector<double> numbers = parse_numbers(rest.substr(0, end), source);
    if (!numbers.empty()) poses.push_back(make_pose(numbers, source, ""));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  if (poses.empty()) throw Error(ErrorCode::invalid_pose, "there is no pose in it", {.file = source.file});
  return poses;
}

}  // namespace tumble::cli
