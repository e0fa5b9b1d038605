// SPDX-License-Identifier: Apache-2.0
// Where objects start to fall, and how hard they are pulled. Gravity, steps and materials were chosen by eye: lively
// enough to bounce for most of the way, slow enough that a step is small beside a pipe.
#include "scenes/falling.h"

#include "scenes/meshes.h"
#include "scenes/random.h"
#include "scenes/shapes.h"

#include <tumble/error.h>
#include <tumble/query.h>

#include <algorithm>

namespace tumble::scenes {
namespace {

/// A copy 15 times smaller starts at a free place in the outer parts of the cube and falls to its centre.
void make_pipes(FallingScene& scene, const SceneOptions& o) {
  scene.env = pipes(scene.info.env_triangles, o.seed);
  scene.object = scaled(scene.env, 1.0 / 15);
  scene.rules.step = 1.0 / 240;
  scene.rules.gravity = {.uniform = {}, .centre = {}, .toward_centre = 1};
  scene.material = {.restitution = 0.7, .friction = 0.05, .spin = {1, 0.5, 0.2}};
  Pair pair{Model(scene.env), Model(scene.object)};
  Random random(o.seed);
  for (;;) {
    const Vec3 place = random.in_box({-0.9, -0.9, -0.9}, {0.9, 0.9, 0.9});
    scene.start = Pose::from_translation(place);
    if (length_sq(place) > 0.8 && !pair.collide({}, scene.start)) return;
  }
}

/// The torus starts level above the highest stalagmite and falls around it.
void make_torus(FallingScene& scene, const SceneOptions& o) {
  scene.env = landscape(scene.info.env_triangles, o.seed);
  scene.object = wrinkled_torus(scene.info.env_triangles * 20'000 / 98'000 / 2 * 2, o.seed);
  scene.rules.step = 1.0 / 240;
  scene.rules.gravity.uniform = {0, 0, -10};
  scene.material = {.restitution = 0.75, .friction = 0.1, .spin = {0.5, 0.3, 1}};
  const Vec3 top = *std::ranges::max_element(scene.env.vertices, {}, &Vec3::z);
  scene.start = Pose::from_translation({top.x + 0.1, top.y, top.z + 0.6});
}

/// The torpedo starts just above the rollers, a little askew.
void make_torpedo(FallingScene& scene, const SceneOptions&) {
  scene.env = pivot(scene.info.env_triangles);
  scene.object = torpedo(std::max<std::size_t>(600, scene.info.env_triangles * 4'780 / 44'921 / 2 * 2));
  scene.rules.step = 1.0 / 240;
  scene.rules.gravity.uniform = {0, 0, -9.81};
  scene.material = {.restitution = 0.2, .friction = 0.2};
  scene.start = Pose::from_quaternion(1, 0.02, 0.01, 0.005, {0, 0, 0.15});
}

using Maker = void (*)(FallingScene& scene, const SceneOptions& options);
struct Entry {
  SceneInfo info;
  Maker make;
};

const std::vector<Entry>& entries() {
  static const std::vector<Entry> all{
      {{"falling_pipes", "pipelines falling into pipelines 15 times larger, toward their centre", "Lin 1996", 143'690,
        143'690, 4'008, 23'905, true},
       make_pipes},
      {{"falling_torus", "a wrinkled torus falling around a stalagmite of a dimpled landscape", "Lin 1996", 98'000,
        20'000, 1'298, 2'266, true},
       make_torus},
      {{"torpedo", "a torpedo coming to rest on the rollers of its pivot", "Lin 1996", 44'921, 4'780, 600, 0, true},
       make_torpedo},
  };
  return all;
}

}  // namespace

std::vector<SceneInfo> list_falling() {
  std::vector<SceneInfo> infos;
  for (const Entry& entry : entries()) infos.push_back(entry.info);
  return infos;
}

std::optional<FallingScene> make_falling(std::string_view name, const SceneOptions& options) {
  for (const Entry& entry : entries()) {
    if (entry.info.name != name) continue;
    if (options.env || options.object)
      throw Error(ErrorCode::invalid_argument, "the scene '" + entry.info.name + "' takes no other meshes");
    FallingScene scene;
    scene.info = entry.info;
    if (options.triangles != 0) scene.info.env_triangles = options.triangles;
    if (options.steps != 0) scene.info.steps = options.steps;
    entry.make(scene, options);
    scene.info.env_triangles = scene.env.triangles.size();
    scene.info.object_triangles = scene.object.triangles.size();
    return scene;
  }
  return std::nullopt;
}

Fall fall(const FallingScene& scene) {
  Dynamics dynamics(scene.rules);
  RigidOptions standing = scene.material;
  standing.kind = RigidKind::standing;
  standing.velocity = standing.spin = {};
  dynamics.add(Model(scene.env), {}, standing);
  const BodyId object = dynamics.add(Model(scene.object), scene.start, scene.material);
  Fall done;
  for (std::size_t i = 0; i < scene.info.steps; ++i) {
    done.contacts.push_back(dynamics.step().contacts.size());
    done.tried.push_back(dynamics.tried(object));
    done.poses.push_back(dynamics.pose(object));
    done.energy.push_back(dynamics.energy());
    done.kinetic.push_back(dynamics.kinetic_energy());
  }
  return done;
}

}  // namespace tumble::scenes
