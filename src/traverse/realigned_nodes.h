// SPDX-License-Identifier: Apache-2.0
// RealignedNodes: the moving tree's nodes in the standing one's coordinates, made on first use and kept for the pose.
#pragma once

#include "core/aligned_buffer.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace tumble {

/// Which nodes are there is known by the number of the query that made them, so that forgetting all of them costs
/// nothing.
class RealignedNodes {
 public:
  /// Before another tree or other bounds: makes room for all nodes. Walks forget_all() themselves.
  void fit(std::uint32_t node_count, std::size_t floats_per_node) {
    if (stamps_.size() >= node_count && floats_ == floats_per_node) return;
    slots_.resize(std::max<std::size_t>(slots_.size(), node_count));
    stamps_.assign(slots_.size(), 0);
    query_ = 0;
    forget_all();
    if (floats_ == floats_per_node) return;
    arena_ = {};
    capacity_ = 0;
    floats_ = floats_per_node;  // last: if memory runs out before, there is no room yet
  }

  void forget_all() {
    used_ = 0;
    if (++query_ == 0) {  // after 2^32 queries old stamps would look new
      std::fill(stamps_.begin(), stamps_.end(), 0);
      query_ = 1;
    }
  }

  bool has(std::uint32_t node) const { return stamps_[node] == query_; }
  /// Rows of a node that is there. Pointers hold until the next add() there was no room made for.
  const float* rows(std::uint32_t node) const { return at(slots_[node]); }
  float* rows(std::uint32_t node) { return at(slots_[node]); }

  void make_room_for(std::uint32_t more) {
    if (used_ + more > capacity_) grow();
  }
  /// A place for a node; one that is there already keeps its place.
  float* add(std::uint32_t node) {
    if (!has(node)) {
      if (used_ == capacity_) grow();
      stamps_[node] = query_;
      slots_[node] = used_++;
    }
    return at(slots_[node]);
  }

 private:
  const float* at(std::uint32_t slot) const { return reinterpret_cast<const float*>(arena_.data()) + slot * floats_; }
  float* at(std::uint32_t slot) { return reinterpret_cast<float*>(arena_.data()) + slot * floats_; }
  void grow() {
    const std::uint32_t capacity = capacity_ ? 2 * capacity_ : 16;
    AlignedBuffer larger(capacity * floats_ * sizeof(float));
    if (used_ > 0) std::memcpy(larger.data(), arena_.data(), used_ * floats_ * sizeof(float));
    arena_ = std::move(larger);
    capacity_ = capacity;
  }

  AlignedBuffer arena_;
  std::vector<std::uint32_t> stamps_, slots_;
  std::size_t floats_ = 0;
  std::uint32_t query_ = 0, used_ = 0, capacity_ = 0;
};

}  // namespace tumble
