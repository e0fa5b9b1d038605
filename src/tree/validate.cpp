// SPDX-License-Identifier: Apache-2.0
// Checks the shape of a tree, then its bounds against its triangles.
#include "tree/validate.h"

#include "bounds/dop.h"
#include "bounds/lanes.h"
#include "bounds/reach.h"
#include "tree/model_data.h"

#include <tumble/model.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace tumble {
namespace {

std::string at_lane(std::size_t node, int lane) {
  return "node " + std::to_string(node) + ", lane " + std::to_string(lane) + ": ";
}

bool all_in_range(std::span<const float> values, float largest) {
  // Compares the bits as integers: the compiler may reorder and vectorise that, unlike sums of floats.
  const auto most = std::bit_cast<std::int32_t>(largest);
  bool in_range = true;
  for (const float value : values) in_range &= (std::bit_cast<std::int32_t>(value) & 0x7fffffff) <= most;
  return in_range;
}

// What walks rely on so that they never take an empty lane for a volume, however wrong the bounds of a file are. Bounds
// that a tree is built with are well within: see tree_reach.
constexpr float farthest_bound = 64;
constexpr double largest_departure = 1e-4;  // of a box's axes

bool is_sound(const Obb& box) {
  for (std::size_t i = 0; i < 3; ++i) {
    if (!(std::abs(box.center[i]) <= farthest_bound && box.half[i] >= 0 && box.half[i] <= farthest_bound)) return false;
    for (std::size_t j = 0; j <= i; ++j) {
      double product = i == j ? -1 : 0;
      for (std::size_t c = 0; c < 3; ++c) product += double{box.axes[i][c]} * double{box.axes[j][c]};
      if (!(std::abs(product) <= largest_departure)) return false;  // also for NaN
    }
  }
  return true;
}

bool is_sound(const LaneSlabs& slabs) {
  bool sound = true;
  for (std::size_t i = 0; i < slabs.count; ++i)
    sound &= -farthest_bound <= slabs.lower[i] && slabs.lower[i] <= slabs.upper[i] && slabs.upper[i] <= farthest_bound;
  return sound;
}

/// Whether all lanes hold bounds, and those not in use the empty ones.
bool bounds_are_sound(const Tree& tree, NodeView node, int used) {
  std::array<float, max_k * node_lanes> empty;  // one lane of it is compared with each that is not in use
  if (tree.bound == Bound::dop)
    write_empty_dop(empty.data(), 0, tree.k);
  else
    write_empty_obb(empty.data(), 0);
  for (std::size_t lane = 0; lane < Tree::lanes; ++lane) {
    if (lane < static_cast<std::size_t>(used)) {
      if (tree.bound == Bound::dop ? !is_sound(lane_slabs(node.rows, tree.k, lane))
                                   : !is_sound(lane_obb(node.rows, lane)))
        return false;
      continue;
    }
    for (std::size_t row = 0; row < static_cast<std::size_t>(tree.rows()); ++row)
      if (node.rows[node_lanes * row + lane] != empty[node_lanes * row]) return false;
  }
  return true;
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
  if (!all_in_range(tree.corners, tree_reach)) return "a leaf corner out of range";

  std::vector<std::uint8_t> depth(tree.node_count, 0);  // 0: not reached yet
  std::vector<bool> seen_leaf(tree.leaf_count());
  std::uint32_t leaves = 0;
  depth[0] = 1;
  for (std::uint32_t n = 0; n < tree.node_count; ++n) {
    if (depth[n] == 0) return "node " + std::to_string(n) + " has no parent before it";
    const NodeView node = tree.node(n);
    const int used = node.used_lanes();
    if (used < 1 || used > (n == 0 ? 1 : tree.arity)) return "node " + std::to_string(n) + ": wrong number of lanes";
    if (!bounds_are_sound(tree, node, used)) return "node " + std::to_string(n) + ": a bound out of range";
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
