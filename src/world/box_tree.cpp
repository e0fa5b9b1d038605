// SPDX-License-Identifier: Apache-2.0
// Building a BoxTree at once, and changing it box by box.
#include "world/box_tree.h"

#include "core/assert.h"
#include "world/box_math.h"

#include <algorithm>

namespace tumble {
namespace {

constexpr int lanes = 8;

double sum_of_sides(const Box& box) {
  return (box.upper.x - box.lower.x) + (box.upper.y - box.lower.y) + (box.upper.z - box.lower.z);
}

/// The lane whose box has to grow least, in the sum of its sides; of several, the one with the least sum. Volumes
/// would say nothing of flat boxes.
int cheapest(const BoxNode& node, const Box& box) {
  int best = 0;
  double best_growth = infinite, best_sum = infinite;
  for (int l = 0; l < lanes; ++l) {
    if (node.child[static_cast<std::size_t>(l)] == no_node) continue;
    const Box before = node.box(l);
    Box after = box;
    stretch(after, before);
    const double sum = sum_of_sides(before), growth = sum_of_sides(after) - sum;
    if (growth < best_growth || (growth == best_growth && sum < best_sum)) {
      best = l;
      best_growth = growth;
      best_sum = sum;
    }
  }
  return best;
}

int free_lane(const BoxNode& node) {
  return static_cast<int>(std::ranges::find(node.child, no_node) - node.child.begin());
}

}  // namespace

void BoxNode::clear(int at) {
  for (int axis = 0; axis < 3; ++axis) {
    lower[axis][at] = infinite;
    upper[axis][at] = -infinite;
  }
  child[static_cast<std::size_t>(at)] = no_node;
  moving = static_cast<std::uint8_t>(moving & ~(1U << at));
}

Box BoxNode::box(int at) const {
  return {{lower[0][at], lower[1][at], lower[2][at]}, {upper[0][at], upper[1][at], upper[2][at]}};
}

void BoxTree::clear() {
  unused_.clear();
  std::ranges::fill(place_, no_node);
  root_ = no_node;
}

std::uint32_t BoxTree::new_node(int height) {
  std::uint32_t node;
  if (unused_.empty()) {
    node = static_cast<std::uint32_t>(nodes_.size());
    nodes_.emplace_back();
  } else {
    node = unused_.back();
    unused_.pop_back();
  }
  BoxNode& made = nodes_[node];
  made.parent = no_node;
  made.moving = 0;
  made.height = static_cast<std::uint8_t>(height);
  for (int l = 0; l < lanes; ++l) made.clear(l);
  return node;
}

/// Writes a lane.
void BoxTree::set(std::uint32_t node, int lane, const Entry& entry) {
  BoxNode& in = nodes_[node];
  for (int axis = 0; axis < 3; ++axis) {
    in.lower[axis][lane] = entry.box.lower[axis];
    in.upper[axis][lane] = entry.box.upper[axis];
  }
  in.child[static_cast<std::size_t>(lane)] = entry.child;
  const unsigned bit = 1U << lane;
  in.moving = static_cast<std::uint8_t>(entry.moves ? in.moving | bit : in.moving & ~bit);
  if (in.height == 0) {
    place_[entry.child] = node * lanes + static_cast<std::uint32_t>(lane);
  } else {
    nodes_[entry.child].parent = node;
    nodes_[entry.child].lane = static_cast<std::uint8_t>(lane);
  }
}

/// A node as its parent sees it.
BoxTree::Entry BoxTree::around(std::uint32_t node) const {
  const BoxNode& in = nodes_[node];
  Entry entry{in.box(0), node, in.moving != 0};
  for (int l = 1; l < lanes; ++l) stretch(entry.box, in.box(l));
  return entry;
}

void BoxTree::pack(std::span<const Slot> order, std::span<const Box> boxes, std::span<const Presence> presence) {
  clear();
  if (order.empty()) return;
  if (place_.size() < boxes.size()) place_.resize(boxes.size(), no_node);
  // Level by level. Nodes need not be cleared: all their lanes are written.
  std::uint32_t made = 0;
  const auto make_level = [&](std::size_t entries, int height, const auto& entry) {
    nodes_.resize(std::max(nodes_.size(), made + (entries + lanes - 1) / lanes));
    for (std::size_t i = 0; i < entries; ++made) {
      BoxNode& node = nodes_[made];
      node.parent = no_node;
      node.moving = 0;
      node.height = static_cast<std::uint8_t>(height);
      for (int lane = 0; lane < lanes; ++lane, ++i) {
        if (i < entries) {
          set(made, lane, entry(i));
        } else {
          node.clear(lane);
        }
      }
    }
  };
  make_level(order.size(), 0, [&](std::size_t i) {
    return Entry{boxes[order[i]], order[i], presence[order[i]] == Presence::moving};
  });
  std::uint32_t begin = 0;
  for (int height = 1; made - begin > 1; ++height) {
    const std::uint32_t end = made;
    make_level(end - begin, height, [&](std::size_t i) { return around(begin + static_cast<std::uint32_t>(i)); });
    begin = end;
  }
  root_ = begin;
  nodes_.resize(made);
}

void BoxTree::insert(Slot slot, const Box& box, bool moves) {
  if (slot >= place_.size()) place_.resize(slot + std::size_t{1}, no_node);
  TUMBLE_ASSERT(place_[slot] == no_node);
  if (empty()) root_ = new_node(0);
  std::uint32_t node = root_;
  while (nodes_[node].height > 0) {
    BoxNode& in = nodes_[node];
    const int lane = cheapest(in, box);
    for (int axis = 0; axis < 3; ++axis) {
      in.lower[axis][lane] = std::min(in.lower[axis][lane], box.lower[axis]);
      in.upper[axis][lane] = std::max(in.upper[axis][lane], box.upper[axis]);
    }
    if (moves) in.moving = static_cast<std::uint8_t>(in.moving | 1U << lane);
    node = in.child[static_cast<std::size_t>(lane)];
  }
  put(node, {box, slot, moves});
}

/// Puts an entry into a node whose ancestors already have room for it. A full node is split in the middle of the axis
/// along which its boxes are spread most.
void BoxTree::put(std::uint32_t node, const Entry& entry) {
  const int free = free_lane(nodes_[node]);
  if (free < lanes) return set(node, free, entry);
  std::array<Entry, lanes + 1> entries;
  entries[lanes] = entry;
  for (int l = 0; l < lanes; ++l) {
    const auto at = static_cast<std::size_t>(l);
    entries[at] = {nodes_[node].box(l), nodes_[node].child[at], (nodes_[node].moving >> l & 1) != 0};
  }
  int widest = 0;
  double width = -1;
  for (int axis = 0; axis < 3; ++axis) {
    const auto middle = [axis](const Entry& e) { return e.box.lower[axis] + e.box.upper[axis]; };
    const auto [least, most] = std::ranges::minmax_element(entries, {}, middle);
    if (middle(*most) - middle(*least) > width) {
      width = middle(*most) - middle(*least);
      widest = axis;
    }
  }
  std::ranges::sort(entries, {}, [widest](const Entry& e) { return e.box.lower[widest] + e.box.upper[widest]; });

  const std::uint32_t sibling = new_node(nodes_[node].height);
  for (int l = 0; l < lanes; ++l) nodes_[node].clear(l);
  for (int i = 0; i <= lanes; ++i) {
    const bool first = i < lanes / 2;
    set(first ? node : sibling, first ? i : i - lanes / 2, entries[static_cast<std::size_t>(i)]);
  }
  if (node == root_) {
    root_ = new_node(nodes_[node].height + 1);
    set(root_, 0, around(node));
    set(root_, 1, around(sibling));
  } else {
    const std::uint32_t parent = nodes_[node].parent;
    set(parent, nodes_[node].lane, around(node));
    put(parent, around(sibling));
  }
}

void BoxTree::remove(Slot slot) {
  TUMBLE_ASSERT(contains(slot));
  const std::uint32_t place = place_[slot];
  place_[slot] = no_node;
  nodes_[place / lanes].clear(static_cast<int>(place % lanes));
  tighten(place / lanes);
}

/// Makes the boxes above a node fit again, and takes nodes out that have become empty.
void BoxTree::tighten(std::uint32_t node) {
  while (node != root_) {
    const std::uint32_t parent = nodes_[node].parent;
    const int lane = nodes_[node].lane;
    const Entry now = around(node);
    if (std::ranges::count(nodes_[node].child, no_node) == lanes) {
      nodes_[parent].clear(lane);
      unused_.push_back(node);
    } else {
      const Box before = nodes_[parent].box(lane);
      if (before.lower == now.box.lower && before.upper == now.box.upper &&
          (nodes_[parent].moving >> lane & 1) == (now.moves ? 1 : 0))
        return;
      set(parent, lane, now);
    }
    node = parent;
  }
  // A root with one child or none is of no use.
  for (;;) {
    const BoxNode& top = nodes_[root_];
    const auto children = lanes - std::ranges::count(top.child, no_node);
    if (children > 1 || (children == 1 && top.height == 0)) return;
    unused_.push_back(root_);
    root_ = children == 0 ? no_node : *std::ranges::find_if(top.child, [](std::uint32_t c) { return c != no_node; });
    if (empty()) return;
    nodes_[root_].parent = no_node;
  }
}

void BoxTree::replace(Slot slot, const Box& box, bool moves) {
  TUMBLE_ASSERT(contains(slot));
  const std::uint32_t node = place_[slot] / lanes;
  const BoxNode& in = nodes_[node];
  if (node == root_ || tumble::contains(nodes_[in.parent].box(in.lane), box)) {
    set(node, static_cast<int>(place_[slot] % lanes), {box, slot, moves});
    tighten(node);
  } else {
    remove(slot);
    insert(slot, box, moves);
  }
}

}  // namespace tumble
