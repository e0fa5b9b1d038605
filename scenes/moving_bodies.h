// SPDX-License-Identifier: Apache-2.0
// Many bodies that move, with a pose for each body and step.
#pragma once

#include <tumble/mesh.h>
#include <tumble/pose.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tumble::scenes {

struct MovingBodies {
  std::vector<Mesh> meshes;
  std::vector<std::uint32_t> mesh_of;    // by body
  std::vector<std::vector<Pose>> steps;  // poses by step, then by body
};

/// Tori, horses and bars that fall onto a plate, spinning, and come to lie where they first meet something. The meshes
/// have about so many triangles each, and size 1.
MovingBodies falling_heap(std::size_t bodies, std::size_t triangles, std::size_t steps, std::uint64_t seed = 1);

/// The same of other meshes, by turns; each should have size 1.
MovingBodies falling_heap(std::vector<Mesh> kinds, std::size_t bodies, std::size_t steps, std::uint64_t seed = 1);

/// Shafts in bores, lids in grooves, gears in mesh and nuts on threads, a grid of so many pairs, each with a clearance
/// of 1e-4. Step by step every second body is drawn out along the grid's upright axis.
MovingBodies opened_assembly(std::size_t pairs, std::size_t steps);

}  // namespace tumble::scenes
