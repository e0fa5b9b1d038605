// SPDX-License-Identifier: Apache-2.0
// What questions about solids need to know of a mesh: that it is closed, and its shells.
#pragma once

#include <tumble/mesh.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tumble {

struct SolidFacts {
  std::string fault;  // why the mesh has no inside, naming open edges; empty if it is closed
  // Shells are triangles connected through vertices, in the order of their first triangles. Degenerate triangles count:
  // they are part of the surface, and a shell that touches nothing lies on one side of everything.
  std::vector<std::uint32_t> first_triangle_of_shell;
  std::vector<std::uint32_t> shell_of_triangles;  // empty if there is one shell

  // Neighbouring shells form blocks. A block's box holds the first corner of the first triangle of each of its shells.
  static constexpr std::size_t block_size = 64;
  std::vector<std::uint32_t> shells_in_blocks;
  std::vector<Box> block_boxes;

  std::size_t shells() const { return first_triangle_of_shell.size(); }
  std::uint32_t shell_of(std::uint32_t triangle) const {
    return shell_of_triangles.empty() ? 0 : shell_of_triangles[triangle];
  }
};

/// The mesh must have passed check(). There are no shells if it is not closed.
SolidFacts solid_facts(std::span<const Vec3> vertices, std::span<const Triangle> triangles);

}  // namespace tumble
