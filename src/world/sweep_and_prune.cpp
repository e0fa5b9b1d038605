// SPDX-License-Identifier: Apache-2.0
// Sweep and prune (Lin 1996, section 3): the ends of boxes in one sorted list per axis. As boxes move little, insertion
// sort needs few swaps, and only pairs whose ends are swapped can begin or cease to overlap. The paper keeps a flag per
// pair and axis; we look at the boxes themselves when ends are swapped, and keep the pairs that overlap. Where boxes
// have moved far, insertion sort would take quadratic time: the lists are then sorted anew, and the pairs come from a
// tree.
#include "core/assert.h"
#include "core/sort_by_key.h"
#include "world/box_math.h"
#include "world/box_order.h"
#include "world/box_tree.h"
#include "world/pair_set.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <utility>

namespace tumble {
namespace {

/// After this many steps in vain, swapping is tried again at the latest.
constexpr int most_waiting = 15;

/// One end of a box along an axis.
struct End {
  double value;
  std::uint32_t id;  // twice the slot, plus one for the upper end

  Slot slot() const { return id >> 1; }
  bool upper() const { return (id & 1) != 0; }
  /// Of equal ends, lower ones come first: boxes that touch overlap.
  friend bool operator<(const End& a, const End& b) {
    return a.value < b.value || (a.value == b.value && !a.upper() && b.upper());
  }
};

/// A number that grows with the value.
std::uint64_t rank(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value + 0.0);  // not −0
  return bits >> 63 != 0 ? ~bits : bits | std::uint64_t{1} << 63;
}

class SweepAndPrune final : public Neighbours {
 public:
  void add(Slot slot, const Box& box, bool moves, std::uint32_t group) override {
    if (slot >= boxes_.size()) {
      presence_.resize(slot + std::size_t{1}, Presence::absent);
      listed_.resize(slot + std::size_t{1});
      groups_.make_room(slot + std::size_t{1});
      boxes_.resize(slot + std::size_t{1});
    }
    TUMBLE_ASSERT(presence_[slot] == Presence::absent);
    boxes_[slot] = box;
    presence_[slot] = moves ? Presence::moving : Presence::still;
    groups_.set(slot, group);
    stale_ = true;
    if (listed_[slot]) {
      // It was removed since the last step: its ends are still in the lists, but its pairs may be wrong.
      anew_ = true;
      --removed_;
      return;
    }
    listed_[slot] = true;
    ++added_;
    const bool anew = std::exchange(anew_, true);  // it stays so if memory runs out
    for (std::vector<End>& list : lists_)
      for (const std::uint32_t end : {0U, 1U}) list.push_back({0, slot * 2 + end});
    anew_ = anew;
  }

  void remove(Slot slot) override {
    TUMBLE_ASSERT(slot < boxes_.size() && presence_[slot] != Presence::absent);
    presence_[slot] = Presence::absent;
    groups_.set(slot, no_group);
    ++removed_;
    stale_ = true;
  }

  void move(Slot slot, const Box& box) override {
    TUMBLE_ASSERT(slot < boxes_.size() && presence_[slot] != Presence::absent);
    boxes_[slot] = box;
    stale_ = true;
  }

  std::span<const SlotPair> find() override {
    if (!stale_) return pairs_.pairs();
    if (removed_ > 0) drop_removed();
    if (added_ * lists_[0].size() > most_swaps()) anew_ = true;  // each new end starts at the end of its list
    added_ = 0;
    const bool anew = std::exchange(anew_, true);  // it stays so if memory runs out
    if (anew || waiting_ > 0 || !swap_ends()) sort_anew();
    anew_ = stale_ = false;
    return pairs_.pairs();
  }

  void find(const Box& box, std::vector<Slot>& into) override {
    for (Slot slot = 0; slot < boxes_.size(); ++slot)
      if (presence_[slot] != Presence::absent && overlap(boxes_[slot], box)) into.push_back(slot);
    work_ += boxes_.size();
  }

  std::uint64_t work() const override { return work_; }

 private:
  double value(int axis, std::uint32_t id) const {
    const Box& box = boxes_[id >> 1];
    return (id & 1) != 0 ? box.upper[axis] : box.lower[axis];
  }

