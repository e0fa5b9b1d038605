// SPDX-License-Identifier: Apache-2.0
// Poses on a command line.
#pragma once

#include <tumble/pose.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tumble::cli {

/// The help text about poses.
inline constexpr char pose_help[] =
    "A POSE takes a mesh's coordinates into the world. It is one argument, so it needs quotes:\n"
    "  \"1 0 0 0.5  0 1 0 0  0 0 1 0\"        12 numbers, row-major [R|t]; or 16, a 4x4 matrix\n"
    "  \"0.5 0 0\"                            a translation\n"
    "  \"translation 0.5 0 0 yaw 90\"         also roll and pitch, in degrees; or rpy ROLL PITCH YAW\n"
    "  \"axis 0 0 1 angle 90\"                also: quaternion W X Y Z, xyzw X Y Z W, euler XYZ A B C\n"
    "  @FILE, or @- for standard input      with the same in it, and # for comments\n"
    "R must be a rotation: scale belongs into the mesh.";
inline constexpr char pose_details[] =
    "In poses, translation may stand with any turn. roll, pitch and yaw turn about the world's x, then y, then z, as\n"
    "in URDF. euler is followed by three letters: xyz turns about the world's axes, XYZ about the body's own, in this\n"
    "order. Angles are in degrees unless they end in rad. Of a matrix rounded to three digits the nearest rotation is\n"
    "used, with a note.";

/// The poses of a file, one per line, `#` for comments; "-" for standard input. Throws Error naming file
/// and line, also for a file without poses.
std::vector<Pose> read_poses(const std::string& file);

/// The file that the value of an option of poses names, @FILE without the @; empty: none.
std::string file_of_pose(const std::optional<std::string>& argument);

/// The pose given by the value of `option`. Of a rounded matrix it is the nearest, which a note says. Throws Error
/// naming the option or the file.
Pose parse_pose(const std::string& argument, std::string_view option);

}  // namespace tumble::cli
