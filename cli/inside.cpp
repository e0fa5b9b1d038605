// SPDX-License-Identifier: Apache-2.0
// tumble inside: which points are in a solid.
#include "cli/command.h"
#include "cli/json.h"
#include "cli/model_argument.h"
#include "cli/number_lines.h"
#include "cli/pose_argument.h"
#include "cli/progress.h"
#include "cli/text.h"
#include "cli/tree_options.h"
#include "cli/two_bodies.h"

#include <tumble/error.h>
#include <tumble/solid.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tumble::cli {
namespace {

constexpr std::size_t listed_by_default = 10;
constexpr std::array sides{Side::outside, Side::on_surface, Side::inside};
constexpr NumbersWanted point_wanted{"point", "3 numbers", 3, ErrorCode::invalid_argument};

struct Options {
  std::string file;
  std::vector<std::string> points;
  std::optional<std::string> points_file, pose, json;
  bool all = false;
  TreeOptions tree;
};

struct LocatedPoint {
  Vec3 point;
  Side side;
};

Vec3 make_point(const std::vector<double>& numbers, const Place& source) {
  if (numbers.size() != 3)
    throw Error(ErrorCode::invalid_argument, fmt::format("a point is 3 numbers, not {}", numbers.size()), source);
  for (const double x : numbers)
    if (!(std::abs(x) <= max_coordinate))  // false for NaN
      throw Error(ErrorCode::invalid_argument, "a coordinate is not finite or above 1e100 in magnitude", source);
  return {numbers[0], numbers[1], numbers[2]};
}

/// The points of the command line, then those of the file.
std::vector<Vec3> read_points(const Options& options) {
  std::vector<Vec3> points;
  std::vector<double> numbers;
  for (const std::string& text : options.points) {
    numbers.clear();
    parse_numbers(text, {.file = "--point"}, point_wanted, numbers);
    points.push_back(make_point(numbers, {.file = "--point"}));
  }
  numbers.clear();
  if (options.points_file)
    for (NumberLines lines(*options.points_file, point_wanted); lines.next(numbers); numbers.clear())
      points.push_back(make_point(numbers, lines.place()));
  if (points.empty()) throw Error(ErrorCode::invalid_argument, "which points? give --point \"X Y Z\" or --points FILE");
  return points;
}

std::size_t count_side(const std::vector<LocatedPoint>& points, Side side) {
  return static_cast<std::size_t>(std::ranges::count(points, side, &LocatedPoint::side));
}

void write_json(Output& out, const PlacedModel& body, const std::vector<LocatedPoint>& points) {
  Json counts;
  for (const Side side : sides) counts[name(side)] = count_side(points, side);
  JsonDocument document(out, "inside/1");
  document.member("body", to_json(body));
  document.member("counts", counts);
  document.list("points", points.size(), [&](std::size_t i) -> Json {
    return {{"point", json_point(points[i].point)}, {"side", name(points[i].side)}};
  });
  document.finish();
}

void print(const PlacedModel& body, const std::vector<LocatedPoint>& points, std::size_t listed) {
  fmt::print("{}\n", printable(body.file));
  for (const Side side : sides) print_row(name(side), fmt::to_string(count_side(points, side)));
  for (std::size_t i = 0; i < listed; ++i) fmt::print("  {}: {}\n", point(points[i].point), name(points[i].side));
  if (listed < points.size()) fmt::print("  … and {} more; --all lists them\n", points.size() - listed);
}

Status run(const Options& options) {
  std::optional<Output> json;
  if (options.json) json.emplace(*options.json);
  const Pose pose = options.pose ? parse_pose(*options.pose, "--pose") : Pose{};
  const std::vector<Vec3> points = read_points(options);
  const PlacedModel body{load_or_build(options.file, options.tree), pose};
  require_closed(body);
  std::vector<LocatedPoint> located;
  {
    Progress progress("locating points");
    for (const Vec3& p : points) {
      located.push_back({p, locate(body.model, pose, p)});
      progress.set_share(static_cast<double>(located.size()) / static_cast<double>(points.size()));
    }
  }
  if (options.json != "-")
    print(body, located, options.all ? located.size() : std::min(located.size(), listed_by_default));
  if (json) write_json(*json, body, located);
  return count_side(located, Side::outside) == located.size() ? Status::nothing_found : Status::found;
}

}  // namespace

Command add_inside(CLI::App& tumble) {
  const auto options = std::make_shared<Options>();
  CLI::App* app = tumble.add_subcommand("inside", "Say which points are inside a closed mesh");
  app->add_option("MESH", options->file, std::string("The body: ") + body_help)->required()->option_text(" ");
  app->add_option("--point", options->points, "A point of the world; may be given again")
      ->type_name("\"X Y Z\"")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app->add_option("--points", options->points_file, "A text file with one point per line; - for standard input")
      ->type_name("FILE");
  app->add_option("--pose", options->pose, "Where the body is in the world (below); where its file puts it by default")
      ->type_name("POSE");
  app->add_flag("--all", options->all, "List every point, not only the first " + std::to_string(listed_by_default));
  add_json(*app, options->json);
  add_tree_options(*app, options->tree);
  app->footer(
      std::string(pose_help) +
      "\n\nInside is where the winding number is not zero; every answer is exact. A mesh that is not closed is an "
      "error.\nIn files of points # begins a comment.\n"
      "Exit status: 0 all points are outside, 1 some are inside or on the surface, 2 error.\n\n"
      "Examples:\n"
      "  tumble inside housing.stl --point \"0.5 0 1\"\n"
      "  tumble inside housing.stl --points probe.txt --json -");
  return {app, [options, app] {
            const std::string files[] = {options->file};
            refuse_tree_options_for_stored(*app, files);
            return run(*options);
          }};
}

}  // namespace tumble::cli