  void drop_removed() {
    const auto gone = [&](Slot slot) { return presence_[slot] == Presence::absent; };
    for (Slot slot = 0; slot < listed_.size(); ++slot) listed_[slot] = listed_[slot] && !gone(slot);
    for (std::vector<End>& list : lists_) std::erase_if(list, [&](const End& end) { return gone(end.slot()); });
    pairs_.erase_if([&](const SlotPair& pair) { return gone(pair.a) || gone(pair.b); });
    removed_ = 0;
  }

  /// Measured: this many cost about as much as sorting anew.
  std::size_t most_swaps() const {
    return lists_[0].size() * static_cast<std::size_t>(std::bit_width(lists_[0].size()));
  }

  /// Insertion sort of the three lists. Gives up, with the pairs in disorder, if it takes too many swaps.
  bool swap_ends() {
    const std::size_t ends = lists_[0].size(), before = most_swaps();
    std::size_t left = before;
    bool done = true;
    for (int axis = 0; axis < 3 && done; ++axis) done = swap_ends(axis, left);
    work_ += 3 * ends + before - left;
    in_vain_ = done ? 0 : std::min(most_waiting, 2 * in_vain_ + 1);
    waiting_ = in_vain_;
    return done;
  }

  bool swap_ends(int axis, std::size_t& left) {
    std::vector<End>& list = lists_[static_cast<std::size_t>(axis)];
    for (std::size_t i = 0; i < list.size(); ++i) {
      const End end{value(axis, list[i].id), list[i].id};
      std::size_t at = i;
      for (; at > 0 && end < list[at - 1]; --at) {
        if (left-- == 0) {
          ++left;
          return false;
        }
        const End& other = list[at - 1];
        if (end.upper() != other.upper()) swapped(end, other);
        list[at] = other;
      }
      list[at] = end;
    }
    return true;
  }

  /// `first` now comes before `second`, and one of them is a lower, the other an upper end.
  void swapped(const End& first, const End& second) {
    const SlotPair pair{std::min(first.slot(), second.slot()), std::max(first.slot(), second.slot())};
    if (first.upper()) {
      pairs_.erase(pair);
    } else if ((presence_[pair.a] == Presence::moving || presence_[pair.b] == Presence::moving) &&
               !groups_.are_one(pair.a, pair.b) && overlap(boxes_[pair.a], boxes_[pair.b])) {
      pairs_.insert(pair);
    }
  }

  void sort_anew() {
    for (int axis = 0; axis < 3; ++axis) {
      std::vector<End>& list = lists_[static_cast<std::size_t>(axis)];
      list.clear();
      for (const std::uint32_t end : {0U, 1U})  // lower ends first, which sorting by digits respects
        for (Slot slot = 0; slot < boxes_.size(); ++slot)
          if (presence_[slot] != Presence::absent) list.push_back({value(axis, slot * 2 + end), slot * 2 + end});
      if (list.size() < few_to_sort) {
        std::ranges::sort(list, std::less{});
      } else {
        sort_by_key(list, scratch_, [](const End& end) { return rank(end.value); });
      }
    }
    tree_.pack(order_.order(boxes_, presence_), boxes_, presence_);
    found_.clear();
    work_ += 3 * lists_[0].size() +
             overlapping_pairs(tree_, std::numeric_limits<std::size_t>::max(), groups_.filter(), found_);
    pairs_.assign(found_.pairs());
    waiting_ -= waiting_ > 0 ? 1 : 0;
  }

  // By slot.
  std::vector<Box> boxes_;
  std::vector<Presence> presence_;
  std::vector<std::uint8_t> listed_;  // whether its ends are in the lists
  BoxGroups groups_;

  std::array<std::vector<End>, 3> lists_;
  PairSet pairs_;
  std::size_t removed_ = 0;        // slots whose ends are to be taken out
  std::size_t added_ = 0;          // since the last step
  int waiting_ = 0, in_vain_ = 0;  // steps to sort anew without trying to swap
  bool stale_ = false, anew_ = false;

  std::vector<End> scratch_;
  BoxOrder order_;
  BoxTree tree_;
  PairList found_;
  std::uint64_t work_ = 0;
};

}  // namespace

std::unique_ptr<Neighbours> make_sweep_and_prune() { return std::make_unique<SweepAndPrune>(); }

}  // namespace tumble
