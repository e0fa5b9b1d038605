// SPDX-License-Identifier: Apache-2.0
// Whether a tree is sound.
#pragma once

#include "tree/tree.h"

#include <tumble/mesh.h>

#include <span>
#include <string>

namespace tumble {

/// Empty if the shape is sound: every index in range, every node and leaf reached exactly once from the root, children
/// after parents, no more lanes or depth than allowed, triangles a permutation, every number finite. A walk of such a
/// tree ends and reads nothing out of bounds, whatever file the tree came from.
std::string fault_of_shape(const Tree& tree);

/// The same, and checks that all bounds hold what is below them.
std::string fault_of(const Tree& tree, std::span<const Vec3> vertices, std::span<const Triangle> triangles);

}  // namespace tumble
