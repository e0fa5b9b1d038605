// SPDX-License-Identifier: Apache-2.0
// Poses as they are written on a command line.
#pragma once

#include <tumble/pose.h>

#include <string>
#include <string_view>
#include <vector>

namespace tumble::cli {

/// How a pose is written, for --help.
inline constexpr char pose_help[] =
    "A POSE takes a mesh's coordinates into the world: 12 numbers, row-major [R|t], separated by spaces or commas\n"
    "(or 16, a 4x4 matrix); or @FILE with these numbers in it and # for comments; or @- for standard input.\n"
    "R must be a rotation: scale belongs into the mesh.";

/// The poses of a file, one on each line of 12 numbers, `#` for comments; "-" for standard input. Throws Error naming
/// file and line, also for a file without any.
std::vector<Pose> read_poses(const std::string& file);

/// The pose that the value of `option` stands for. Throws Error naming the option or the file.
Pose parse_pose(const std::string& argument, std::string_view option);

}  // namespace tumble::cli
