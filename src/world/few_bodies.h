// SPDX-License-Identifier: Apache-2.0
// FewBodies: the bodies of a small world. All pairs to be tested are looked at, balls first and then boxes: that takes
// less time than to find neighbours.
#pragma once

#include "world/bodies.h"
#include "world/live_pairs.h"
#include "world/near_balls.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tumble {

class FewBodies {
 public:
  /// At most.
  static constexpr std::size_t most = most_balls;

  /// All that are there, and the pairs to be tested, which are in the order of their ids.
  void take(const Bodies& bodies, std::span<const LivePair> pairs);
  /// Bodies of those taken that moved.
  void move(const Bodies& bodies, std::span<const Slot> changed);

  /// Calls take(pair) with the number of every pair that is not certainly apart, in their order.
  template <class Take>
  void each_near(const Bodies& bodies, const Take& take) {
    find_near(bodies);
    const std::size_t count = few_.size();
    for (std::size_t a = 0; a < count; ++a)
      for (std::uint64_t near = near_[a]; near != 0; near &= near - 1)
        take(pairs_[a * count + static_cast<std::size_t>(std::countr_zero(near))]);
  }

 private:
  void find_near(const Bodies& bodies);

  std::vector<Slot> few_;                     // theirs, in the order of their ids
  std::vector<std::uint8_t> place_of_;        // by slot, its index among them
  std::vector<BallShape> shapes_;             // of each
  FewBalls balls_;                            // around each, grown by margins as boxes are
  std::vector<TurnedBox> boxes_;              // around each, not grown; where the body is once that was of use
  std::uint64_t to_turn_ = 0;                 // bits of those that are elsewhere
  std::array<std::uint64_t, most> tested_{};  // of each, with which of them after it, as bits
  std::array<std::uint64_t, most> near_{};    // of these, the pairs that are not certainly apart
  std::vector<std::uint16_t> pairs_;          // of each and each, the number of the pair, if it is one
};

}  // namespace tumble
