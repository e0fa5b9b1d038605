// SPDX-License-Identifier: Apache-2.0
// tumble ray: which triangles a ray or a segment hits.
#include "cli/choices.h"
#include "cli/command.h"
#include "cli/json.h"
#include "cli/point_arguments.h"
#include "cli/pose_argument.h"
#include "cli/text.h"

#include <tumble/error.h>
#include <tumble/point.h>

#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

namespace tumble::cli {
namespace {

struct Options {
  OneBodyOptions body;
  std::string from;
  std::optional<std::string> direction, to;
  bool all = false;
};

template <class RayOrSegment>
std::vector<Hit> ask(const PlacedModel& body, const RayOrSegment& ray, bool all) {
  if (all) return all_hits(body.model, body.pose, ray);
  const std::optional<Hit> hit = first_hit(body.model, body.pose, ray);
  return hit ? std::vector{*hit} : std::vector<Hit>{};
}

Status run(const Options& options, std::optional<Output>& json) {
  const Vec3 from = parse_point(options.from, "--from");
  const Vec3 toward = options.to ? parse_point(*options.to, "--to") : parse_point(*options.direction, "--direction");
  const PlacedModel body = load(options.body);
  const std::vector<Hit> hits =
      options.to ? ask(body, LineSegment{from, toward}, options.all) : ask(body, Ray{from, toward}, options.all);
  if (options.body.prints()) {
    fmt::print("{}: {}\n", printable(body.file),
               hits.empty()  ? "nothing is hit"
               : options.all ? count(hits.size(), "hit")
                             : "hit");
    for (const Hit& hit : hits)
      fmt::print("  triangle {} at t = {}, {}\n", hit.triangle, number(hit.t), point(hit.point));
  }
  if (json) {
    JsonDocument document(*json, "ray/1");
    document.member("body", to_json(body));
    document.member("query", options.all ? "all" : "first");
    document.member("from", json_point(from));
    document.member("direction", options.to ? Json() : json_point(toward));
    document.member("to", options.to ? json_point(toward) : Json());
    document.list("hits", hits.size(), [&](std::size_t i) -> Json {
      return {{"triangle", hits[i].triangle}, {"t", hits[i].t}, {"point", json_point(hits[i].point)}};
    });
    document.finish();
  }
  return hits.empty() ? Status::nothing_found : Status::found;
}

}  // namespace

Command add_ray(CLI::App& tumble) {
  const auto options = std::make_shared<Options>();
  CLI::App* app = add_command(tumble, "ray", "Say what a ray or a segment hits");
  add_one_body(*app, options->body);
  add_word(*app, "--from", options->from, "\"X Y Z\"", "Where the ray or segment begins");
  add_word(*app, "--direction", options->direction, "\"X Y Z\"", "Where the ray goes; of any length but zero");
  add_word(*app, "--to", options->to, "\"X Y Z\"", "Where the segment ends");
  exclude(*app, "--direction", "--to");
  add_flag(*app, "--all", options->all, "List every triangle hit, not only the first");
  add_json_and_tree(*app, options->body);
  add_details(*app, pose_details);
  add_footer(
      *app,
      std::string(pose_help) +
          "\n\nA hit is at FROM + t DIRECTION with t >= 0, or on the segment with t from 0 to 1. Edges and corners "
          "belong to\ntheir triangles, and a ray in a triangle's plane hits it where it first meets it. What is "
          "hit is decided exactly.\n"
          "Exit status: 0 nothing is hit, 1 something is, 2 error.\n\n"
          "Examples:\n"
          "  tumble ray housing.stl --from \"0 0 5\" --direction \"0 0 -1\"\n"
          "  tumble ray housing.stl --from \"0 0 5\" --to \"0 0 1\" --all --json -");
  const Command command =
      about_one_body(*app, options->body, [options](std::optional<Output>& json) { return run(*options, json); });
  return {app, [options, command] {
            if (!options->direction && !options->to)
              throw Error(ErrorCode::invalid_argument, "where to? give --direction \"X Y Z\" or --to \"X Y Z\"");
            return command.run();
          }};
}

}  // namespace tumble::cli
