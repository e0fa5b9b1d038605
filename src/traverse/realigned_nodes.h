// SPDX-License-Identifier: Apache-2.0
// RealignedNodes: the moving tree's nodes in the standing one's coordinates, made on first use and kept for the pose.
#pragma once

#include "core/aligned_buffer.h"
#include "core/zeroed_array.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>

namespace tumble {

/// Which nodes are there is known by the number of the walk that made them, in a byte each: forgetting all of them
/// costs nothing, and a question that opens few costs little, whatever the size of the tree. Room for the first is at
/// hand.
class RealignedNodes {
 public:
  RealignedNodes() {}  // leaves first_ as it is
  RealignedNodes(const RealignedNodes&) = delete;
  RealignedNodes& operator=(const RealignedNodes&) = delete;

  /// Before a walk: there are none, and room for all nodes of a tree, with rows for the target's bounds.
  void begin(std::uint32_t node_count, std::size_t floats_per_node) {
    if (made_by_.size() < node_count) {
      slots_ = std::make_unique_for_overwrite<std::uint32_t[]>(node_count);
      made_by_ = ZeroedArray<std::uint8_t>(node_count);  // last: if there is no memory, the next walk tries again
      walk_ = 0;
    }
    if (++walk_ == 0) {  // after 2^8 walks old numbers would look new
      for (std::size_t i = 0; i < made_by_.size(); ++i) made_by_[i] = 0;
      walk_ = 1;
    }
    used_ = 0;
    if (floats_ != floats_per_node) {
      floats_ = floats_per_node;
      larger_ = {};
      rows_ = first_.data();
      capacity_ = static_cast<std::uint32_t>(first_.size() / floats_);
    }
  }

  bool has(std::uint32_t node) const { return made_by_[node] == walk_; }
  /// Rows of a node that is there. Pointers hold until the next add() there was no room made for.
  float* rows(std::uint32_t node) { return rows_ + slots_[node] * floats_; }

  /// Of one or two.
  void make_room_for(std::uint32_t more) {
    if (used_ + more > capacity_) grow();
  }
  /// A place for a node; one that is there already keeps its place.
  float* add(std::uint32_t node) {
    if (!has(node)) {
      make_room_for(1);
      made_by_[node] = walk_;
      slots_[node] = used_++;
    }
    return rows(node);
  }

 private:
  void grow() {
    const std::uint32_t capacity = 2 * capacity_ + 1;
    AlignedBuffer larger = AlignedBuffer::uninitialized(capacity * floats_ * sizeof(float));
    auto* const rows = reinterpret_cast<float*>(larger.data());
    std::memcpy(rows, rows_, used_ * floats_ * sizeof(float));
    larger_ = std::move(larger);
    rows_ = rows;
    capacity_ = capacity;
  }

  std::unique_ptr<std::uint32_t[]> slots_;  // by node; only of those that are there
  ZeroedArray<std::uint8_t> made_by_;
  std::size_t floats_ = 0;  // of a node
  std::uint32_t used_ = 0, capacity_ = 0;
  std::uint8_t walk_ = 0;
  float* rows_ = nullptr;  // in first_ or larger_, by slot
  AlignedBuffer larger_;
  alignas(AlignedBuffer::alignment) std::array<float, 2048> first_;  // 17 nodes of boxes; not initialised
};

}  // namespace tumble
