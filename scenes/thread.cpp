// SPDX-License-Identifier: Apache-2.0
// A nut on its thread: both surfaces over one lattice of angles and heights, the nut's farther from the axis.
#include "scenes/placings.h"
#include "scenes/shapes.h"
#include "scenes/trigonometry.h"

#include <cmath>
#include <utility>

namespace tumble::scenes {
namespace {

constexpr double radius = 0.5, depth = 0.05, pitch = 0.12;
constexpr int steps = 8;  // of the lattice in one pitch

/// At `height` steps up the lattice: a triangular wave along z, which moves up with the angle.
Ring thread_ring(int height, std::size_t sides, double play) {
  Ring ring;
  for (std::size_t j = 0; j < sides; ++j) {
    const double turn = static_cast<double>(j) / static_cast<double>(sides);
    const double phase = static_cast<double>(height) / steps - turn;
    const double wave = 2 * std::abs(phase - std::floor(phase) - 0.5);
    const double r = radius + depth * wave + play;
    const auto [s, c] = sin_cos(turn);
    ring.push_back({r * c, r * s, pitch * height / steps});
  }
  return ring;
}

}  // namespace

Placing nut_on_thread(double play, std::size_t sides) {
  constexpr int bolt_end = 5 * steps, nut_end = 2 * steps, outer_rings = 5;
  std::vector<Ring> bolt, nut;
  for (int h = -bolt_end; h <= bolt_end; ++h) bolt.push_back(thread_ring(h, sides, 0));
  // Up on the inside, so that both threads are cut into triangles alike, and down on the outside.
  for (int h = -nut_end; h <= nut_end; ++h) nut.push_back(thread_ring(h, sides, play));
  for (int i = 0; i < outer_rings; ++i) {
    const double z = pitch * nut_end / steps * (1 - 2.0 * i / (outer_rings - 1));
    Ring ring;
    for (std::size_t j = 0; j < sides; ++j) {
      const auto [s, c] = sin_cos(static_cast<double>(j) / static_cast<double>(sides));
      ring.push_back({0.8 * c, 0.8 * s, z});
    }
    nut.push_back(std::move(ring));
  }
  Mesh nut_mesh = weave_around(nut);
  for (Triangle& t : nut_mesh.triangles) std::swap(t[1], t[2]);  // fronts outward
  const double turn = 1e-3;                                      // it is screwed on by so much
  const auto [s, c] = sin_cos(turn / 2);
  return turned_oddly({weave(bolt, {0, 0, -pitch * bolt_end / steps}, {0, 0, pitch * bolt_end / steps}),
                       std::move(nut_mesh),
                       {},
                       Pose::from_quaternion(c, 0, 0, s, {0, 0, pitch * turn})});
}

}  // namespace tumble::scenes
