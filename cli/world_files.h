// SPDX-License-Identifier: Apache-2.0
// A world from the files of a command line: robots, placed parts, assemblies, STEP files and meshes.
#pragma once

#include "cli/part_files.h"

#include <tumble/assembly.h>

#include <optional>
#include <string>
#include <vector>

namespace tumble::cli {

struct WorldFiles {
  std::vector<std::string> files;
  std::vector<std::string> packages;
  std::optional<std::string> srdf, ignore;
  bool beyond_limits = false;
  PartFileOptions reading;
};

/// Adds the operands, --package and the options of reading.
void add_world_files(CLI::App& command, WorldFiles& files);
/// check_part_files(), with --srdf, --ignore and `others`.
void check_world_files(const CLI::App& command, const WorldFiles& files, std::vector<GivenFile> others = {},
                       const std::vector<GivenFile>& written = {});

/// What can collide with others: a body that is in no group, or a group.
struct Solo {
  BodyId id;
  std::string name;  // unique, unlike the world's
  std::string file;
  std::size_t triangles = 0;
};

struct LoadedWorld {
  World world;
  std::vector<Solo> solos;
  std::vector<RobotBodies> robots;
  std::string units{};  // of PARTS.json; empty: unknown
};

/// Reads all files and builds all trees, with progress bars.
LoadedWorld load_world(const WorldFiles& files);

/// The configurations of a CSV, one after the other, with the values in the order of the robot's free joints. Its first
/// line names the joints. Values are checked with `options`. "-" is standard input.
std::vector<double> read_configurations(const std::string& file, const Robot& robot, const PoseOptions& options);

}  // namespace tumble::cli
