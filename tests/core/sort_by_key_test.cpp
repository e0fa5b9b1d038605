// SPDX-License-Identifier: Apache-2.0
#include "core/sort_by_key.h"

#include <gtest/gtest.h>

#include <random>

namespace tumble {
namespace {

/// What may differ between keys: few bits and many, at both ends and in the middle.
constexpr std::uint64_t masks[] = {0, 1, 0xff, 0x1ff, 0x8000000000000001, 0xffff0000ffff, 0xf0f0f0f0f0f0f0f0, ~0ull};

TEST(SortByKey, SortsAsComparingDoes) {
  constexpr std::uint64_t seed = 17;
  RecordProperty("seed", static_cast<int>(seed));
  std::mt19937_64 random(seed);
  std::vector<std::uint64_t> scratch;
  for (const std::size_t count : {std::size_t{0}, std::size_t{1}, few_to_sort - 1, few_to_sort, std::size_t{100},
                                  std::size_t{255}, std::size_t{5000}})
    for (const std::uint64_t mask : masks) {
      std::vector<std::uint64_t> items(count);
      for (std::uint64_t& item : items) item = (random() & mask) ^ 0x0123456789abcdef;
      std::vector<std::uint64_t> expected = items;
      std::ranges::sort(expected);
      sort_by_key(items, scratch, [](std::uint64_t item) { return item; });
      EXPECT_EQ(items, expected) << count << " items, mask " << mask;
    }
}

}  // namespace
}  // namespace tumble
