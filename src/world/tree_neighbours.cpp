// SPDX-License-Identifier: Apache-2.0
// Neighbours by a tree of larger boxes. Pairs of larger boxes that overlap are kept (as Verlet 1967 keeps those of
// molecules), so that most steps only look at these. Where few boxes leave their larger ones, the tree and the pairs
// are changed; where many do, both are made anew.
#include "core/assert.h"
#include "world/box_math.h"
#include "world/box_order.h"
#include "world/box_tree.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tumble {
namespace {

/// Measured: changing the tree for one box costs as much as making it anew for this many.
constexpr std::size_t cost_of_change = 8;
/// A larger box is to last for this many steps, if that takes no more than this share of its sides at each end.
constexpr double lasts = 8, most_margin = 0.1;
/// Measured: one that lasts for fewer steps is not worth the pairs it makes.
constexpr double least_lasts = 3;
/// If larger boxes make this many pairs for each box, and this many for each pair there was, exact ones are used for a
/// while.
constexpr std::size_t pairs_per_box = 16, pairs_per_pair = 4, exact_for = 32;

class TreeNeighbours final : public Neighbours {
 public:
  void add(Slot slot, const Box& box, bool moves, std::uint32_t group) override {
    if (slot >= boxes_.size()) {
      const std::size_t size = slot + std::size_t{1};
      larger_.resize(size);
      presence_.resize(size, Presence::absent);
      made_at_.resize(size);
      changed_.resize(size);
      unsettled_.resize(size);
      groups_.make_room(size);
      boxes_.resize(size);
    }
    TUMBLE_ASSERT(presence_[slot] == Presence::absent);
    mark(slot);
    boxes_[slot] = larger_[slot] = box;
    presence_[slot] = moves ? Presence::moving : Presence::still;
    groups_.set(slot, group);
    ++count_;
  }

  void remove(Slot slot) override {
    TUMBLE_ASSERT(slot < boxes_.size() && presence_[slot] != Presence::absent);
    mark(slot);
    presence_[slot] = Presence::absent;
    groups_.set(slot, no_group);
    --count_;
  }

  void move(Slot slot, const Box& box) override {
    TUMBLE_ASSERT(slot < boxes_.size() && presence_[slot] != Presence::absent);
    boxes_[slot] = box;
    stale_ = true;
    all_exact_ = false;
    if (!contains(larger_[slot], box)) mark(slot);
  }

  std::span<const SlotPair> find() override {
    if (!stale_) return found_;
    ++step_;
    update_tree();
    unfinished_ = true;
    if (settled_) settle_few();
    if (!settled_) settle_all();
    found_ = all_exact_ ? pairs_.pairs() : exact_pairs();
    stale_ = unfinished_ = false;
    return found_;
  }

  void find(const Box& box, std::vector<Slot>& into) override {
    update_tree();
    const std::size_t before = into.size();
    work_ += overlapping_boxes(tree_, box, false, into);
    into.erase(std::remove_if(into.begin() + static_cast<std::ptrdiff_t>(before), into.end(),
                              [&](Slot slot) { return !overlap(boxes_[slot], box); }),
               into.end());
  }

  std::uint64_t work() const override { return work_; }

 private:
  void mark(Slot slot) {
    stale_ = true;
    if (changed_[slot]) return;
    to_change_.push_back(slot);
    changed_[slot] = true;
  }

  std::span<const SlotPair> exact_pairs() {
    exact_pairs_.clear();
    SlotPair* to = exact_pairs_.room(pairs_.size());
    for (const SlotPair& pair : pairs_.pairs()) {
      *to = pair;
      to += overlap(boxes_[pair.a], boxes_[pair.b]);
    }
    exact_pairs_.end(to);
    work_ += pairs_.size();
    return exact_pairs_.pairs();
  }

  /// Brings the tree up to date. What is to be done about pairs is left to settle_few() or settle_all().
  void update_tree() {
    if (to_change_.empty() && !unfinished_) return;
    changes_ += to_change_.size();
    const bool anew = unfinished_ || to_change_.size() * cost_of_change > count_ || changes_ > count_;
    unfinished_ = true;
    if (anew) {
      make_tree();
    } else {
      for (const Slot slot : to_change_) change(slot);
    }
    for (const Slot slot : to_change_) changed_[slot] = false;
    to_change_.clear();
    unfinished_ = false;
  }

  void change(Slot slot) {
    const bool was_there = tree_.contains(slot), moves = presence_[slot] == Presence::moving;
    if (presence_[slot] != Presence::absent) {
      enlarge(slot);
      if (was_there) {
        tree_.replace(slot, larger_[slot], moves);
      } else {
        tree_.insert(slot, larger_[slot], moves);
      }
    } else if (was_there) {
      tree_.remove(slot);
    }
    if (!unsettled_[slot]) {
      unsettled_[slot] = true;
      to_settle_.push_back(slot);
    }
  }

