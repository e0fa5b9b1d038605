// SPDX-License-Identifier: Apache-2.0
// Fits the bounds of a tree's lanes to its triangles.
#pragma once

#include "bounds/obb.h"
#include "build/build_input.h"
#include "build/leaf_vertices.h"
#include "build/wide_tree.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace tumble {

/// The triangles that bounds are fitted to, and the shape of the tree.
struct FitInput {
  const BuildInput& input;
  const WideTree& wide;
  std::span<const std::uint32_t> order;
  const LeafVertices& vertices;
};

/// Fills the rows of all nodes (layout: tree.h) with bounds that certainly hold the triangles
/// order[first, first + count) of every lane. The children are already filled in.
void fit_dops(const FitInput& what, std::byte* nodes);
void fit_obbs(const FitInput& what, std::byte* nodes);

/// The box of a set of triangles, fitted as the options ask.
Obb fit_obb(const BuildInput& input, std::span<const std::uint32_t> triangles);

}  // namespace tumble
