// SPDX-License-Identifier: Apache-2.0
// Falling scenes: an object that gravity pulls into or onto an environment, tumbling and bouncing (Lin 1996, section
// 5).
#pragma once

#include "scenes/catalog.h"

#include <tumble/dynamics.h>

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace tumble::scenes {

struct FallingScene {
  SceneInfo info;  // with the numbers as made
  Mesh env, object;
  Pose start;
  DynamicsOptions rules;
  RigidOptions material;  // of both
};

/// All of them. Their meshes and starts are ours: the paper's are not published.
std::vector<SceneInfo> list_falling();

/// None if the name is not among them. Of the options triangles, steps and seed count; others that are set are refused
/// with Error(invalid_argument).
std::optional<FallingScene> make_falling(std::string_view name, const SceneOptions& options = {});

/// What happened, step by step.
struct Fall {
  Flight tried;  // where contacts were looked for: the discrete positions of the paper's path
  Flight poses;  // where the object came to be
  std::vector<std::size_t> contacts;
  std::vector<double> energy, kinetic;
};
Fall fall(const FallingScene& scene);

}  // namespace tumble::scenes
