// SPDX-License-Identifier: Apache-2.0
// The ways to group triangles into a binary tree, each in its own file.
#pragma once

#include "build/binary_tree.h"
#include "build/build_input.h"
#include "build/leaf_rule.h"
#include "core/parallel.h"

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace tumble {

BinaryTree split_binned(const BuildInput& input);     // split_binned.cpp
BinaryTree split_by_rule(const BuildInput& input);    // split_rules.cpp: min_sum, min_max, splatter, longest_side
BinaryTree split_far_pair(const BuildInput& input);   // split_far_pair.cpp
BinaryTree build_bottom_up(const BuildInput& input);  // bottom_up.cpp

/// Sets of fewer triangles are divided without starting tasks.
inline constexpr std::uint32_t parallel_threshold = 4096;

/// Hands out places for the nodes below one set, reserved in small runs. Threads that reserved them two by two would
/// wait for each other's cache lines.
class NodePlaces {
 public:
  /// For the nodes below a set of `triangles`.
  NodePlaces(std::atomic<std::uint32_t>& used, std::uint32_t triangles) : used_(used), needed_(2 * (triangles - 1)) {}

  /// The place of the first of two siblings.
  std::uint32_t take_two() {
    if (next_ == end_) {
      const std::uint32_t run = std::min(needed_, most_at_once);
      needed_ -= run;
      next_ = used_.fetch_add(run, std::memory_order_relaxed);
      end_ = next_ + run;
    }
    next_ += 2;
    return next_ - 2;
  }

 private:
  static constexpr std::uint32_t most_at_once = 128;

  std::atomic<std::uint32_t>& used_;
  std::uint32_t needed_, next_ = 0, end_ = 0;
};

/// Divides [0, count) top-down until the rule closes each set; `triangle_at(place)` names a triangle. `split(first,
/// count)` reorders a set and returns the size of its left part, or 0 if it finds no division. In that case, unless the
/// rule keeps such sets, and below a depth that only pathological inputs reach, the set is halved as it stands. So
/// every build ends, at a depth walks can rely on. Any number of threads make subtrees in any order.
template <class TriangleAt, class Split>
RawArray<BinaryNode> grow_top_down(std::uint32_t count, const LeafRule& rule, const TriangleAt& triangle_at,
                                   const Split& split) {
  constexpr int halve_below = 60;
  RawArray<BinaryNode> nodes(most_nodes(count));
  std::atomic<std::uint32_t> used = 1;
  const auto grow = [&](const auto& self, std::uint32_t node, std::uint32_t first, std::uint32_t size, int depth,
                        NodePlaces& places) -> void {
    nodes[node] = {first, size, 0};
    if (rule.closes(size, [&](std::uint32_t i) { return triangle_at(first + i); })) return;
    std::uint32_t left = depth < halve_below ? split(first, size) : 0;
    if (left == 0 || left == size) {
      if (depth < halve_below && rule.keeps_indivisible()) return;
      left = size / 2;
    }
    const std::uint32_t right = size - left;
    if (size < parallel_threshold) {
      const std::uint32_t children = nodes[node].left = places.take_two();
      self(self, children, first, left, depth + 1, places);
      self(self, children + 1, first + left, right, depth + 1, places);
      return;
    }
    const std::uint32_t children = nodes[node].left = used.fetch_add(2, std::memory_order_relaxed);
    const auto grow_child = [&](std::uint32_t child, std::uint32_t child_first, std::uint32_t child_size) {
      NodePlaces own(used, child_size);
      self(self, child, child_first, child_size, depth + 1, own);
    };
    parallel_invoke(
        true, [&] { grow_child(children, first, left); }, [&] { grow_child(children + 1, first + left, right); });
  };
  if (count > 0) {
    NodePlaces places(used, count);
    grow(grow, 0, 0, count, 0, places);
  }
  return nodes;
}

/// The same by an object that keeps the order itself: split(first, count), split.triangle_at(place), split.order().
template <class Split>
BinaryTree grow_top_down(const BuildInput& input, Split split) {
  BinaryTree tree;
  tree.nodes = grow_top_down(
      input.triangle_count(), LeafRule(input), [&](std::uint32_t place) { return split.triangle_at(place); },
      [&](std::uint32_t first, std::uint32_t count) { return split(first, count); });
  tree.order = split.order();
  return tree;
}

}  // namespace tumble
