// SPDX-License-Identifier: Apache-2.0
// Tree: the one bounding-volume tree of tumble, for k-DOPs and OBBs, built or mapped from a file. It is only data:
// building, checking and walking are elsewhere, and no pose ever enters it.
#pragma once

#include "bounds/rows.h"
#include "core/assert.h"
#include "tree/frame.h"
#include "tree/volume_id.h"

#include <tumble/tree_options.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace tumble {

/// Where a lane of a node leads: to a node, to a leaf, or nowhere.
struct Child {
  static constexpr std::uint32_t leaf_bit = 0x80000000u;
  static constexpr std::uint32_t empty_bits = 0xffffffffu;

  std::uint32_t bits = empty_bits;

  static Child node(std::uint32_t index) { return {index}; }
  static Child leaf(std::uint32_t index) { return {index | leaf_bit}; }

  bool is_empty() const { return bits == empty_bits; }
  bool is_leaf() const { return (bits & leaf_bit) != 0; }  // of a lane that is not empty
  std::uint32_t index() const { return bits & ~leaf_bit; }
};

/// A node holds the bounds of up to eight children side by side, in tree coordinates, rounded outward. bounds/rows.h
/// gives the layout. Used lanes come first; empty lanes hold bounds that overlap nothing.
struct NodeView {
  const float* rows;
  const Child* children;

  int used_lanes() const {
    int used = 0;
    while (used < node_lanes && !children[used].is_empty()) ++used;
    return used;
  }
};

/// The triangles of a leaf are the consecutive slots [first, last).
struct LeafView {
  std::uint32_t first, last;
  std::uint32_t size() const { return last - first; }
};

struct Tree {
  static constexpr int lanes = node_lanes;
  /// Leaf corners are stored in groups of up to four slots. A group has nine rows (three corners by three coordinates)
  /// as wide as the group, so that four triangles load as one vector and no space is wasted.
  static constexpr std::uint32_t group_size = 4;
  static constexpr std::size_t corner_floats = 9;
  /// Readable floats past the last corner: a vector load of a narrow last group reaches beyond it.
  static constexpr std::size_t corner_padding = 16;
  static constexpr int max_depth = 96;

  Bound bound = Bound::obb;  // never automatic
  int k = 0;                 // 0 for OBBs
  int arity = lanes;
  Frame frame;

  std::uint32_t node_count = 0;
  const std::byte* nodes = nullptr;             // node 0 has one lane: the whole object
  std::span<const std::uint32_t> leaf_first;    // slot where each leaf begins, and the end of the last
  std::span<const std::uint32_t> triangle_ids;  // slot -> triangle of the mesh
  std::span<const float> corners;               // leaf triangles in tree coordinates, rounded to nearest; padded
  std::shared_ptr<const void> storage;          // owns what the pointers above point into

  static int rows_of(Bound bound, int k) { return bound == Bound::dop ? DopRows::count(k) : ObbRows::count; }
  static std::size_t node_bytes_of(Bound bound, int k) {
    return static_cast<std::size_t>(rows_of(bound, k)) * lanes * sizeof(float) + lanes * sizeof(Child);
  }

  int rows() const { return rows_of(bound, k); }
  std::size_t node_bytes() const { return node_bytes_of(bound, k); }
  std::uint32_t leaf_count() const { return static_cast<std::uint32_t>(leaf_first.size()) - 1; }
  std::uint32_t triangle_count() const { return static_cast<std::uint32_t>(triangle_ids.size()); }

  NodeView node(std::uint32_t index) const {
    TUMBLE_ASSERT(index < node_count);
    const std::byte* at = nodes + index * node_bytes();
    return {reinterpret_cast<const float*>(at),
            reinterpret_cast<const Child*>(at + static_cast<std::size_t>(rows()) * lanes * sizeof(float))};
  }
  /// Where a volume leads.
  Child child(VolumeId volume) const { return node(volume.node()).children[volume.lane()]; }
  LeafView leaf(std::uint32_t index) const { return {leaf_first[index], leaf_first[index + 1]}; }

  /// The size of the tree without the mesh.
  std::size_t bytes() const {
    return node_count * node_bytes() + leaf_first.size_bytes() + triangle_ids.size_bytes() + corners.size_bytes();
  }
};

/// The nodes alone, for walks. It keeps the size of a node, so that finding one takes a single product.
class Nodes {
 public:
  explicit Nodes(const Tree& tree) : first_(tree.nodes), bytes_(tree.node_bytes()) {}

  NodeView operator[](std::uint32_t index) const {
    const std::byte* const end = first_ + (index + std::size_t{1}) * bytes_;
    return {reinterpret_cast<const float*>(end - bytes_),
            reinterpret_cast<const Child*>(end - Tree::lanes * sizeof(Child))};
  }
  /// Where a volume leads.
  Child child(VolumeId volume) const { return (*this)[volume.node()].children[volume.lane()]; }

 private:
  const std::byte* first_;
  std::size_t bytes_;
};

}  // namespace tumble
