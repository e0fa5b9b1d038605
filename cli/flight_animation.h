// SPDX-License-Identifier: Apache-2.0
// A flight for any viewer that plays animations.
#pragma once

#include <tumble/mesh.h>
#include <tumble/pose.h>

#include <filesystem>
#include <span>

namespace tumble::cli {

/// Writes a GLB in which the two bodies take a pose of each list after the other, 30 a second. An environment without
/// poses stands still.
void save_flight(const Mesh& environment, std::span<const Pose> environment_poses, const Mesh& object,
                 std::span<const Pose> object_poses, const std::filesystem::path& file);

}  // namespace tumble::cli
