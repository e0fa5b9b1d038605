// SPDX-License-Identifier: Apache-2.0
// BoxOrder: puts boxes into an order in which neighbours in the list are neighbours in space.
#pragma once

#include "world/neighbours.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tumble {

/// What is in a slot.
enum class Presence : std::uint8_t { absent, still, moving };

class BoxOrder {
 public:
  /// The slots of boxes that are present, in order. Those that do not move come first; within both parts
  /// they follow a Hilbert curve. Valid until the next call.
  std::span<const Slot> order(std::span<const Box> boxes, std::span<const Presence> presence);

 private:
  void sort_shared_cells(std::span<const Box> boxes, std::size_t begin, std::size_t end);
  void sort_cell(std::span<const Box> boxes, std::size_t begin, std::size_t end);

  struct Item {
    std::uint32_t key;
    Slot slot;
  };
  std::vector<Item> items_, part_, scratch_;
  std::vector<Slot> order_;
  Vec3 shape_;  // the usual sides of boxes
};

}  // namespace tumble
