// SPDX-License-Identifier: Apache-2.0
// Sorts many small items by a key, without comparing them.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tumble {

/// Measured: from here on, sorting by digits is faster than by comparisons. Less than two would leave digits without
/// bits.
inline constexpr std::size_t few_to_sort = 32;
static_assert(few_to_sort >= 2);

/// Sorts ascending by key(item), a 64-bit number. Many items are sorted digit by digit, the least significant first
/// (Knuth 1998, section 5.2.5), skipping bits in which no two keys differ. Keep `scratch` for the next call.
template <class Item, class Key>
void sort_by_key(std::vector<Item>& items, std::vector<Item>& scratch, const Key& key) {
  if (items.size() < few_to_sort) {
    std::ranges::sort(items, {}, key);
    return;
  }
  // About as many digit values as items: fewer would take more rounds, more would take longer to add up.
  std::array<std::size_t, 256> table;
  const std::span places(table.data(), std::min(std::bit_floor(items.size()), table.size()));
  const std::uint64_t all_bits = places.size() - 1;
  const auto digit = [&](const Item& item, int shift) {
    return static_cast<std::size_t>(key(item) >> shift & all_bits);
  };
  std::uint64_t differing = 0;
  for (const Item& item : items) differing |= key(item) ^ key(items.front());
  scratch.reserve(items.capacity());  // the two may be swapped, so both keep their capacity
  scratch.resize(items.size());
  while (differing != 0) {
    const int shift = std::countr_zero(differing);
    std::ranges::fill(places, 0);
    for (const Item& item : items) ++places[digit(item, shift)];  // counts; below, where the next item goes
    std::size_t begin = 0;
    for (std::size_t& place : places) {
      const std::size_t count = place;
      place = begin;
      begin += count;
    }
    for (const Item& item : items) scratch[places[digit(item, shift)]++] = item;
    items.swap(scratch);
    differing &= ~(all_bits << shift);
  }
}

}  // namespace tumble
