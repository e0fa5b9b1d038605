// SPDX-License-Identifier: Apache-2.0
// Sorting many small items by a number each, without comparing them.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tumble {

/// Measured: where digits begin to be quicker than comparisons.
inline constexpr std::size_t few_to_sort = 64;

/// Ascending by key(item), a 64-bit number. Many items go digit by digit, the least first (Knuth 1998, section 5.2.5),
/// without the bits in which no two keys differ; `scratch` is memory to keep for the next time.
template <class Item, class Key>
void sort_by_key(std::vector<Item>& items, std::vector<Item>& scratch, const Key& key) {
  if (items.size() < few_to_sort) {
    std::ranges::sort(items, {}, key);
    return;
  }
  constexpr int digit_bits = 8;
  const auto digit = [&key](const Item& item, int shift) {
    return static_cast<std::size_t>(key(item) >> shift & ((1u << digit_bits) - 1));
  };
  std::uint64_t differing = 0;
  for (const Item& item : items) differing |= key(item) ^ key(items.front());
  scratch.resize(items.size());
  while (differing != 0) {
    const int shift = std::countr_zero(differing);
    std::array<std::size_t, std::size_t{1} << digit_bits> places{};  // how many have a digit, then where the next goes
    for (const Item& item : items) ++places[digit(item, shift)];
    std::size_t begin = 0;
    for (std::size_t& place : places) {
      const std::size_t count = place;
      place = begin;
      begin += count;
    }
    for (const Item& item : items) scratch[places[digit(item, shift)]++] = item;
    items.swap(scratch);
    differing &= ~(((std::uint64_t{1} << digit_bits) - 1) << shift);
  }
}

}  // namespace tumble
