// SPDX-License-Identifier: Apache-2.0
// The arguments of commands that ask one body about points: MESH, its pose and tree, points, and the JSON file.
#pragma once

#include "cli/command.h"
#include "cli/json.h"
#include "cli/two_bodies.h"

#include <tumble/solid.h>
#include <tumble/tree_options.h>
#include <tumble/vec.h>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tumble::cli {

struct OneBodyOptions {
  std::string file;
  std::optional<std::string> pose, json;
  std::optional<MeshFormat> format;
  TreeOptions tree;

  bool prints() const { return json != "-" && !is_quiet(); }
};

struct PointArguments {
  std::vector<std::string> points;
  std::optional<std::string> file;
};

/// The help text about files of points.
inline constexpr char points_help[] = "In files of points # begins a comment.";

/// Adds MESH and --pose; after the command's own options come --json and those of the tree.
void add_one_body(CLI::App& command, OneBodyOptions& options);
void add_json_and_tree(CLI::App& command, OneBodyOptions& options);
/// Adds --point and --points.
void add_points(CLI::App& command, PointArguments& arguments);

/// Reads the pose, then the body.
PlacedModel load(const OneBodyOptions& options);
/// The points of the command line, then those of the file. Throws Error if there are none.
std::vector<Vec3> read_points(const PointArguments& arguments);
/// The three numbers given by the value of `option`.
Vec3 parse_point(std::string_view text, const char* option);

/// As its name, with a space: "on surface".
const char* in_words(Side side);

/// Makes the command once its options are complete. `run` receives the JSON output, if there is one.
Command about_one_body(CLI::App& command, const OneBodyOptions& options,
                       const std::function<Status(std::optional<Output>& json)>& run,
                       const PointArguments* points = nullptr);

}  // namespace tumble::cli
