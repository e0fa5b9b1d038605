// SPDX-License-Identifier: Apache-2.0
// Reads a body and points.
#include "cli/point_arguments.h"

#include "cli/choices.h"
#include "cli/given_files.h"
#include "cli/model_argument.h"
#include "cli/number_lines.h"
#include "cli/pose_argument.h"
#include "cli/tree_options.h"

#include <tumble/error.h>

#include <fmt/format.h>

#include <cmath>

namespace tumble::cli {
namespace {

constexpr NumbersWanted point_wanted{"point", "3 numbers", 3, ErrorCode::invalid_argument};

Vec3 make_point(const std::vector<double>& numbers, const Place& source) {
  if (numbers.size() != 3)
    throw Error(ErrorCode::invalid_argument, fmt::format("a point is 3 numbers, not {}", numbers.size()), source);
  for (const double x : numbers)
    if (!(std::abs(x) <= max_coordinate))  // false for NaN
      throw Error(ErrorCode::invalid_argument, "a coordinate is not finite or above 1e100 in magnitude", source);
  return {numbers[0], numbers[1], numbers[2]};
}

}  // namespace

void add_one_body(CLI::App& command, OneBodyOptions& options) {
  add_operand(command, "MESH", options.file, std::string("The body: ") + body_help);
  add_word(command, "--pose", options.pose, "POSE",
           "Where the body is in the world (below); where its file puts it by default");
}

void add_json_and_tree(CLI::App& command, OneBodyOptions& options) {
  add_json(command, options.json);
  add_format(command, options.format);
  add_tree_options(command, options.tree);
}

void add_points(CLI::App& command, PointArguments& arguments) {
  add_words(command, "--point", arguments.points, "\"X Y Z\"", "A point of the world; may be given again");
  add_word(command, "--points", arguments.file, "FILE", "A text file with one point per line; - for standard input");
}

PlacedModel load(const OneBodyOptions& options) {
  const Pose pose = options.pose ? parse_pose(*options.pose, "--pose") : Pose{};
  return {load_or_build(options.file, options.tree, options.format), pose};
}

std::vector<Vec3> read_points(const PointArguments& arguments) {
  std::vector<Vec3> points;
  for (const std::string& text : arguments.points) points.push_back(parse_point(text, "--point"));
  std::vector<double> numbers;
  if (arguments.file)
    for (NumberLines lines(*arguments.file, point_wanted); lines.next(numbers); numbers.clear())
      points.push_back(make_point(numbers, lines.place()));
  if (points.empty()) throw Error(ErrorCode::invalid_argument, "which points? give --point \"X Y Z\" or --points FILE");
  return points;
}

Vec3 parse_point(std::string_view text, const char* option) {
  std::vector<double> numbers;
  parse_numbers(text, {.file = option}, point_wanted, numbers);
  if (numbers.size() == 1)
    throw Error(
        ErrorCode::invalid_argument,
        fmt::format("a point is 3 numbers in one argument: put them in quotes, as in {} \"{} 0 0\"", option, text),
        {.file = option});
  return make_point(numbers, {.file = option});
}

const char* in_words(Side side) { return side == Side::on_surface ? "on surface" : name(side); }

Command about_one_body(CLI::App& command, const OneBodyOptions& options,
                       const std::function<Status(std::optional<Output>& json)>& run, const PointArguments* points) {
  return {&command, [&command, &options, run, points] {
            const std::string files[] = {options.file};
            refuse_tree_options_for_stored(command, files);
            check_format(options.format, files);
            check_files({{"MESH", options.file},
                         {"--pose", file_of_pose(options.pose)},
                         {"--points", points ? points->file : std::nullopt}},
                        {{"--json", options.json}});
            std::optional<Output> json;
            if (options.json) json.emplace(*options.json);
            return run(json);
          }};
}

}  // namespace tumble::cli
