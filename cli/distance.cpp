// SPDX-License-Identifier: Apache-2.0
// tumble distance: how far apart two meshes are, and which triangles are near each other.
#include "cli/budget_argument.h"
#include "cli/choices.h"
#include "cli/command.h"
#include "cli/json.h"
#include "cli/model_argument.h"
#include "cli/output.h"
#include "cli/pair_options.h"
#include "cli/pose_argument.h"
#include "cli/progress.h"
#include "cli/text.h"
#include "cli/tree_options.h"
#include "cli/tree_report.h"

#include <tumble/error.h>
#include <tumble/query.h>

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace tumble::cli {
namespace {

constexpr std::size_t listed_by_default = 10;

struct Options {
  std::string file_a, file_b;
  std::optional<std::string> pose_a, pose_b, json;
  std::optional<double> rel_error, abs_error, upper_bound, within;
  std::optional<Budget> budget;
  bool all = false;
  ComparisonOptions comparison;

  DistanceRequest request() const {
    DistanceRequest request{rel_error.value_or(0), abs_error.value_or(0)};
    if (upper_bound) request.upper_bound = *upper_bound;
    return request;
  }
};

struct Body : NamedModel {
  Pose pose;
};

struct Answer {
  Distance distance;
  std::optional<NearPairs> near;       // at most --within apart
  std::optional<Certainty> certainty;  // of a query with a budget

  bool found() const { return distance.distance == 0 || (near && !near->empty()); }
};

Answer ask(const Body& a, const Body& b, const Options& options) {
  const Progress progress("measuring");
  Pair pair(a.model, b.model, options.comparison.pair);
  Answer answer;
  if (options.budget && options.within) {
    answer.certainty = pair.within(a.pose, b.pose, *options.within, *options.budget, answer.near.emplace());
    answer.distance = answer.certainty->closest;
  } else if (options.budget) {
    answer.certainty = pair.distance(a.pose, b.pose, options.request(), *options.budget);
    answer.distance = answer.certainty->closest;
  } else {
    answer.distance = pair.distance(a.pose, b.pose, options.request());
    if (options.within) answer.near = pair.within(a.pose, b.pose, *options.within);
  }
  return answer;
}

Json to_json(const Body& body) {
  return {{"file", body.file},
          {"triangles", body.model.triangles().size()},
          {"pose", body.pose.rows()},
          {"tree", tree_kind_json(body.model)}};
}

Json to_json(const NearPair& pair) {
  return {{"triangle_a", pair.triangle_a},
          {"triangle_b", pair.triangle_b},
          {"distance", pair.distance},
          {"point_a", json_point(pair.point_a)},
          {"point_b", json_point(pair.point_b)}};
}

void write_json(Output& out, const Body& a, const Body& b, const Options& options, const Answer& answer,
                std::size_t listed) {
  const auto number_or_null = [](const std::optional<double>& value) { return value ? Json(*value) : Json(); };
  const Distance& d = answer.distance;
  JsonDocument document(out, "distance/1");
  document.member("a", to_json(a));
  document.member("b", to_json(b));
  document.member("options", {{"rel_error", options.rel_error.value_or(0)},
                              {"abs_error", options.abs_error.value_or(0)},
                              {"upper_bound", number_or_null(options.upper_bound)},
                              {"within", number_or_null(options.within)},
                              {"budget", cli::to_json(options.budget)}});
  document.member("farther", d.farther);
  document.member("lower", d.lower);
  document.member("closest",
                  d.farther ? Json() : to_json(NearPair{d.triangle_a, d.triangle_b, d.distance, d.point_a, d.point_b}));
  document.member("certainty", answer.certainty ? cli::to_json(*answer.certainty) : Json());
  document.member("near_count", answer.near ? Json(answer.near->size()) : Json());
  document.list("near", listed, [&](std::size_t i) { return to_json((*answer.near)[i]); });
  document.finish();
}

void print(const Body& a, const Body& b, const Options& options, const Answer& answer, std::size_t listed) {
  const auto print_body = [](const char* role, const Body& body) {
    print_row(role, fmt::format("{}, {}", printable(body.file), count(body.model.triangles().size(), "triangle")));
  };
  print_body("a", a);
  print_body("b", b);
  const Distance& d = answer.distance;
  if (answer.certainty) print_row("certain", in_words(*answer.certainty));
  if (d.farther) {
    print_row("distance", fmt::format("more than {}", *options.upper_bound));
  } else {
    print_row("distance", d.lower < d.distance ? fmt::format("{}, and not less than {}", d.distance, d.lower)
                                               : fmt::format("{}", d.distance));
    print_row("on a", fmt::format("triangle {} at {}", d.triangle_a, point(d.point_a)));
    print_row("on b", fmt::format("triangle {} at {}", d.triangle_b, point(d.point_b)));
  }
  if (!answer.near) return;
  print_row("near", fmt::format("{} at most {} apart", count(answer.near->size(), "pair"), *options.within));
  for (const NearPair& p : std::span(*answer.near).first(listed))
    fmt::print("  {} and {}: {} from {} to {}\n", p.triangle_a, p.triangle_b, number(p.distance), point(p.point_a),
               point(p.point_b));
  if (listed < answer.near->size()) fmt::print("  … and {} more; --all lists them\n", answer.near->size() - listed);
}

Status run(const Options& options) {
  std::optional<Output> json;
  if (options.json) json.emplace(*options.json);
  const auto pose = [](const std::optional<std::string>& argument, const char* option) {
    return argument ? parse_pose(*argument, option) : Pose{};
  };
  const Pose pose_a = pose(options.pose_a, "--pose-a"), pose_b = pose(options.pose_b, "--pose-b");
  const Body a{load_or_build(options.file_a, options.comparison.environment), pose_a};
  const Body b{load_or_build(options.file_b, options.comparison.object), pose_b};
  const Answer answer = ask(a, b, options);
  const std::size_t found = answer.near ? answer.near->size() : 0;
  const std::size_t listed = options.all ? found : std::min(found, listed_by_default);
  if (options.json != "-") print(a, b, options, answer, listed);
  if (json) write_json(*json, a, b, options, answer, listed);
  return answer.found() ? Status::found : Status::nothing_found;
}

}  // namespace

Command add_distance(CLI::App& tumble) {
  const auto options = std::make_shared<Options>();
  CLI::App* app = tumble.add_subcommand("distance", "Measure how far apart two meshes are");
  app->add_option("A", options->file_a, std::string("A body: ") + body_help)->required()->option_text(" ");
  app->add_option("B", options->file_b, "Another")->required()->option_text(" ");
  app->add_option("--pose-a", options->pose_a, "Where A is in the world (below); where its file puts it by default")
      ->type_name("POSE");
  app->add_option("--pose-b", options->pose_b, "Where B is")->type_name("POSE");
  add_distance(*app, "--rel-error", options->rel_error, "The answer may exceed the minimum by this share of it");
  add_distance(*app, "--abs-error", options->abs_error, "The answer may exceed the minimum by this much");
  add_distance(*app, "--upper-bound", options->upper_bound, "Bodies farther apart are just that, which is quicker");
  add_distance(*app, "--within", options->within, "Also list the pairs of triangles at most D apart");
  app->add_flag("--all", options->all, "List every such pair, not only the first " + std::to_string(listed_by_default));
  add_budget(*app, options->budget);
  app->add_option("--json", options->json, "Write JSON to this file; - for standard output, and nothing else there")
      ->type_name("FILE");
  add_comparison_options(*app, options->comparison);
  app->footer(std::string(pose_help) +
              "\n\nDistances are those of the surfaces, 0 exactly when they are in contact. The points are where the "
              "distance is\nattained; triangles are numbered from 0.\n" +
              budget_help + "\n" + stored_help +
              "\n"
              "Exit status: 0 no contact (--within: nor anything near), 1 contact or near, 2 error.\n\n"
              "Examples:\n"
              "  tumble distance cabin.glb hand.stl\n"
              "  tumble distance cabin.glb hand.stl --rel-error 0.05 --upper-bound 10\n"
              "  tumble distance cabin.glb hand.stl --within 0.3 --all --json near.json\n"
              "  tumble distance cabin.glb hand.stl --budget 50us");
  return {app, [options, app] {
            const std::string files[] = {options->file_a, options->file_b};
            refuse_tree_options_for_stored(*app, files);
            return run(*options);
          }};
}

}  // namespace tumble::cli
