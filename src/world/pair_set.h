// SPDX-License-Identifier: Apache-2.0
// PairSet: a set of pairs that lie side by side in memory, with a hash table to find them.
#pragma once

#include "world/neighbours.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tumble {

class PairSet {
 public:
  std::span<const SlotPair> pairs() const { return pairs_; }

  /// Each pair must be there once.
  void assign(std::span<const SlotPair> pairs) {
    pairs_.assign(pairs.begin(), pairs.end());
    table_.clear();  // made when it is needed
  }

  void insert(const SlotPair& pair) {
    prepare();
    std::size_t at = place(pair);
    if (table_[at] != none) return;
    table_[at] = static_cast<std::uint32_t>(pairs_.size());
    pairs_.push_back(pair);
    if (pairs_.size() * 2 > table_.size()) make_table();
  }

  void erase(const SlotPair& pair) {
    prepare();
    std::size_t at = place(pair);
    const std::uint32_t number = table_[at];
    if (number == none) return;
    // Those behind it move up, so that no search ends too soon (Knuth 1998, section 6.4, algorithm R).
    const std::size_t mask = table_.size() - 1;
    for (std::size_t next = (at + 1) & mask; table_[next] != none; next = (next + 1) & mask) {
      const std::size_t home = hash(pairs_[table_[next]]);
      if (((next - home) & mask) >= ((next - at) & mask)) {
        table_[at] = table_[next];
        at = next;
      }
    }
    table_[at] = none;
    // The last pair takes its number.
    if (number + std::size_t{1} < pairs_.size()) {
      table_[place(pairs_.back())] = number;
      pairs_[number] = pairs_.back();
    }
    pairs_.pop_back();
  }

  template <class Remove>
  void erase_if(const Remove& remove) {
    std::erase_if(pairs_, remove);
    table_.clear();
  }

 private:
  static constexpr std::uint32_t none = 0xffffffff;

  void prepare() {
    if (table_.empty()) make_table();
  }
  void make_table() {
    const std::size_t size = std::bit_ceil(4 * pairs_.size() + 64);
    table_.assign(size, none);
    for (std::uint32_t i = 0; i < pairs_.size(); ++i) table_[place(pairs_[i])] = i;
  }
  std::size_t hash(const SlotPair& pair) const {
    const std::uint64_t key = (std::uint64_t{pair.a} << 32 | pair.b) * 0x9e3779b97f4a7c15u;
    return static_cast<std::size_t>(key ^ key >> 32) & (table_.size() - 1);
  }
  /// Where the pair is, or would be.
  std::size_t place(const SlotPair& pair) const {
    std::size_t at = hash(pair);
    while (table_[at] != none && pairs_[table_[at]] != pair) at = (at + 1) & (table_.size() - 1);
    return at;
  }

  std::vector<SlotPair> pairs_;
  std::vector<std::uint32_t> table_;  // numbers of pairs
};

}  // namespace tumble
