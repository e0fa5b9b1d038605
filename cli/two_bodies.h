// SPDX-License-Identifier: Apache-2.0
// The arguments of commands that compare two bodies in the world: A, B, their poses and trees, and the JSON file.
#pragma once

#include "cli/command.h"
#include "cli/json.h"
#include "cli/model_argument.h"
#include "cli/pair_options.h"
#include "cli/text.h"

#include <tumble/pose.h>

#include <functional>
#include <optional>
#include <string>

namespace tumble::cli {

/// A model and where it is.
struct PlacedModel : NamedModel {
  Pose pose;
};

struct TwoBodies {
  PlacedModel a, b;
};

struct TwoBodiesOptions {
  std::string file_a, file_b;
  std::optional<std::string> pose_a, pose_b, json;
  std::optional<MeshFormat> format;
  ComparisonOptions comparison;

  bool prints() const { return json != "-" && !is_quiet(); }
};

/// Adds A, B and their poses; after the command's own options come --json and those of the trees and the pair.
/// `options` receives them and must outlive the parsing.
void add_two_bodies(CLI::App& command, TwoBodiesOptions& options);
void add_json_and_trees(CLI::App& command, TwoBodiesOptions& options);

/// Reads the poses, then the bodies; solids must be closed.
TwoBodies load(const TwoBodiesOptions& options, bool solid);

/// Makes the command once its options are complete. `run` receives the JSON output, if there is one.
Command comparing(CLI::App& command, const TwoBodiesOptions& options,
                  const std::function<Status(std::optional<Output>& json)>& run);

Json to_json(const PlacedModel& body);

/// What --help-all says about poses and stored models.
std::string details_of_two_bodies();

}  // namespace tumble::cli
