// SPDX-License-Identifier: Apache-2.0
// RealignedNodes: the moving tree's nodes in the standing one's coordinates, made on first use and kept for the pose.
#pragma once

#include "core/aligned_buffer.h"
#include "core/zeroed_array.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

namespace tumble {

/// Which nodes are there is known by the number of the query that made them, so that forgetting all of them costs
/// nothing.
class RealignedNodes {
 public:
  /// Before a walk: there are none, and room for all nodes of a tree, with rows for the target's bounds.
  void begin(std::uint32_t node_count, std::size_t floats_per_node) {
    if (nodes_.size() < node_count) {
      nodes_ = ZeroedArray<Node>(node_count);
      query_ = 0;
    }
    if (floats_ != floats_per_node) {
      arena_ = {};
      capacity_ = 0;
      floats_ = floats_per_node;
    }
    used_ = 0;
    if (++query_ == 0) {  // after 2^32 queries old stamps would look new
      for (std::size_t i = 0; i < nodes_.size(); ++i) nodes_[i].stamp = 0;
      query_ = 1;
    }
  }

  bool has(std::uint32_t node) const { return nodes_[node].stamp == query_; }
  /// Rows of a node that is there. Pointers hold until the next add() there was no room made for.
  const float* rows(std::uint32_t node) const { return at(nodes_[node].slot); }
  float* rows(std::uint32_t node) { return at(nodes_[node].slot); }

  void make_room_for(std::uint32_t more) {
    if (used_ + more > capacity_) grow();
  }
  /// A place for a node; one that is there already keeps its place.
  float* add(std::uint32_t node) {
    if (!has(node)) {
      if (used_ == capacity_) grow();
      nodes_[node] = {query_, used_++};
    }
    return at(nodes_[node].slot);
  }

 private:
  struct Node {
    std::uint32_t stamp;  // the number of the query that made it
    std::uint32_t slot;   // in the arena
  };

  const float* at(std::uint32_t slot) const { return reinterpret_cast<const float*>(arena_.data()) + slot * floats_; }
  float* at(std::uint32_t slot) { return reinterpret_cast<float*>(arena_.data()) + slot * floats_; }
  void grow() {
    const std::uint32_t capacity = capacity_ ? 2 * capacity_ : 16;
    AlignedBuffer larger = AlignedBuffer::uninitialized(capacity * floats_ * sizeof(float));
    if (used_ > 0) std::memcpy(larger.data(), arena_.data(), used_ * floats_ * sizeof(float));
    arena_ = std::move(larger);
    capacity_ = capacity;
  }

  AlignedBuffer arena_;
  ZeroedArray<Node> nodes_;
  std::size_t floats_ = 0;
  std::uint32_t query_ = 0, used_ = 0, capacity_ = 0;
};

}  // namespace tumble
