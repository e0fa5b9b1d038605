// SPDX-License-Identifier: Apache-2.0
// Sorting networks by the 0-1 principle (Knuth, The Art of Computer Programming 3, 5.3.4): what sorts all sequences of
// zeros and ones sorts everything.
#include "build/sorting_network.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace tumble {
namespace {

template <std::size_t Count>
void sorts_zeros_and_ones() {
  for (std::uint32_t bits = 0; bits < 1u << Count; ++bits) {
    std::array<std::uint32_t, Count> values;
    for (std::size_t i = 0; i < Count; ++i) values[i] = bits >> i & 1;
    sort_with_network<Count>([&](std::size_t i, std::size_t j) {
      ASSERT_LT(i, j);
      if (values[j] < values[i]) std::swap(values[i], values[j]);
    });
    ASSERT_TRUE(std::ranges::is_sorted(values)) << "of " << Count << ", bits " << bits;
  }
}

TEST(SortingNetwork, SortsZerosAndOnes) {
  sorts_zeros_and_ones<2>();
  sorts_zeros_and_ones<4>();
  sorts_zeros_and_ones<8>();
  sorts_zeros_and_ones<16>();
}

}  // namespace
}  // namespace tumble
