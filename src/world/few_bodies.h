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
  void each_near(Bodies& bodies, const Take& take) {
    const std::size_t count = few_.size();
    near_balls(balls_, {tested_.data(), count}, {near_.data(), count});
    for (std::size_t a = 0; a < count; ++a)
      for (std::uint64_t near = near_[a]; near != 0; near &= near - 1) {
        const auto b = static_cast<std::size_t>(std::countr_zero(near));
        if (!are_apart(bodies.turned(few_[a]), bodies.turned(few_[b]))) take(pairs_[a * count + b]);
      }
  }

 private:
  std::vector<Slot> few_;                     // theirs, in the order of their ids
  std::vector<std::uint8_t> place_of_;        // by slot, its index among them
  std::vector<BallShape> shapes_;             // of each
  FewBalls balls_;                            // around each, grown by margins as boxes are
  std::array<std::uint64_t, most> tested_{};  // of each, with which of them after it, as bits
  std::array<std::uint64_t, most> near_{};    // of these, the pairs whose balls meet
  std::vector<std::uint16_t> pairs_;          // of each and each, the number of the pair, if it is one
};

}  // namespace tumble
