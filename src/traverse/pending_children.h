// SPDX-License-Identifier: Apache-2.0
// PendingChildren: the stack of a walk through one tree, which goes to the nearest child first. It allocates nothing.
#pragma once

#include "tree/tree.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

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
  Pending<Number> pop() { return read(stack_[--count_]); }

  /// Of the lanes named by bits, one at least, the nearest is returned and the others are pushed. Their order matters
  /// little: once the nearest has been looked into, most are too far. Distances are not negative.
  [[gnu::always_inline]] Pending<Number> push_others(std::uint32_t lanes, const Number* distances,
                                                     const Child* children) {
    const auto first_of = [&](std::uint32_t some) -> Slot {
      const auto lane = static_cast<std::size_t>(std::countr_zero(some));
      return {std::bit_cast<Bits>(distances[lane]), children[lane].bits};
    };
    Slot nearest = first_of(lanes);
    for (lanes &= lanes - 1; lanes != 0; lanes &= lanes - 1) {
      const Slot other = first_of(lanes);
      // Exchanged where the other is nearer, without a branch: half of them would be mispredicted.
      const Bits exchange = Bits{0} - static_cast<Bits>(other.distance_bits < nearest.distance_bits);
      const Bits distance = (nearest.distance_bits ^ other.distance_bits) & exchange;
      const std::uint32_t child = (nearest.child_bits ^ other.child_bits) & static_cast<std::uint32_t>(exchange);
      stack_[count_].distance_bits = other.distance_bits ^ distance;
      stack_[count_].child_bits = other.child_bits ^ child;
      nearest.distance_bits ^= distance;
      nearest.child_bits ^= child;
      ++count_;
    }
    return read(nearest);
  }

 private:
  /// Every level leaves at most seven siblings behind.
  static constexpr std::size_t most = std::size_t{Tree::max_depth} * (Tree::lanes - 1) + Tree::lanes;

  using Bits = std::conditional_t<sizeof(Number) == 4, std::uint32_t, std::uint64_t>;

  struct Slot {          // not a Pending, which would be initialized
    Bits distance_bits;  // in the order of distances
    std::uint32_t child_bits;
  };
  static Pending<Number> read(const Slot& slot) {
    return {std::bit_cast<Number>(slot.distance_bits), {slot.child_bits}};
  }

  std::size_t count_ = 0;
  std::array<Slot, most> stack_;
};

}  // namespace tumble
