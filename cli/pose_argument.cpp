// SPDX-License-Identifier: Apache-2.0
// Reading a pose from an argument, a file or standard input.
#include "cli/pose_argument.h"

#include "cli/parse_number.h"
#include "io/source.h"

#include <tumble/error.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>
#include <span>
#include <vector>

namespace tumble::cli {
namespace {

constexpr std::size_t most_numbers = 16;       // of a pose
constexpr std::size_t longest_line = 1 << 16;  // no pose is longer; a mesh or a device given by mistake is

/// A regular file or, for "-", standard input, line by line: it never stands in memory as a whole.
class Lines {
 public:
  explicit Lines(const std::string& file)
      : path_(file), place_{.file = file == "-" ? "standard input" : file, .line = 0} {
    if (file != "-") file_.emplace(path_);
    buffer_.reserve(2 * longest_line);
    fill();
    if (buffer_.starts_with("\xEF\xBB\xBF")) begin_ = 3;  // a byte order mark, as some editors write it
  }

  /// The next line without its comment, valid until the next call; none at the end.
  std::optional<std::string_view> next() {
    std::size_t end = buffer_.find('\n', begin_);
    if (end == std::string::npos) {
      fill();
      end = buffer_.find('\n', begin_);
    }
    if (begin_ == buffer_.size()) return {};
    ++place_.line;
    end = std::min(end, buffer_.size());
    if (end - begin_ >= longest_line) throw Error(ErrorCode::invalid_pose, "the line is too long for a pose", place_);
    const std::string_view line = std::string_view(buffer_).substr(begin_, end - begin_);
    begin_ = std::min(end + 1, buffer_.size());
    return line.substr(0, line.find('#'));
  }

  /// Of the last line.
  const Place& place() const { return place_; }

 private:
  /// Moves what is left to the front and reads behind it.
  void fill() {
    buffer_.erase(0, begin_);
    begin_ = 0;
    const std::size_t had = buffer_.size();
    buffer_.resize(had + longest_line);
    buffer_.resize(had + read(buffer_.data() + had, longest_line));
  }
  std::size_t read(char* into, std::size_t size) {
    if (file_) return file_->read(into, size);
    const std::size_t got = std::fread(into, 1, size, stdin);
    if (std::ferror(stdin))
      throw Error(ErrorCode::file_access, std::string("cannot be read: ") + std::strerror(errno),
                  {.file = place_.file});
    return got;
  }

  std::filesystem::path path_;  // the open file refers to it
  std::optional<io::InFile> file_;
  std::string buffer_;
  std::size_t begin_ = 0;  // of the next line
  Place place_;
};

/// Adds the numbers of a text. Throws at one too many for any pose.
void parse_numbers(std::string_view text, const Place& source, std::vector<double>& numbers) {
  constexpr std::string_view separators = " \t\r\n,";
  for (std::size_t begin = text.find_first_not_of(separators); begin != text.npos;
       begin = text.find_first_not_of(separators, begin)) {
    const std::size_t end = std::min(text.find_first_of(separators, begin), text.size());
    const std::string_view word = text.substr(begin, end - begin);
    const std::optional<double> value = parse_number(word);
    if (!value)
      throw Error(ErrorCode::invalid_pose, "'" + std::string(word.substr(0, 40)) + "' is not a number", source);
    if (numbers.size() == most_numbers)
      throw Error(ErrorCode::invalid_pose, "a pose is 12 numbers, row-major [R|t], and here are more than 16", source);
    numbers.push_back(*value);
    begin = end;
  }
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
  std::vector<double> numbers;
  if (!argument.starts_with('@')) {
    const Place source{.file = std::string(option)};
    parse_numbers(argument, source, numbers);
    return make_pose(numbers, source, "; write @FILE to read them from a file");
  }
  Lines lines(argument.substr(1));
  while (const auto line = lines.next()) parse_numbers(*line, lines.place(), numbers);
  return make_pose(numbers, {.file = lines.place().file}, "");
}

std::vector<Pose> read_poses(const std::string& file) {
  std::vector<Pose> poses;
  std::vector<double> numbers;
  Lines lines(file);
  while (const auto line = lines.next()) {
    numbers.clear();
    parse_numbers(*line, lines.place(), numbers);
    if (!numbers.empty()) poses.push_back(make_pose(numbers, lines.place(), ""));
  }
  if (poses.empty()) throw Error(ErrorCode::invalid_pose, "there is no pose in it", {.file = lines.place().file});
  return poses;
}

}  // namespace tumble::cli
