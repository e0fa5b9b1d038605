// SPDX-License-Identifier: Apache-2.0
// The catalog: every scene by name, with an environment at rest, an object and its motion.
#pragma once

#include "scenes/flight.h"
#include "scenes/spheres.h"

#include <tumble/mesh.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tumble::scenes {

struct SceneInfo {
  std::string name;
  std::string title;                                                    // one line for people
  std::string paper;                                                    // as in seeds: "Klosowski 1998"
  std::size_t env_triangles = 0, object_triangles = 0, steps = 0;       // as published, and made by default
  std::size_t contacts = 0;                                             // published over the whole flight; 0 if not
  bool scalable = false;                                                // whether `triangles` may be asked for
  bool by_alpha = false, by_distance = false, by_tessellation = false;  // whether it depends on these options
};

/// A mesh from elsewhere that replaces a generated one.
struct Replacement {
  std::string name;  // for people: the file's
  Mesh mesh;
  std::uint64_t hash = 0;  // of the mesh, to distinguish results
};
/// Throws Error(invalid_mesh) for a mesh that fails check(), has no triangle or is a single point.
std::shared_ptr<const Replacement> replacement(std::string name, Mesh mesh);

/// A replacement is scaled uniformly to fit into the box of the mesh it replaces, about the same centre: rooms,
/// distances and steps stay right. If the object is a copy of the environment, it is a copy of the replacement, too.
/// The swept scene's tetrahedra keep clear of the axis object only.
struct SceneOptions {
  std::size_t triangles = 0;  // of the generated environment, the object in proportion; 0: as published
  std::size_t steps = 0;      // 0: as published
  std::uint64_t seed = 1;
  double alpha = 0.1;                              // nested, parallel_close: the inner sphere has radius 1 - alpha
  double distance = 1.5;                           // zachmann_*, animals: between the origins
  Tessellation tessellation = Tessellation::even;  // nested
  std::shared_ptr<const Replacement> env{}, object{};
};

struct Scene {
  SceneInfo info;  // with the numbers as made
  Mesh env, object;
  Flight path;                    // given, or empty if it depends on collisions:
  std::optional<Billiard> rules;  // of the billiard then
};

/// All of them, in the order of the papers.
std::vector<SceneInfo> list();

/// Throws Error(invalid_argument) for a name that is not in the catalog, naming those that are, and for options that
/// the scene cannot satisfy.
Scene make(std::string_view name, const SceneOptions& options = {});

/// The scene's path, or the billiard played with the caller's answers.
Flight fly(const Scene& scene, const Collides& collides);

}  // namespace tumble::scenes
