// SPDX-License-Identifier: Apache-2.0
// PairFilter: which of the pairs that a walk finds are kept. It is asked about a node's pairs at a time, as they are
// found: those dropped never take memory.
#pragma once

#include "world/neighbours.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tumble {

class PairFilter {
 public:
  /// Moves the pairs to keep to the front, in their order, and returns their end.
  virtual SlotPair* keep(SlotPair* begin, SlotPair* end) const = 0;

 protected:
  ~PairFilter() = default;
};

/// Keeps the pairs for which keeps(pair) is true.
template <class Keeps>
class FilterBy final : public PairFilter {
 public:
  explicit FilterBy(const Keeps& keeps) : keeps_(keeps) {}

  SlotPair* keep(SlotPair* begin, SlotPair* end) const override {
    SlotPair* to = begin;
    for (; begin != end; ++begin) {
      const SlotPair pair = *begin;
      *to = pair;
      to += keeps_(pair);
    }
    return to;
  }

 private:
  const Keeps& keeps_;
};

/// Which boxes belong to one group: they are no neighbours, however many of them overlap.
class BoxGroups final : public PairFilter {
 public:
  void make_room(std::size_t slots) { groups_.resize(slots, no_group); }
  void set(Slot slot, std::uint32_t group) {
    grouped_ += group != no_group ? 1 : 0;
    grouped_ -= groups_[slot] != no_group ? 1 : 0;
    groups_[slot] = group;
  }
  bool are_one(Slot a, Slot b) const { return grouped_ > 0 && groups_[a] == groups_[b] && groups_[a] != no_group; }

  /// For a walk; none where there are no groups.
  const PairFilter* filter() const { return grouped_ > 0 ? this : nullptr; }
  SlotPair* keep(SlotPair* begin, SlotPair* end) const override {
    const auto keeps = [&](const SlotPair& pair) { return !are_one(pair.a, pair.b); };
    return FilterBy(keeps).keep(begin, end);
  }

 private:
  std::vector<std::uint32_t> groups_;  // by slot
  std::size_t grouped_ = 0;            // slots that have one
};

}  // namespace tumble
