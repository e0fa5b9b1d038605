// SPDX-License-Identifier: Apache-2.0
// Reads a pose from an argument, a file or standard input.
#include "cli/pose_argument.h"

#include "cli/number_lines.h"

#include <span>

namespace tumble::cli {
namespace {

constexpr NumbersWanted pose_wanted{"pose", "12 numbers, row-major [R|t]", 16, ErrorCode::invalid_pose};

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
    parse_numbers(argument, source, pose_wanted, numbers);
    return make_pose(numbers, source, "; write @FILE to read them from a file");
  }
  NumberLines lines(argument.substr(1), pose_wanted);
  while (lines.next(numbers)) continue;
  return make_pose(numbers, {.file = lines.place().file}, "");
}

std::vector<Pose> read_poses(const std::string& file) {
  std::vector<Pose> poses;
  std::vector<double> numbers;
  for (NumberLines lines(file, pose_wanted); lines.next(numbers); numbers.clear())
    poses.push_back(make_pose(numbers, lines.place(), ""));
  if (poses.empty())
    throw Error(ErrorCode::invalid_pose, "there is no pose in it", {.file = file == "-" ? "standard input" : file});
  return poses;
}

}  // namespace tumble::cli
