// SPDX-License-Identifier: Apache-2.0
// tumble point: how far points are from a surface, and where it is nearest.
#include "cli/choices.h"
#include "cli/command.h"
#include "cli/json.h"
#include "cli/listing.h"
#include "cli/point_arguments.h"
#include "cli/pose_argument.h"
#include "cli/progress.h"
#include "cli/text.h"

#include <tumble/error.h>
#include <tumble/point.h>

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace tumble::cli {
namespace {

struct Options {
  OneBodyOptions body;
  PointArguments points;
  std::optional<double> within;
  Listing listing;
};

struct Answers {
  std::vector<Vec3> points;
  std::vector<std::optional<ClosestPoint>> closest;  // nothing if farther than --within
  std::vector<Side> sides;                           // empty if the mesh is not closed
};

bool is_closed(const Model& model) {
  try {
    check_closed(model);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::not_closed) return false;
    throw;
  }
  return true;
}

void write_json(Output& out, const PlacedModel& body, const Options& options, const Answers& answers) {
  JsonDocument document(out, "point/1");
  document.member("body", to_json(body));
  document.member("closed", !answers.sides.empty());
  document.member("within", or_null(options.within));
  document.list("points", answers.points.size(), [&](std::size_t i) {
    const std::optional<ClosestPoint>& closest = answers.closest[i];
    Json json{{"point", json_point(answers.points[i])},
              {"distance", nullptr},
              {"triangle", nullptr},
              {"closest", nullptr},
              {"side", nullptr}};
    if (closest) {
      json["distance"] = closest->distance;
      json["triangle"] = closest->triangle;
      json["closest"] = json_point(closest->point);
    }
    if (!answers.sides.empty()) json["side"] = name(answers.sides[i]);
    return json;
  });
  document.finish();
}

void print(const PlacedModel& body, const Options& options, const Answers& answers) {
  fmt::print("{}{}\n", printable(body.file), answers.sides.empty() ? " (not closed: it has no inside)" : "");
  const std::size_t count = answers.points.size(), listed = options.listing.in_text(count);
  for (std::size_t i = 0; i < listed; ++i) {
    const std::optional<ClosestPoint>& closest = answers.closest[i];
    const std::string side = answers.sides.empty() ? "" : std::string(", ") + in_words(answers.sides[i]);
    if (closest)
      fmt::print("  {}: {} from {} of triangle {}{}\n", point(answers.points[i]), number(closest->distance),
                 point(closest->point), closest->triangle, side);
    else
      fmt::print("  {}: farther than {}{}\n", point(answers.points[i]), number(*options.within), side);
  }
  if (listed < count) fmt::print("  … and {} more; --all lists them\n", count - listed);
}

Status run(const Options& options, std::optional<Output>& json) {
  Answers answers;
  answers.points = read_points(options.points);
  const PlacedModel body = load(options.body);
  {
    const Progress progress("measuring points");
    answers.closest =
        closest_point_many(body.model, body.pose, answers.points,
                           {.upper_bound = options.within.value_or(std::numeric_limits<double>::infinity())});
    if (is_closed(body.model)) answers.sides = locate_many(body.model, body.pose, answers.points);
  }
  if (options.body.prints()) print(body, options, answers);
  if (json) write_json(*json, body, options, answers);
  const auto touches = [&](const std::optional<ClosestPoint>& c) { return c && (options.within || c->distance == 0); };
  return std::ranges::any_of(answers.closest, touches) || std::ranges::count(answers.sides, Side::inside) > 0
             ? Status::found
             : Status::nothing_found;
}

}  // namespace

Command add_point(CLI::App& tumble) {
  const auto options = std::make_shared<Options>();
  CLI::App* app = add_command(tumble, "point", "Say how far points are from a mesh, and where it is nearest");
  add_one_body(*app, options->body);
  add_points(*app, options->points);
  add_distance(*app, "--within", options->within, "Look no farther than this");
  add_all(*app, options->listing, "point");
  add_json_and_tree(*app, options->body);
  add_details(*app, pose_details);
  add_footer(
      *app,
      joined({pose_help,
              "\n\nThe distance is that of the surface, for points inside a closed mesh, too; it is 0 exactly on the "
              "surface.\nOf a closed mesh the side is told as well, exactly.\n",
              points_help,
              "\nExit status: 0 all points are off the surface and none is inside, 1 some point is on the surface, "
              "inside,\nor within the distance of --within, 2 error.\n\n"
              "Examples:\n"
              "  tumble point housing.stl --point \"0.5 0 1\"\n"
              "  tumble point housing.stl --points probe.txt --within 0.2 --json -"}));
  return about_one_body(
      *app, options->body, [options](std::optional<Output>& json) { return run(*options, json); }, &options->points);
}

}  // namespace tumble::cli
