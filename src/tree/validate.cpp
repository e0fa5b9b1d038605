// SPDX-License-Identifier: Apache-2.0
// Checks the shape of a tree, then its bounds against its triangles.
#include "tree/validate.h"

#include "bounds/dop.h"
#include "bounds/lanes.h"
#include "tree/model_data.h"

#include <tumble/model.h>

#include <bit>
#include <cstdint>
#include <vector>

namespace tumble {
namespace {

std::string at_lane(std::size_t node, int lane) {
  return "node " + std::to_string(node) + ", lane " + std::to_string(lane) + ": ";
}

bool all_finite(const float* values, std::size_t count) {
  // Compares the bits as integers: the compiler may reorder and vectorise that, unlike sums of floats.
  bool finite = true;
  for (std::size_t i = 0; i < count; ++i) finite &= (std::bit_cast<std::int32_t>(values[i]) & 0x7fffffff) < 0x7f800000;
  return finite;
}

/// Whether the lane's volume certainly holds a point in tree coordinates.
bool holds(const Tree& tree, NodeView node, std::size_t lane, Vec3 p) {
  if (tree.bound == Bound::obb) return contains(lane_obb(node.rows, lane), p);
  return with_k(tree.k, [&](auto k) {
    Dop<k()> dop;
    for (std::size_t i = 0; i < k() / 2; ++i) {
      dop.lower[i] = node.rows[DopRows::lower(i) + lane];
      dop.upper[i] = node.rows[DopRows::upper(i) + lane];
    }
    return contains(dop, p);
  });
}

}  // namespace

std::string fault_of_shape(const Tree& tree) {
  const std::uint32_t triangles = tree.triangle_count();
  if (tree.node_count == 0 || tree.leaf_first.size() < 2 || triangles == 0) return "a tree without nodes or triangles";
  if (tree.corners.size() != Tree::corner_floats * triangles + Tree::corner_padding) return "corners of the wrong size";
  if (tree.leaf_first.front() != 0 || tree.leaf_first.back() != triangles) return "leaves do not cover the triangles";
  for (std::uint32_t leaf = 0; leaf < tree.leaf_count(); ++leaf)
    if (tree.leaf_first[leaf] >= tree.leaf_first[leaf + 1]) return "leaf " + std::to_string(leaf) + " is empty";
  std::vector<bool> seen_triangle(triangles);
  for (std::uint32_t slot = 0; slot < triangles; ++slot) {
    const std::uint32_t id = tree.triangle_ids[slot];
    if (id >= triangles) return "slot " + std::to_string(slot) + ": triangle out of range";
    if (seen_triangle[id]) return "triangle " + std::to_string(id) + " is in two leaves";
    seen_triangle[id] = true;
  }
  if (!all_finite(tree.corners.data(), tree.corners.size())) return "a leaf corner is not finite";

  std::vector<std::uint8_t> depth(tree.node_count, 0);  // 0: not reached yet
  std::vector<bool> seen_leaf(tree.leaf_count());
  std::uint32_t leaves = 0;
  depth[0] = 1;
  for (std::uint32_t n = 0; n < tree.node_count; ++n) {
    if (depth[n] == 0) return "node " + std::to_string(n) + " has no parent before it";
    const NodeView node = tree.node(n);
    const int used = node.used_lanes();
    if (used < 1 || used > (n == 0 ? 1 : tree.arity)) return "node " + std::to_string(n) + ": wrong number of lanes";
    if (!all_finite(node.rows, static_cast<std::size_t>(tree.rows()) * Tree::lanes))
      return "node " + std::to_string(n) + ": a bound is not finite";
    for (int lane = 0; lane < Tree::lanes; ++lane) {
      const Child child = node.children[lane];
      if (lane >= used) {
        if (!child.is_empty()) return at_lane(n, lane) + "a lane after an empty one";
      } else if (child.is_leaf()) {
        if (child.index() >= tree.leaf_count()) return at_lane(n, lane) + "leaf out of range";
        if (seen_leaf[child.index()]) return at_lane(n, lane) + "a leaf reached twice";
        seen_leaf[child.index()] = true;
        ++leaves;
      } else {
        if (child.index() <= n || child.index() >= tree.node_count) return at_lane(n, lane) + "node out of range";
        if (depth[child.index()] != 0) return at_lane(n, lane) + "a node reached twice";
        if (depth[n] >= Tree::max_depth) return at_lane(n, lane) + "too deep";
        depth[child.index()] = static_cast<std::uint8_t>(depth[n] + 1);
      }
    }
  }
  if (leaves != tree.leaf_count()) return "a leaf that no node reaches";
  return {};
}

std::string fault_of(const Tree& tree, std::span<const Vec3> vertices, std::span<const Triangle> triangles) {
  if (std::string fault = fault_of_shape(tree); !fault.empty()) return fault;
  if (tree.triangle_count() != triangles.size()) return "the tree is of another mesh";

  // `path` is the lanes above a leaf; all of them must hold its triangles.
  struct Step {
    std::uint32_t node;
    int lane;
  };
  std::vector<Step> path;
  const auto visit = [&](const auto& self, std::uint32_t n) -> std::string {
    const NodeView node = tree.node(n);
    for (int lane = 0; lane < node.used_lanes(); ++lane) {
      path.push_back({n, lane});
      const Child child = node.children[lane];
      std::string fault;
      if (!child.is_leaf()) {
        fault = self(self, child.index());
      } else {
        const LeafView leaf = tree.leaf(child.index());
        for (std::uint32_t slot = leaf.first; slot < leaf.last && fault.empty(); ++slot)
          for (const std::uint32_t v : triangles[tree.triangle_ids[slot]])
            for (const Step& step : path)
              if (!holds(tree, tree.node(step.node), static_cast<std::size_t>(step.lane),
                         tree.frame.to_tree(vertices[v])))
                fault = at_lane(step.node, step.lane) + "does not hold vertex " + std::to_string(v);
      }
      if (!fault.empty()) return fault;
      path.pop_back();
    }
    return {};
  };
  if (std::string fault = visit(visit, 0); !fault.empty()) return fault;

  for (std::uint32_t leaf = 0; leaf < tree.leaf_count(); ++leaf) {
    const LeafView view = tree.leaf(leaf);
    for (std::uint32_t first = view.first; first < view.last; first += Tree::group_size) {
      const std::uint32_t width = std::min(Tree::group_size, view.last - first);
      for (std::uint32_t i = 0; i < width; ++i)
        for (std::size_t row = 0; row < Tree::corner_floats; ++row) {
          const Vec3 p = tree.frame.to_tree(vertices[triangles[tree.triangle_ids[first + i]][row / 3]]);
          if (tree.corners[Tree::corner_floats * first + row * width + i] !=
              static_cast<float>(p[static_cast<int>(row % 3)]))
            return "leaf " + std::to_string(leaf) + ": a corner is not the mesh's";
        }
    }
  }
  return {};
}

std::string validate(const Model& model) { return fault_of(data_of(model).tree, model.vertices(), model.triangles()); }

}  // namespace tumble
