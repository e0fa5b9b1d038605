// SPDX-License-Identifier: Apache-2.0
// box_pairs(): the neighbours of boxes, with nothing kept.
#include "core/assert.h"
#include "world/box_order.h"
#include "world/box_tree.h"

#include <algorithm>
#include <cmath>

namespace tumble {
namespace {

/// At least `by` larger on each side, all roundings included.
Box grown(Box box, double by) {
  for (int axis = 0; axis < 3; ++axis) {
    box.lower[axis] = std::nextafter(box.lower[axis] - by, -infinite);
    box.upper[axis] = std::nextafter(box.upper[axis] + by, infinite);
  }
  return box;
}

bool near(const Box& a, const Box& b, double distance) {
  for (int axis = 0; axis < 3; ++axis)
    if (a.lower[axis] - b.upper[axis] > distance || b.lower[axis] - a.upper[axis] > distance) return false;
  return true;
}

}  // namespace

std::uint64_t box_pairs(std::span<const BoxEntry> entries, double distance, std::vector<SlotPair>& into,
                        const std::function<bool(const SlotPair&)>& of_interest) {
  TUMBLE_ASSERT(distance >= 0);
  std::vector<Box> boxes(entries.size());
  std::vector<Presence> presence(entries.size());
  // Each of two boxes takes half of the distance. Beyond all coordinates it makes no difference.
  const double half = std::min(distance, 4 * max_coordinate) * 0.5 * (1 + 1e-15);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    boxes[i] = distance > 0 ? grown(entries[i].box, half) : entries[i].box;
    presence[i] = entries[i].moves ? Presence::moving : Presence::still;
  }
  BoxOrder order;
  BoxTree tree;
  tree.pack(order.order(boxes, presence), boxes, presence);
  const auto slots = [&](const SlotPair& p) {
    const Slot a = entries[p.a].slot, b = entries[p.b].slot;
    return SlotPair{std::min(a, b), std::max(a, b)};
  };
  const auto keeps = [&](const SlotPair& p) {
    return (distance == 0 || near(entries[p.a].box, entries[p.b].box, distance)) &&
           (!of_interest || of_interest(slots(p)));
  };
  const FilterBy filter(keeps);
  PairList pairs;  // of numbers of entries
  const std::uint64_t work =
      overlapping_pairs(tree, static_cast<std::size_t>(-1), distance > 0 || of_interest ? &filter : nullptr, pairs);
  into.resize(pairs.size());
  std::ranges::transform(pairs.pairs(), into.begin(), slots);
  return work;
}

}  // namespace tumble
