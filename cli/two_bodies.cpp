// SPDX-License-Identifier: Apache-2.0
// Two bodies from the command line.
#include "cli/two_bodies.h"

#include "cli/choices.h"
#include "cli/given_files.h"
#include "cli/pose_argument.h"
#include "cli/text.h"
#include "cli/tree_options.h"
#include "cli/tree_report.h"

namespace tumble::cli {

void add_two_bodies(CLI::App& command, TwoBodiesOptions& options) {
  add_operand(command, "A", options.file_a, std::string("A body: ") + body_help);
  add_operand(command, "B", options.file_b, "Another");
  add_word(command, "--pose-a", options.pose_a, "POSE",
           "Where A is in the world (below); where its file puts it by default");
  add_word(command, "--pose-b", options.pose_b, "POSE", "Where B is");
}

void add_json_and_trees(CLI::App& command, TwoBodiesOptions& options) {
  add_json(command, options.json);
  add_format(command, options.format);
  add_comparison_options(command, options.comparison);
}

TwoBodies load(const TwoBodiesOptions& options, bool solid) {
  const auto pose = [](const std::optional<std::string>& argument, const char* option) {
    return argument ? parse_pose(*argument, option) : Pose{};
  };
  // Poses first: they are often wrong and quick to check.
  const Pose pose_a = pose(options.pose_a, "--pose-a"), pose_b = pose(options.pose_b, "--pose-b");
  TwoBodies bodies{{load_or_build(options.file_a, options.comparison.environment, options.format), pose_a},
                   {load_or_build(options.file_b, options.comparison.object, options.format), pose_b}};
  note_sizes({bodies.a.file, size_of(bodies.a.model)}, {bodies.b.file, size_of(bodies.b.model)});
  if (solid) require_closed(bodies.a), require_closed(bodies.b);
  return bodies;
}

Command comparing(CLI::App& command, const TwoBodiesOptions& options,
                  const std::function<Status(std::optional<Output>& json)>& run) {
  return {&command, [&command, &options, run] {
            const std::string files[] = {options.file_a, options.file_b};
            refuse_tree_options_for_stored(command, files);
            check_format(options.format, files);
            check_files({{"A", options.file_a},
                         {"B", options.file_b},
                         {"--pose-a", file_of_pose(options.pose_a)},
                         {"--pose-b", file_of_pose(options.pose_b)}},
                        {{"--json", options.json}});
            std::optional<Output> json;
            if (options.json) json.emplace(*options.json);
            return run(json);
          }};
}

std::string details_of_two_bodies() { return joined({pose_details, "\n", stored_help, "\n"}); }

Json to_json(const PlacedModel& body) {
  return {{"file", body.file},
          {"triangles", body.model.triangles().size()},
          {"pose", body.pose.rows()},
          {"tree", tree_kind_json(body.model)}};
}

}  // namespace tumble::cli
