// SPDX-License-Identifier: Apache-2.0
// Neighbours: which of many boxes overlap, kept up to date as they move. The one interface of both ways to find them.
#pragma once

#include <tumble/mesh.h>

#include <compare>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace tumble {

/// The number of a box, small and dense. Whoever adds boxes chooses it; a removed one's may be used again.
using Slot = std::uint32_t;

struct SlotPair {
  Slot a, b;  // a < b

  friend auto operator<=>(const SlotPair&, const SlotPair&) = default;
};

/// Of a box that belongs to none.
inline constexpr std::uint32_t no_group = 0xffffffff;

/// Boxes are closed: touching is overlap. Their coordinates are at most 1e100 and lower <= upper.
class Neighbours {
 public:
  virtual ~Neighbours() = default;

  /// `moves`: two boxes that both do not are no neighbours, although they may be moved. Nor are two of one group, and
  /// they take no memory, however many overlap.
  virtual void add(Slot slot, const Box& box, bool moves, std::uint32_t group) = 0;
  void add(Slot slot, const Box& box, bool moves) { add(slot, box, moves, no_group); }
  virtual void remove(Slot slot) = 0;
  virtual void move(Slot slot, const Box& box) = 0;

  /// All neighbours, each once, in any order. Valid until the next call of anything.
  virtual std::span<const SlotPair> find() = 0;
  /// Adds all boxes that overlap `box`, those that do not move included, in any order.
  virtual void find(const Box& box, std::vector<Slot>& into) = 0;

  /// What all calls have cost: tests of boxes and steps of sorting. For tests, which have no clock.
  virtual std::uint64_t work() const = 0;
};

/// A tree of slightly larger boxes; boxes that leave theirs are put in anew.
std::unique_ptr<Neighbours> make_box_tree();
/// Lin 1996, section 3.
std::unique_ptr<Neighbours> make_sweep_and_prune();

/// A box that box_pairs() is asked about.
struct BoxEntry {
  Box box;
  Slot slot;
  bool moves;
};
/// Once, without anything kept: the pairs of boxes that are at most `distance` apart along each axis. They replace what
/// `into` held. With `of_interest`, only those of which it is true; others take no memory. Returns the work, as
/// Neighbours::work().
std::uint64_t box_pairs(std::span<const BoxEntry> entries, double distance, std::vector<SlotPair>& into,
                        const std::function<bool(const SlotPair&)>& of_interest = {});

}  // namespace tumble
