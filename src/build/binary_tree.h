// SPDX-License-Identifier: Apache-2.0
// BinaryTree: how triangles are grouped, before bounds are fitted and nodes are made wide.
#pragma once

#include "core/raw_array.h"

#include <cstdint>
#include <vector>

namespace tumble {

struct BinaryNode {
  std::uint32_t first, count;  // triangles: order[first, first + count)
  std::uint32_t left;          // a node, and its sibling after it; 0, the root, for a leaf

  bool is_leaf() const { return left == 0; }
  std::uint32_t right() const { return left + 1; }
};

/// Every node covers a contiguous range of `order`, the left child's before the right child's. The root is node 0.
/// Other nodes may have different places from build to build; nothing depends on that. Some places of `nodes` may be
/// unused.
struct BinaryTree {
  RawArray<BinaryNode> nodes;
  std::vector<std::uint32_t> order;
};

/// The largest number of nodes a tree of `triangles` can have.
inline std::size_t most_nodes(std::uint32_t triangles) { return triangles > 0 ? 2 * std::size_t{triangles} - 1 : 0; }

}  // namespace tumble
