// SPDX-License-Identifier: Apache-2.0
// Two bodies as nodes of a GLB, poses as the keys of its channels.
#include "cli/flight_animation.h"

#include <tumble/io.h>

#include <vector>

namespace tumble::cli {

void save_flight(const Mesh& environment, std::span<const Pose> environment_poses, const Mesh& object,
                 std::span<const Pose> object_poses, const std::filesystem::path& file) {
  const Assembly both{.meshes = {environment, object}, .instances = {{"environment", 0, {}}, {"object", 1, {}}}};
  std::vector<std::vector<Pose>> steps;
  steps.reserve(object_poses.size());
  for (std::size_t i = 0; i < object_poses.size(); ++i)
    steps.push_back({environment_poses.empty() ? Pose{} : environment_poses[i], object_poses[i]});
  save_animation(both, steps, 1.0 / 30, file);
}

}  // namespace tumble::cli
