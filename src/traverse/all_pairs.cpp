// SPDX-License-Identifier: Apache-2.0
// Two nested loops over groups of triangles, as one that can stop and go on.
#include "traverse/all_pairs.h"

#include <algorithm>

namespace tumble {

WalkEnd walk_all_pairs(const Tree& target, const Tree& source, Sink& sink, const Deadline& deadline,
                       std::uint64_t& node_pairs, Counters* counters) {
  constexpr std::uint32_t group = Tree::group_size;
  // Nothing is known of distances: gap 0, and a reach so large that no pair is postponed.
  static constexpr float zeros[group * group] = {},
                                       ones[group * group] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  const std::uint32_t targets = target.triangle_count(), sources = source.triangle_count();
  const std::uint64_t columns = (std::uint64_t{sources} + group - 1) / group,
                      groups = (std::uint64_t{targets} + group - 1) / group * columns;
  for (bool made_progress = false; node_pairs < groups; made_progress = true) {
    if (node_pairs >= deadline.node_pairs || (made_progress && deadline.is_late())) return WalkEnd::out_of_budget;
    LeafPairs pairs;
    pairs.target_first = group * static_cast<std::uint32_t>(node_pairs / columns);
    pairs.source_first = group * static_cast<std::uint32_t>(node_pairs % columns);
    ++node_pairs;
    const std::uint32_t rows = std::min(group, targets - pairs.target_first),
                        width = std::min(group, sources - pairs.source_first);
    if (counters) counters->np += rows * width;
    pairs.bits.open = PairBits::all(rows, width);
    if (sink.measures) pairs.gaps = zeros, pairs.reaches = ones;
    if (sink.decide(pairs)) return WalkEnd::ended_by_sink;
  }
  return WalkEnd::all_seen;
}

}  // namespace tumble
