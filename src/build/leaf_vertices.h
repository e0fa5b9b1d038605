// SPDX-License-Identifier: Apache-2.0
// LeafVertices: the vertices of each leaf, each once. Neighbouring triangles share most vertices, so bounds are fitted
// to half as many points as there are corners.
#pragma once

#include "build/build_input.h"
#include "core/parallel.h"
#include "core/raw_array.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace tumble {

class LeafVertices {
 public:
  /// Leaf i holds the triangles order[leaf_first[i], leaf_first[i + 1]).
  LeafVertices(const BuildInput& input, std::span<const std::uint32_t> leaf_first, std::span<const std::uint32_t> order)
      : first_(leaf_first.size()) {
    const std::size_t leaves = leaf_first.size() - 1;
    RawArray<std::uint32_t> gathered(3 * order.size());
    parallel_for(leaves, 512, [&](std::size_t leaf) {
      std::uint32_t* const begin = gathered.data() + 3 * std::size_t{leaf_first[leaf]};
      first_[leaf + 1] = static_cast<std::uint32_t>(
          gather(input, order.subspan(leaf_first[leaf], leaf_first[leaf + 1] - leaf_first[leaf]), begin) - begin);
    });
    for (std::size_t leaf = 0; leaf < leaves; ++leaf) first_[leaf + 1] += first_[leaf];
    numbers_ = RawArray<std::uint32_t>(first_.back());
    parallel_for(leaves, 512, [&](std::size_t leaf) {
      std::copy_n(gathered.data() + 3 * std::size_t{leaf_first[leaf]}, first_[leaf + 1] - first_[leaf],
                  numbers_.data() + first_[leaf]);
    });
  }

  /// The vertices of consecutive leaves; different leaves may repeat some.
  std::span<const std::uint32_t> of(std::uint32_t leaf_begin, std::uint32_t leaf_end) const {
    return {numbers_.data() + first_[leaf_begin], numbers_.data() + first_[leaf_end]};
  }
  std::span<const std::uint32_t> of(std::uint32_t leaf) const { return of(leaf, leaf + 1); }

 private:
  static std::uint32_t* gather(const BuildInput& input, std::span<const std::uint32_t> triangles,
                               std::uint32_t* const begin) {
    constexpr std::size_t few = 16;  // up to here, a linear search is faster than sorting
    std::uint32_t* end = begin;
    for (const std::uint32_t t : triangles)
      for (const std::uint32_t v : input.triangles[t])
        if (triangles.size() > few || std::find(begin, end, v) == end) *end++ = v;
    if (triangles.size() <= few) return end;
    std::sort(begin, end);
    return std::unique(begin, end);
  }

  std::vector<std::uint32_t> first_;
  RawArray<std::uint32_t> numbers_;
};

}  // namespace tumble
