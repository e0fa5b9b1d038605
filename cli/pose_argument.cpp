// SPDX-License-Identifier: Apache-2.0
// Reads a pose from an argument, a file or standard input.
#include "cli/pose_argument.h"

#include "cli/number_lines.h"
#include "cli/text.h"
#include "io/pose_words.h"

#include <fmt/format.h>

namespace tumble::cli {
namespace {

constexpr NumbersWanted pose_wanted{"pose", "12 numbers, row-major [R|t]", 16, ErrorCode::invalid_pose};
constexpr char rounded[] = "as numbers rounded to three digits do; the nearest rotation is used";

}  // namespace

std::string file_of_pose(const std::optional<std::string>& argument) {
  return argument && argument->starts_with('@') ? argument->substr(1) : "";
}

Pose parse_pose(const std::string& argument, std::string_view option) {
  io::PoseWords words;
  Place place{.file = std::string(option)};
  const char* hint = "; write @FILE to read it from a file";
  if (!argument.starts_with('@')) {
    words.add(argument, place);
  } else {
    NumberLines lines(argument.substr(1), pose_wanted);
    while (const auto line = lines.next_line()) words.add(*line, lines.place());
    place = {.file = lines.place().file};
    hint = "";
  }
  const auto [pose, was_rounded] = words.make_of_rounded(place, hint);
  if (was_rounded) note(fmt::format("{}: the matrix is not quite a rotation, {}", place.file, rounded));
  return pose;
}

std::vector<Pose> read_poses(const std::string& file) {
  std::vector<Pose> poses;
  std::size_t rounded_ones = 0;
  std::int64_t first_rounded = 0;
  NumberLines lines(file, pose_wanted);
  while (const auto line = lines.next_line()) {
    io::PoseWords words;
    words.add(*line, lines.place());
    if (words.empty()) continue;
    const auto [pose, was_rounded] = words.make_of_rounded(lines.place(), "");
    if (was_rounded && rounded_ones++ == 0) first_rounded = lines.place().line;
    poses.push_back(pose);
  }
  if (poses.empty()) throw Error(ErrorCode::invalid_pose, "there is no pose in it", {.file = lines.place().file});
  if (rounded_ones > 0)
    note(fmt::format("{}: of {}, {}, the first in line {}, are not quite rotations, {}", lines.place().file,
                     count(poses.size(), "pose"), rounded_ones, first_rounded, rounded));
  return poses;
}

}  // namespace tumble::cli
