// SPDX-License-Identifier: Apache-2.0
// Sorting networks: a fixed sequence of compare-exchanges that sorts any contents. Sorting needs no branch, and can
// work on several rows side by side.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <utility>

namespace tumble {
namespace detail {

/// Batcher's odd-even merge sort (1968) as a list of pairs of places.
template <std::size_t Count>
constexpr auto sorting_network() {
  static_assert(std::has_single_bit(Count));
  const auto for_each_pair = [](const auto& use) {
    for (std::size_t merged = 1; merged < Count; merged *= 2)
      for (std::size_t apart = merged; apart > 0; apart /= 2)
        for (std::size_t begin = apart % merged; begin + apart < Count; begin += 2 * apart)
          for (std::size_t i = begin; i < begin + apart && i + apart < Count; ++i)
            if (i / (2 * merged) == (i + apart) / (2 * merged)) use(i, i + apart);
  };
  constexpr std::size_t size = [&] {
    std::size_t pairs = 0;
    for_each_pair([&](std::size_t, std::size_t) { ++pairs; });
    return pairs;
  }();
  std::array<std::pair<std::size_t, std::size_t>, size> network;
  std::size_t used = 0;
  for_each_pair([&](std::size_t i, std::size_t j) { network[used++] = {i, j}; });
  return network;
}

}  // namespace detail

/// Calls compare_exchange(i, j), i < j, for each pair of a network in turn. It must put the smaller at i.
template <std::size_t Count, class CompareExchange>
[[gnu::always_inline]] inline void sort_with_network(const CompareExchange& compare_exchange) {
  constexpr auto network = detail::sorting_network<Count>();
  [&]<std::size_t... I>(std::index_sequence<I...>) { (compare_exchange(network[I].first, network[I].second), ...); }
  (std::make_index_sequence<network.size()>{});
}

}  // namespace tumble
