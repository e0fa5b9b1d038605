// SPDX-License-Identifier: Apache-2.0
// Builds a tree from a mesh.
#pragma once

#include "tree/tree.h"

#include <tumble/mesh.h>
#include <tumble/tree_options.h>

namespace tumble {

/// The mesh must have passed check(). Throws Error(invalid_argument) for options out of range, Error(invalid_mesh) for
/// a mesh without triangles. The same tree, bit for bit, for any number of threads.
Tree build_tree(std::span<const Vec3> vertices, std::span<const Triangle> triangles, const TreeOptions& options);

}  // namespace tumble
