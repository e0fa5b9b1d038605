// SPDX-License-Identifier: Apache-2.0
// PendingChildren: the stack of a walk through one tree, which goes to the nearest child first. It allocates nothing.
#pragma once

#include "tree/tree.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace tumble {

/// Where a walk goes next, and how far that is.
template <class Number>
struct Pending {
  Number distance;
  Child child;
};

template <class Number>
class PendingChildren {
 public:
  bool empty() const { return count_ == 0; }
  Pending<Number> pop() {
    --count_;
    return {stack_[count_].distance, {stack_[count_].child_bits}};
  }

  /// Of the lanes named by bits, one at least, the nearest is returned and the others are pushed. Their order matters
  /// little: once the nearest has been looked into, most are too far. Without a branch for each, as half of them would
  /// be mispredicted.
  [[gnu::always_inline]] Pending<Number> push_others(std::uint32_t lanes, const Number* distances,
                                                     const Child* children) {
    const auto first_of = [&](std::uint32_t some) -> Slot {
      const auto lane = static_cast<std::size_t>(std::countr_zero(some));
      return {distances[lane], children[lane].bits};
    };
    Slot nearest = first_of(lanes);
    for (lanes &= lanes - 1; lanes != 0; lanes &= lanes - 1) {
      const Slot other = first_of(lanes);
      const bool is_nearer = other.distance < nearest.distance;
      stack_[count_].distance = is_nearer ? nearest.distance : other.distance;
      stack_[count_].child_bits = is_nearer ? nearest.child_bits : other.child_bits;
      nearest.distance = is_nearer ? other.distance : nearest.distance;
      nearest.child_bits = is_nearer ? other.child_bits : nearest.child_bits;
      ++count_;
    }
    return {nearest.distance, {nearest.child_bits}};
  }

 private:
  /// Every level leaves at most seven siblings behind.
  static constexpr std::size_t most = std::size_t{Tree::max_depth} * (Tree::lanes - 1) + Tree::lanes;

  struct Slot {  // not a Pending, which would be initialized
    Number distance;
    std::uint32_t child_bits;
  };

  std::size_t count_ = 0;
  std::array<Slot, most> stack_;
};

}  // namespace tumble
