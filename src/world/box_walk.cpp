// SPDX-License-Identifier: Apache-2.0
// The walks of a BoxTree: one box against eight at a time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "world/box_walk.cpp"
#include "simd/foreach_target.h"

#include "simd/lanes-inl.h"
#include "world/box_tree.h"

#include <array>
#include <bit>
#include <cstring>

HWY_BEFORE_NAMESPACE();
namespace tumble {
namespace HWY_NAMESPACE {

using Double8 = Lanes<double, 8>;

/// The lanes of `node` that box `lane` of `from` overlaps, as bits.
HWY_INLINE std::uint32_t overlapping_lanes(const BoxNode& from, std::uint32_t lane, const BoxNode& node) {
  const auto apart = [&](int axis) {
    return less(Double8::broadcast(from.upper[axis][lane]), Double8::load(node.lower[axis])) |
           less(Double8::load(node.upper[axis]), Double8::broadcast(from.lower[axis][lane]));
  };
  return ~bits(apart(0) | apart(1) | apart(2)) & 0xff;
}

HWY_INLINE std::uint32_t next_bit(std::uint32_t& bits) {
  const auto bit = static_cast<std::uint32_t>(std::countr_zero(bits));
  bits &= bits - 1;
  return bit;
}

/// Writes the pairs of `a` and those children whose bits are set, the lesser first, without branches: how many there
/// are cannot be foretold. Overwrites up to eight.
HWY_INLINE SlotPair* write_pairs(std::uint32_t a, const BoxNode& node, std::uint32_t which, SlotPair* to) {
  using Pair8 = Lanes<std::uint64_t, 8>;
  static_assert(sizeof(SlotPair) == 8 && std::endian::native == std::endian::little);
  std::array<std::uint32_t, 8> chosen;
  Lanes<std::uint32_t, 8>::load(node.child.data()).store_some(which, chosen.data());
  const Pair8 one = Pair8::broadcast(a), others = Pair8::load_halves(chosen.data());
  std::array<std::uint64_t, 8> pairs;
  (min(one, others) + max(one, others).shifted_left<32>()).store(pairs.data());
  std::memcpy(static_cast<void*>(to), pairs.data(), sizeof(pairs));
  return to + std::popcount(which);
}

/// A node is split once four more children have come, so a tree is lower than this.
constexpr std::size_t most_levels = 33;

std::uint64_t walk_pairs(const BoxNode* nodes, std::uint32_t root, std::size_t most, const PairFilter* filter,
                         PairList& into) {
  std::array<SlotPair, most_levels * 64 + 8> stack;
  SlotPair* top = stack.data();
  *top++ = {root, root};
  std::uint64_t tests = 0;
  while (top != stack.data()) {
    const SlotPair pair = *--top;
    const BoxNode &a = nodes[pair.a], &b = nodes[pair.b];
    const bool same = pair.a == pair.b;
    // Of two nodes, only boxes that reach the other's need to be looked at. Neither is the root.
    std::uint32_t looked_at;
    if (same) {
      looked_at = a.present();
    } else {
      looked_at = overlapping_lanes(nodes[b.parent], b.lane, a);
      if (b.moving == 0) looked_at &= a.moving;
      ++tests;
    }
    const bool leaf = a.height == 0;
    SlotPair* const first = leaf ? into.room(64 + 8) : top;
    SlotPair* to = first;
    while (looked_at != 0) {
      const std::uint32_t i = next_bit(looked_at);
      const bool moves = (a.moving >> i & 1) != 0;
      std::uint32_t with = overlapping_lanes(a, i, b) & (moves ? 0xff : b.moving);
      ++tests;
      if (same) {
        with &= ~((2U << i) - 1);
        if (!leaf && moves) *to++ = {a.child[i], a.child[i]};
      }
      to = write_pairs(a.child[i], b, with, to);
    }
    if (!leaf) {
      top = to;
    } else {
      into.end(filter ? filter->keep(first, to) : to);
      if (into.size() > most) break;
    }
  }
  return tests;
}

std::uint64_t walk_box(const BoxNode* nodes, std::uint32_t root, const Box& box, bool only_moving,
                       std::vector<Slot>& into) {
  BoxNode from;
  for (int axis = 0; axis < 3; ++axis) {
    from.lower[axis][0] = box.lower[axis];
    from.upper[axis][0] = box.upper[axis];
  }
  std::array<std::uint32_t, most_levels * 8> stack;
  std::size_t waiting = 0;
  stack[waiting++] = root;
  std::uint64_t tests = 0;
  while (waiting > 0) {
    const BoxNode& node = nodes[stack[--waiting]];
    std::uint32_t with = overlapping_lanes(from, 0, node);
    ++tests;
    if (only_moving) with &= node.moving;
    if (node.height == 0) {
      while (with != 0) into.push_back(node.child[next_bit(with)]);
    } else {
      while (with != 0) stack[waiting++] = node.child[next_bit(with)];
    }
  }
  return tests;
}

}  // namespace HWY_NAMESPACE
}  // namespace tumble
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tumble {

HWY_EXPORT(walk_pairs);
HWY_EXPORT(walk_box);

std::uint64_t overlapping_pairs(const BoxTree& tree, std::size_t most, const PairFilter* filter, PairList& into) {
  return tree.empty() ? 0 : HWY_DYNAMIC_DISPATCH(walk_pairs)(tree.nodes(), tree.root(), most, filter, into);
}

std::uint64_t overlapping_boxes(const BoxTree& tree, const Box& box, bool only_moving, std::vector<Slot>& into) {
  return tree.empty() ? 0 : HWY_DYNAMIC_DISPATCH(walk_box)(tree.nodes(), tree.root(), box, only_moving, into);
}

}  // namespace tumble
#endif
