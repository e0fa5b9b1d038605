// SPDX-License-Identifier: Apache-2.0
// FineBox: a bound in double precision, for a second look at volumes that single precision cannot tell apart. Where
// what it holds has flat faces, its faces lie on them.
#pragma once

#include "core/zeroed_array.h"
#include "tree/tree.h"

#include <tumble/mesh.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <span>

namespace tumble {

/// A box in the body's own coordinates, whose edges are nearly, not exactly, at right angles.
struct FineBox {
  Vec3 center;
  std::array<Vec3, 3> normals;  // of the faces, the thinnest side first; of unit length but for roundings
  std::array<Vec3, 3>
      half_edges;  // every vertex below is center + Σ s_i·half_edges[i] with |s_i| <= 1, to 17 roundings
  double reach;    // at least |x| + |y| + |z| of every vertex; 0: there is no such box
  bool is_of_leaf;
};

/// Around what a volume bounds. None where rounding leaves no direction to measure along, or numbers are too small.
FineBox fine_box(const Tree& tree, VolumeId volume, std::span<const Vec3> vertices,
                 std::span<const Triangle> triangles);

/// The volume itself, as the tree has it: made at once, and a few roundings in single precision larger. None likewise,
/// and for k-DOPs without the coordinate axes; of others it is what these bound.
FineBox volume_box(const Tree& tree, VolumeId volume);

/// The fine boxes of a tree. Each is made when it is first asked for and kept; any number of threads may ask.
class FineBoxes {
 public:
  explicit FineBoxes(const Tree& tree)
      : nodes_(tree.node_count), boxes_(std::size_t{tree.node_count} + tree.leaf_count()) {}

  /// A box that another thread is about to keep is in `own`.
  template <class Make>
  const FineBox& get(Child child, FineBox& own, const Make& make) const {
    Kept& kept = boxes_[child.is_leaf() ? std::size_t{nodes_} + child.index() : child.index()];
    const std::atomic_ref<std::uint32_t> state(kept.state);
    if (state.load(std::memory_order_acquire) == made) return kept.box;
    // Two threads may make the same one; the first keeps it.
    own = make();
    std::uint32_t expected = missing;
    if (!state.compare_exchange_strong(expected, being_kept, std::memory_order_acquire)) return own;
    kept.box = own;
    state.store(made, std::memory_order_release);
    return kept.box;
  }

 private:
  static constexpr std::uint32_t missing = 0, being_kept = 1, made = 2;
  struct Kept {
    FineBox box;
    std::uint32_t state;
  };

  std::size_t nodes_;
  ZeroedArray<Kept> boxes_;
};

}  // namespace tumble
