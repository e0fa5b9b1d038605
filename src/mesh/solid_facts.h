// SPDX-License-Identifier: Apache-2.0
// What must be known of a mesh before it can be asked for its inside: that it is closed, and its shells.
#pragma once

#include <tumble/mesh.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tumble {

struct SolidFacts {
  std::string fault;  // why the mesh has no inside, naming open edges; empty if it is closed
  // Triangles connected through vertices, degenerate ones included: they are part of the surface, and a shell that
  // touches nothing is on one side of everything. Shells are in the order of their first triangles.
  std::vector<std::uint32_t> first_triangle_of_shell;
  std::vector<std::uint32_t> shell_of_triangles;  // empty if there is one shell

  // Neighbours together: the shells in blocks, and the box of each block's first corners of first triangles.
  static constexpr std::size_t block_size = 64;
  std::vector<std::uint32_t> shells_in_blocks;
  std::vector<Box> block_boxes;

  std::size_t shells() const { return first_triangle_of_shell.size(); }
  std::uint32_t shell_of(std::uint32_t triangle) const {
    return shell_of_triangles.empty() ? 0 : shell_of_triangles[triangle];
  }
};

/// Of a checked mesh; without shells if it is not closed.
SolidFacts solid_facts(std::span<const Vec3> vertices, std::span<const Triangle> triangles);

}  // namespace tumble
