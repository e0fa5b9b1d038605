// SPDX-License-Identifier: Apache-2.0
// Poses on a command line.
#pragma once

#include <tumble/pose.h>

#include <string>
#include <string_view>
#include <vector>

namespace tumble::cli {

/// The help text about poses.
inline constexpr char pose_help[] =
    "A POSE takes a mesh's coordinates into the world: 12 numbers, row-major [R|t], separated by spaces or commas\n"
    "(or 16, a 4x4 matrix); or @FILE with these numbers in it and # for comments; or @- for standard input.\n"
    "R must be a rotation: scale belongs into the mesh.";

/// The poses of a file, one per line of 12 numbers, `#` for comments; "-" for standard input. Throws Error naming file
/// and line, also for a file without poses.
std::vector<Pose> read_poses(const std::string& file);

/// The pose given by the value of `option`. Throws Error naming the option or the file.
Pose parse_pose(const std::string& argument, std::string_view option);

}  // namespace tumble::cli