  void make_tree() {
    all_exact_ = true;
    for (Slot slot = 0; slot < boxes_.size(); ++slot) {
      if (presence_[slot] == Presence::absent) continue;
      if (made_at_[slot] == step_ && exact_packs_ == 0 && contains(larger_[slot], boxes_[slot])) {
        all_exact_ = false;  // made in this very step, when it was still known how far the box had come
      } else {
        enlarge(slot);
      }
    }
    if (exact_packs_ > 0) --exact_packs_;
    tree_.pack(order_.order(larger_, presence_), larger_, presence_);
    work_ += count_;
    changes_ = 0;
    settled_ = false;
  }

  /// Makes a larger box, from how far this one has come since the last time. A box that would leave it soon anyway
  /// gets none.
  void enlarge(Slot slot) {
    const Box& box = boxes_[slot];
    Box& larger = larger_[slot];
    const double steps = std::max(1U, step_ - made_at_[slot]);
    made_at_[slot] = step_;
    Vec3 speed, margin;
    for (int axis = 0; axis < 3; ++axis)
      speed[axis] =
          std::abs((box.lower[axis] - larger.lower[axis]) + (box.upper[axis] - larger.upper[axis])) / 2 / steps;
    const double fastest = std::max({speed.x, speed.y, speed.z});
    bool useful = fastest > 0 && exact_packs_ == 0;
    for (int axis = 0; axis < 3; ++axis) {
      const double most = most_margin * (box.upper[axis] - box.lower[axis]);
      margin[axis] = std::min(most, lasts * std::max(speed[axis], fastest / 4));
      useful &= most >= least_lasts * speed[axis];
    }
    if (!useful) margin = {};
    all_exact_ &= !useful;
    larger = {box.lower - margin, box.upper + margin};
  }

  /// Drops the pairs of boxes that have changed, and finds theirs anew.
  void settle_few() {
    if (to_settle_.empty()) return;
    pairs_.keep_if([&](const SlotPair& pair) { return !unsettled_[pair.a] && !unsettled_[pair.b]; });
    std::uint64_t tests = 0;
    for (const Slot slot : to_settle_) {
      if (presence_[slot] == Presence::absent) continue;
      around_.clear();
      tests += overlapping_boxes(tree_, larger_[slot], presence_[slot] == Presence::still, around_);
      for (const Slot other : around_)
        if (other != slot && (!unsettled_[other] || slot < other) && !groups_.are_one(slot, other))
          pairs_.push(slot, other);
      // In a tree so poor, or among so many pairs, it is better to begin anew.
      if (tests > 4 * count_ + 1000 || pairs_.size() > most_pairs()) {
        make_tree();
        break;
      }
    }
    work_ += tests;
    if (settled_) forget_changes();
  }

  void settle_all() {
    pairs_.clear();
    work_ += overlapping_pairs(tree_, all_exact_ ? no_limit : most_pairs(), groups_.filter(), pairs_);
    if (!all_exact_ && pairs_.size() > most_pairs()) {
      exact_packs_ = exact_for;
      make_tree();
      pairs_.clear();
      work_ += overlapping_pairs(tree_, no_limit, groups_.filter(), pairs_);
    }
    settled_ = true;
    forget_changes();
  }

  void forget_changes() {
    for (const Slot slot : to_settle_) unsettled_[slot] = false;
    to_settle_.clear();
  }

  std::size_t most_pairs() const { return pairs_per_box * count_ + pairs_per_pair * found_.size(); }

  static constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();

  // By slot.
  std::vector<Box> boxes_, larger_;
  std::vector<Presence> presence_;
  std::vector<std::uint32_t> made_at_;             // the step in which the larger box was made
  std::vector<std::uint8_t> changed_, unsettled_;  // whether it is in one of the lists below
  BoxGroups groups_;

  std::vector<Slot> to_change_, to_settle_;  // not up to date in the tree; in the pairs
  std::size_t count_ = 0, changes_ = 0;      // boxes; changes since the tree was made
  std::size_t exact_packs_ = 0;              // trees still to be made with exact boxes
  std::uint32_t step_ = 0;
  bool stale_ = false;       // found_ is not up to date
  bool unfinished_ = false;  // memory ran out: begin anew
  bool settled_ = false;     // pairs_ are those of the tree, but for to_settle_
  bool all_exact_ = false;   // the boxes in the tree are those of the slots

  BoxOrder order_;
  BoxTree tree_;
  PairList pairs_, exact_pairs_;  // of larger boxes; of the boxes
  std::span<const SlotPair> found_;
  std::vector<Slot> around_;
  std::uint64_t work_ = 0;
};

}  // namespace

std::unique_ptr<Neighbours> make_box_tree() { return std::make_unique<TreeNeighbours>(); }

}  // namespace tumble
