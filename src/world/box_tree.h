// SPDX-License-Identifier: Apache-2.0
// BoxTree: boxes in nodes of eight, each node's box around theirs. All leaves have the same depth (Guttman 1984), so
// that a tree that boxes are put into and taken out of stays balanced without rotations.
#pragma once

#include "world/box_order.h"
#include "world/neighbours.h"
#include "world/pair_filter.h"
#include "world/pair_list.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace tumble {

inline constexpr std::uint32_t no_node = 0xffffffff;
inline constexpr double infinite = std::numeric_limits<double>::infinity();

/// Eight boxes, lane by lane. A lane without one is inside out, so that nothing overlaps it.
struct alignas(64) BoxNode {
  double lower[3][8], upper[3][8];
  std::array<std::uint32_t, 8> child;  // nodes, or slots in a leaf; no_node in a lane without a box
  std::uint32_t parent = no_node;
  std::uint8_t lane = 0;    // of this node in its parent
  std::uint8_t moving = 0;  // the lanes that hold something that moves, as bits
  std::uint8_t height = 0;  // of a leaf 0

  void clear(int at);
  Box box(int at) const;
  /// The lanes that hold a box, as bits.
  std::uint32_t present() const {
    std::uint32_t lanes = 0;
    for (std::uint32_t l = 0; l < 8; ++l) lanes |= (child[l] != no_node ? 1U : 0U) << l;
    return lanes;
  }
};

class BoxTree {
 public:
  void clear();
  /// Builds the tree of these boxes, by slot, eight at a time in this order (as Kamel and Faloutsos 1993 do).
  void pack(std::span<const Slot> order, std::span<const Box> boxes, std::span<const Presence> presence);

  bool contains(Slot slot) const { return slot < place_.size() && place_[slot] != no_node; }
  void insert(Slot slot, const Box& box, bool moves);
  void remove(Slot slot);
  /// As remove() and insert(), but in place if the box is still inside that of its leaf.
  void replace(Slot slot, const Box& box, bool moves);

  bool empty() const { return root_ == no_node; }
  std::uint32_t root() const { return root_; }
  const BoxNode* nodes() const { return nodes_.data(); }

 private:
  struct Entry {
    Box box;
    std::uint32_t child;
    bool moves;
  };

  Entry around(std::uint32_t node) const;
  std::uint32_t new_node(int height);
  void set(std::uint32_t node, int lane, const Entry& entry);
  void put(std::uint32_t node, const Entry& entry);
  void tighten(std::uint32_t node);

  std::vector<BoxNode> nodes_;
  std::vector<std::uint32_t> unused_;  // nodes
  std::vector<std::uint32_t> place_;   // by slot: node * 8 + lane
  std::uint32_t root_ = no_node;
};

// The walks, in instructions for the machine. They return the number of tests, each of one box with eight.

/// Adds the pairs of boxes that overlap, unless both do not move or `filter`, if there is one, drops them. Stops early
/// once there are more than `most`.
std::uint64_t overlapping_pairs(const BoxTree& tree, std::size_t most, const PairFilter* filter, PairList& into);
/// Adds the slots of boxes that overlap `box`; if `only_moving`, of those that move.
std::uint64_t overlapping_boxes(const BoxTree& tree, const Box& box, bool only_moving, std::vector<Slot>& into);

}  // namespace tumble
