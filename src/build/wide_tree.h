// SPDX-License-Identifier: Apache-2.0
// WideTree: the shape of the final tree, each node with up to `arity` children, made from a binary one.
#pragma once

#include "build/binary_tree.h"
#include "build/build_input.h"
#include "tree/tree.h"

#include <array>
#include <cstdint>
#include <vector>

namespace tumble {

/// A range of triangles in tree order, and the child that holds it.
struct WideLane {
  std::uint32_t first = 0, count = 0;
  Child child;
};

struct WideNode {
  std::array<WideLane, Tree::lanes> lanes;
  int used = 0;

  std::uint32_t count() const {
    std::uint32_t sum = 0;
    for (const WideLane& lane : lanes) sum += lane.count;
    return sum;
  }
};

/// Nodes as they will be stored: node 0 has one lane, the whole object; children follow their parents.
struct WideTree {
  std::vector<WideNode> nodes;
  std::vector<std::uint32_t> leaf_first;  // and the end of the last
  double surface = 0;                     // of all nodes and leaves; estimates how often walks meet them
};

/// Puts up to `arity` subtrees side by side in each node so that walks open the fewest.
WideTree make_wide(const BuildInput& input, const BinaryTree& binary);

}  // namespace tumble
