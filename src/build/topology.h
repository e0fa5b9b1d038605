// SPDX-License-Identifier: Apache-2.0
// The ways to decide which triangles lie together, each in a file of its own.
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

/// Places for the nodes below one set, taken from all in small runs: threads that took them two by two would wait for
/// each other's cache lines.
class NodePlaces {
 public:
  /// Below a set of so many triangles.
  NodePlaces(std::atomic<std::uint32_t>& used, std::uint32_t triangles) : used_(used), needed_(2 * (triangles - 1)) {}

  /// Of two siblings, the first.
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

/// Divides [0, count) top-down until the rule closes a set; `triangle_at(place)` names a triangle. `split(first,
/// count)` reorders a set and returns the size of its left part, or 0 where it sees no way to divide it: then, and
/// beyond a depth at which only pathological inputs arrive, the set is halved as it stands, so every input ends, at a
/// depth walks can rely on. Subtrees are made in any order by any number of threads.
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
    if (left == 0 || left == size) left = size / 2;
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

}  // namespace tumble
