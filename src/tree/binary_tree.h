// SPDX-License-Identifier: Apache-2.0
// BinaryTree: which triangles lie together, before bounds are fitted and nodes are made wide.
#pragma once

#include <cstdint>
#include <vector>

namespace tumble {

struct BinaryNode {
  static constexpr std::uint32_t none = 0xffffffffu;

  std::uint32_t first = 0, count = 0;       // triangles: order[first, first + count)
  std::uint32_t left = none, right = none;  // nodes; none for a leaf

  bool is_leaf() const { return left == none; }
};

/// Every node covers a contiguous range of `order`, the left child's before the right one's; the root is node 0 and
/// children come after their parents. Places of `nodes` may be unused.
struct BinaryTree {
  std::vector<BinaryNode> nodes;
  std::vector<std::uint32_t> order;
};

}  // namespace tumble
