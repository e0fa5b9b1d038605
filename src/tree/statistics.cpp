// SPDX-License-Identifier: Apache-2.0
// Counts and measures a tree.
#include "bounds/dop_measure.h"
#include "bounds/lanes.h"
#include "tree/model_data.h"

#include <tumble/model.h>

#include <cmath>

namespace tumble {

TreeStatistics statistics(const Model& model) {
  const Tree& tree = data_of(model).tree;
  TreeStatistics s;
  s.bound = tree.bound;
  s.k = tree.k;
  s.arity = tree.arity;
  s.triangles = tree.triangle_count();
  s.nodes = tree.node_count;
  s.leaves = tree.leaf_count();
  s.tree_bytes = tree.bytes();
  s.model_bytes = model.bytes();

  const double unit_volume = std::ldexp(1.0, 3 * tree.frame.exponent);
  std::vector<std::uint8_t> depth(tree.node_count, 0);  // of a node's children, less one
  std::size_t lanes = 0;
  for (std::uint32_t n = 0; n < tree.node_count; ++n) {
    const NodeView node = tree.node(n);
    const auto used = static_cast<std::size_t>(node.used_lanes());
    lanes += used;
    const std::size_t level = depth[n];
    s.volume_at_depth.resize(std::max(s.volume_at_depth.size(), level + 1));
    s.leaves_at_depth.resize(s.volume_at_depth.size());
    for (std::size_t lane = 0; lane < used; ++lane) {
      if (tree.bound == Bound::obb) {
        s.volume_at_depth[level] += volume(lane_obb(node.rows, lane)) * unit_volume;
      } else {
        const LaneSlabs slabs = lane_slabs(node.rows, tree.k, lane);
        s.volume_at_depth[level] += volume(slabs.lowers(), slabs.uppers(), tree.k) * unit_volume;
      }
      const Child child = node.children[lane];
      if (child.is_leaf()) {
        ++s.leaves_at_depth[level];
      } else {
        depth[child.index()] = static_cast<std::uint8_t>(level + 1);
      }
    }
  }
  s.lanes_per_node = static_cast<double>(lanes) / static_cast<double>(s.nodes);
  s.triangles_per_leaf = static_cast<double>(s.triangles) / static_cast<double>(s.leaves);
  return s;
}

}  // namespace tumble
