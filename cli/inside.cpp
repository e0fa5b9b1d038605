// SPDX-License-Identifier: Apache-2.0
// tumble inside: which points are in a solid.
#include "cli/choices.h"
#include "cli/command.h"
#include "cli/json.h"
#include "cli/listing.h"
#include "cli/point_arguments.h"
#include "cli/pose_argument.h"
#include "cli/progress.h"
#include "cli/text.h"

#include <tumble/point.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

namespace tumble::cli {
namespace {

constexpr std::array all_sides{Side::outside, Side::on_surface, Side::inside};

struct Options {
  OneBodyOptions body;
  PointArguments points;
  Listing listing;
};

std::size_t count_side(const std::vector<Side>& sides, Side side) {
  return static_cast<std::size_t>(std::ranges::count(sides, side));
}

void write_json(Output& out, const PlacedModel& body, const std::vector<Vec3>& points, const std::vector<Side>& sides) {
  Json counts;
  for (const Side side : all_sides) counts[name(side)] = count_side(sides, side);
  JsonDocument document(out, "inside/1");
  document.member("body", to_json(body));
  document.member("counts", counts);
  document.list("points", points.size(), [&](std::size_t i) -> Json {
    return {{"point", json_point(points[i])}, {"side", name(sides[i])}};
  });
  document.finish();
}

void print(const PlacedModel& body, const std::vector<Vec3>& points, const std::vector<Side>& sides,
           std::size_t listed) {
  fmt::print("{}\n", printable(body.file));
  for (const Side side : all_sides) print_row(in_words(side), fmt::to_string(count_side(sides, side)));
  for (std::size_t i = 0; i < listed; ++i) fmt::print("  {}: {}\n", point(points[i]), in_words(sides[i]));
  if (listed < points.size()) fmt::print("  … and {} more; --all lists them\n", points.size() - listed);
}

Status run(const Options& options, std::optional<Output>& json) {
  const std::vector<Vec3> points = read_points(options.points);
  const PlacedModel body = load(options.body);
  require_closed(body);
  std::vector<Side> sides;
  {
    const Progress progress("locating points");
    sides = locate_many(body.model, body.pose, points);
  }
  if (options.body.prints()) print(body, points, sides, options.listing.in_text(points.size()));
  if (json) write_json(*json, body, points, sides);
  return count_side(sides, Side::outside) == sides.size() ? Status::nothing_found : Status::found;
}

}  // namespace

Command add_inside(CLI::App& tumble) {
  const auto options = std::make_shared<Options>();
  CLI::App* app = add_command(tumble, "inside", "Say which points are inside a closed mesh");
  add_one_body(*app, options->body);
  add_points(*app, options->points);
  add_all(*app, options->listing, "point");
  add_json_and_tree(*app, options->body);
  add_details(*app, pose_details);
  add_footer(
      *app,
      joined({pose_help,
              "\n\nInside is where the winding number is not zero; every answer is exact. A mesh that is not closed is "
              "an error.\n",
              points_help,
              "\nExit status: 0 all points are outside, 1 some are inside or on the surface, 2 error.\n\n"
              "Examples:\n"
              "  tumble inside housing.stl --point \"0.5 0 1\"\n"
              "  tumble inside housing.stl --points probe.txt --json -"}));
  return about_one_body(
      *app, options->body, [options](std::optional<Output>& json) { return run(*options, json); }, &options->points);
}

}  // namespace tumble::cli
