// SPDX-License-Identifier: Apache-2.0
// The Hilbert curve visits every cell once, and each is beside the one before.
#include "world/hilbert.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <vector>

namespace tumble {
namespace {

int coordinate(std::uint32_t morton, int axis, int bits) {
  int at = 0;
  for (int b = 0; b < bits; ++b) at |= static_cast<int>(morton >> (3 * b + axis) & 1U) << b;
  return at;
}

TEST(Hilbert, NeverJumps) {
  for (const int bits : {1, 2, 4, 6}) {
    const std::uint32_t cells = 1U << (3 * bits);
    std::vector<std::uint32_t> along(cells, cells);
    for (std::uint32_t morton = 0; morton < cells; ++morton) along.at(hilbert_from_morton(morton, bits)) = morton;
    for (std::uint32_t place = 0; place < cells; ++place) {
      ASSERT_NE(along[place], cells) << "no cell is at " << place;
      int steps = 0;
      for (int axis = 0; axis < 3 && place > 0; ++axis)
        steps += std::abs(coordinate(along[place], axis, bits) - coordinate(along[place - 1], axis, bits));
      ASSERT_EQ(steps, place == 0 ? 0 : 1) << "place " << place << " of " << bits << " bits";
    }
  }
}

}  // namespace
}  // namespace tumble
