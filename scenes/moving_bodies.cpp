// SPDX-License-Identifier: Apache-2.0
// How they move. A heap is steered by exact answers, so the poses do not depend on how they are computed.
#include "scenes/moving_bodies.h"

#include "scenes/meshes.h"
#include "scenes/placings.h"
#include "scenes/random.h"
#include "scenes/shapes.h"

#include <tumble/world.h>

#include <cmath>
#include <utility>

namespace tumble::scenes {

MovingBodies falling_heap(std::size_t bodies, std::size_t triangles, std::size_t steps, std::uint64_t seed) {
  std::vector<Mesh> kinds;
  for (const Mesh& mesh :
       {wrinkled_torus(triangles), horse(triangles), fitted_to_cube(zachmann_cylinder(triangles), 1)})
    kinds.push_back(fitted_to_cube(mesh, 1));
  return falling_heap(std::move(kinds), bodies, steps, seed);
}

MovingBodies falling_heap(std::vector<Mesh> kinds, std::size_t bodies, std::size_t steps, std::uint64_t seed) {
  MovingBodies heap;
  heap.meshes = std::move(kinds);
  const std::size_t kind_count = heap.meshes.size();
  const double across = std::ceil(std::sqrt(static_cast<double>(bodies) / 6));  // about six layers
  heap.meshes.push_back(box({across, across, 0.5}));

  struct Falling {
    BodyId id;
    Vec3 place, spin;
    double fall;
    bool lies;
  };
  Random random(seed);
  World world;
  const BodyId plate = world.add(Model(heap.meshes.back()), Pose::from_translation({0, 0, -0.5}), {.moves = false});
  std::vector<Model> models;
  for (std::size_t i = 0; i < kind_count; ++i) models.emplace_back(heap.meshes[i]);
  std::vector<Falling> all;
  const auto in_row = static_cast<std::size_t>(across);
  for (std::size_t i = 0; i < bodies; ++i) {
    const std::size_t layer = i / (in_row * in_row), row = i / in_row % in_row, column = i % in_row;
    const Vec3 place{static_cast<double>(column) - across / 2 + random.between(0.3, 0.7),
                     static_cast<double>(row) - across / 2 + random.between(0.3, 0.7),
                     1 + 1.6 * static_cast<double>(layer)};
    const Vec3 spin = random.direction() * 0.02;
    heap.mesh_of.push_back(static_cast<std::uint32_t>(i % kind_count));
    all.push_back({world.add(models[i % kind_count], Pose::from_translation(place)), place, spin, 0, false});
  }
  heap.mesh_of.push_back(static_cast<std::uint32_t>(kind_count));
  for (std::size_t step = 0; step < steps; ++step) {
    std::vector<Pose> poses;
    for (Falling& body : all) {
      if (!body.lies) {
        body.fall += 0.002;
        body.place.z -= body.fall;
        const double turned = static_cast<double>(step + 1);
        world.move(body.id, Pose::from_quaternion(1, body.spin.x * turned, body.spin.y * turned, body.spin.z * turned,
                                                  body.place));
        body.lies = world.collide({}, body.id);
      }
      poses.push_back(world.pose(body.id));
    }
    poses.push_back(world.pose(plate));
    heap.steps.push_back(std::move(poses));
  }
  return heap;
}

MovingBodies opened_assembly(std::size_t pairs, std::size_t steps) {
  constexpr double clearance = 1e-4;
  const Placing kinds[] = {shaft_in_bore(clearance, 48), lid_in_groove(clearance, 48), meshed_gears(clearance),
                           nut_on_thread(clearance)};
  MovingBodies assembly;
  for (const Placing& kind : kinds) {
    assembly.meshes.push_back(kind.env);
    assembly.meshes.push_back(kind.object);
  }
  for (std::size_t pair = 0; pair < pairs; ++pair)
    for (const std::size_t member : {0u, 1u})
      assembly.mesh_of.push_back(static_cast<std::uint32_t>(2 * (pair % std::size(kinds)) + member));
  const auto in_row = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(pairs))));
  for (std::size_t step = 0; step < steps; ++step) {
    std::vector<Pose> poses;
    for (std::size_t pair = 0; pair < pairs; ++pair) {
      // Neighbours in the grid stand so close that their boxes overlap.
      const Vec3 place{1.8 * static_cast<double>(pair % in_row), 1.8 * static_cast<double>(pair / in_row), 0};
      const double drawn = 0.01 * static_cast<double>(step * (1 + pair % 5));
      poses.push_back(Pose::from_translation(place));
      poses.push_back(Pose::from_translation(place + Vec3{0, 0, drawn}) * kinds[pair % std::size(kinds)].pose);
    }
    assembly.steps.push_back(std::move(poses));
  }
  return assembly;
}

}  // namespace tumble::scenes
