// SPDX-License-Identifier: Apache-2.0
// PairList: pairs of slots, written many at a time without asking for room each time.
#pragma once

#include "world/neighbours.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace tumble {

class PairList {
 public:
  std::size_t size() const { return size_; }
  void clear() { size_ = 0; }
  std::span<const SlotPair> pairs() const { return {storage_.data(), size_}; }

  /// Where up to `count` more may be written; then end() says how far.
  SlotPair* room(std::size_t count) {
    if (size_ + count > storage_.size()) storage_.resize(std::max(size_ + count, 2 * storage_.size()));
    return storage_.data() + size_;
  }
  void end(const SlotPair* at) { size_ = static_cast<std::size_t>(at - storage_.data()); }

  void push(Slot a, Slot b) { end(write(room(1), a, b)); }
  static SlotPair* write(SlotPair* to, Slot a, Slot b) {
    *to = {std::min(a, b), std::max(a, b)};
    return to + 1;
  }

  /// Keeps the pairs for which keep(pair) is true, in their order.
  template <class Keep>
  void keep_if(const Keep& keep) {
    SlotPair* to = storage_.data();
    for (const SlotPair& pair : pairs()) {
      const SlotPair copy = pair;
      *to = copy;
      to += keep(copy);
    }
    end(to);
  }

  /// Gives the pairs away as a vector.
  std::vector<SlotPair> take() {
    storage_.resize(size_);
    return std::move(storage_);
  }

 private:
  std::vector<SlotPair> storage_;
  std::size_t size_ = 0;
};

}  // namespace tumble
