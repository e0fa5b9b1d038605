// SPDX-License-Identifier: Apache-2.0
// A tray and bodies of several shapes above it, for the tests of dynamics.
#pragma once

#include "mesh/shapes.h"
#include "scenes/random.h"
#include "scenes/shapes.h"
#include "scenes/spheres.h"

#include <tumble/dynamics.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tumble::test {

struct HeapOptions {
  std::size_t bodies = 100;
  double restitution = 0.3, friction = 0.5;
  double step = 1.0 / 240;
  std::uint64_t seed = 1;
  int threads = 1;
  double speed = 0;  // of random velocities and spins at the start
};

/// Boxes, tetrahedra, balls and rings of about size 1 that fall into a tray with walls.
inline Dynamics heap(const HeapOptions& options) {
  DynamicsOptions dynamics;
  dynamics.step = options.step;
  dynamics.gravity.uniform = {0, 0, -10};
  dynamics.world.threads = options.threads;
  Dynamics all(dynamics);
  const RigidOptions standing{
      .kind = RigidKind::standing, .restitution = options.restitution, .friction = options.friction};
  const auto in_row = static_cast<std::size_t>(std::ceil(std::cbrt(static_cast<double>(options.bodies) / 2)));
  const double half = 0.65 * static_cast<double>(in_row);
  all.add(Model(together({box({-half - 1, -half - 1, -1}, {half + 1, half + 1, 0}),
                          box({-half - 1, -half - 1, 0}, {-half, half + 1, 40}),
                          box({half, -half - 1, 0}, {half + 1, half + 1, 40}),
                          box({-half, -half - 1, 0}, {half, -half, 40}), box({-half, half, 0}, {half, half + 1, 40})})),
          {}, standing);
  const Model shapes[] = {
      Model(box({-0.4, -0.3, -0.2}, {0.4, 0.3, 0.2})),
      Model(scenes::tetrahedron({0.35, 0.35, 0.35}, {0.35, -0.35, -0.35}, {-0.35, 0.35, -0.35}, {-0.35, -0.35, 0.35})),
      Model(scenes::scaled(scenes::sphere(80), 0.35)), Model(scenes::torus(0.3, 0.12, 10, 6))};
  scenes::Random random(options.seed);
  for (std::size_t i = 0; i < options.bodies; ++i) {
    const std::size_t layer = i / (in_row * in_row), row = i / in_row % in_row, column = i % in_row;
    const Vec3 place{1.3 * static_cast<double>(column) - half + 0.65, 1.3 * static_cast<double>(row) - half + 0.65,
                     1 + 1.4 * static_cast<double>(layer)};
    const Vec3 turn = random.direction();
    const Vec3 velocity = random.direction() * options.speed;
    const Vec3 spin = random.direction() * options.speed;
    all.add(shapes[i % 4], Pose::from_quaternion(1, turn.x, turn.y, turn.z, place),
            {.restitution = options.restitution, .friction = options.friction, .velocity = velocity, .spin = spin});
  }
  return all;
}

}  // namespace tumble::test
