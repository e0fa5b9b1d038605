// SPDX-License-Identifier: Apache-2.0
// Flights: how the papers' objects move. This needs no query engine; a billiard asks the caller what collides.
#pragma once

#include <tumble/mesh.h>
#include <tumble/pose.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace tumble::scenes {

using Flight = std::vector<Pose>;
/// Whether the object at this pose meets the environment at rest.
using Collides = std::function<bool(const Pose&)>;

struct Billiard {
  Box room;          // the object's origin stays inside and bounces off its walls
  double step = 0;   // length of a step
  double turns = 0;  // rotation in a step, in full turns
  std::size_t steps = 0;
  std::uint64_t seed = 1;
};

/// Straight flight with steady rotation from a random free pose (Klosowski 1998, section 5.2). A colliding pose is
/// part of the flight; the object then goes back to the pose before it. The paper reverses the trajectory. We also draw
/// a new direction in the half-space of the reversed one and a new axis of rotation: the same line back and forth would
/// visit nothing new. Throws Error(invalid_argument) if 10,000 random poses all collide.
Flight billiard(const Billiard& rules, const Collides& collides);

/// A smooth random motion with rotation within the cube [-2, 2]³.
Flight swept_path(std::size_t steps = 1'000, std::uint64_t seed = 1);

/// A hand repeatedly reaches for a random place on the surface, presses in, drags along and withdraws, then goes on to
/// the nearest place. For an object like hand(): fingers along +x, palm to -z, metres.
Flight hand_path(const Mesh& surroundings, std::size_t steps = 2'528, std::uint64_t seed = 1);

/// One full turn about z in place, its origin at `distance` along x (Zachmann 1998, section 5).
Flight full_turn(double distance, std::size_t steps = 2'000);

/// Along x from one distance to another, with one full turn about z on the way.
Flight approach(double from, double to, std::size_t steps = 2'000);

}  // namespace tumble::scenes
