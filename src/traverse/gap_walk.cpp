// SPDX-License-Identifier: Apache-2.0
// What the loop needs to find what is near: branch and bound (Fünzig 2003, section 5), depth first, the nearest child
// first. Where the limit falls, it goes in rounds: what is nearly as far as the limit waits while a lower one is looked
// for elsewhere. Gaps of bodies far apart are no shares of a distance, and rounds would gain nothing there.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "traverse/gap_walk.cpp"
#include "simd/foreach_target.h"

#include "traverse/gap_walk.h"

#include "bounds/directions.h"
#include "traverse/far-inl.h"
#include "traverse/fine_look.h"
#include "traverse/gap-inl.h"
#include "traverse/leaf_meeting-inl.h"
#include "traverse/walk_loop-inl.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

HWY_BEFORE_NAMESPACE();
namespace tumble {
namespace HWY_NAMESPACE {

template <class Kernel, bool Count>
class GapWalk {
 public:
  GapWalk(const GapTask& task, const Kernel& kernel, Counting<Count> counting)
      : pairs(task.trees, kernel, counting),
        task_(task),
        kernel_(kernel),
        leaves_(task.trees, task.far),
        waiting_(task.progress.waiting),
        postponed_(task.progress.postponed),
        has_time_limit_(task.deadline.has_time()) {}

  void start() {
    waiting_.clear();
    waiting_.reserve(usually_waiting);
    postponed_.clear();
    task_.progress.round = 0;
    task_.progress.least_passed = std::numeric_limits<float>::infinity();
    task_.progress.least_apart = std::numeric_limits<double>::infinity();
    task_.trees.begin();
    const VolumePair roots = pairs.roots();
    HWY_ALIGN float gaps[Tree::lanes];
    test(task_.trees.target.node(0).rows, 0, task_.trees.realigned.rows(0), false,
         std::numeric_limits<float>::infinity(), gaps);
    waiting_.push_back({roots, gaps[0]});
  }

  WalkEnd run() {
    if (open_pairs(*this)) return WalkEnd::ended_by_sink;
    return is_out_of_budget_ ? WalkEnd::out_of_budget : WalkEnd::all_seen;
  }

  // What open_pairs() needs.

  using Waiting = GapPair;
  NodePairs<Kernel, Count> pairs;

  /// What has turned out to be too far by now is passed over, and what may be is postponed to a later round.
  HWY_INLINE bool take(GapPair& next) {
    while (!waiting_.empty() || take_up_postponed()) {
      if (runs_out_of_budget()) return false;
      const float gap = waiting_.back().gap;
      if (gap > task_.sink.limit) {
        waiting_.pop_back();
        pass(gap);
      } else if (is_near_limit(waiting_.back()) && is_too_far(waiting_.back())) {
        waiting_.pop_back();
      } else if (!Kernel::is_far && task_.sink.limit_falls && gap > task_.sink.limit * shares[task_.progress.round]) {
        postponed_.push_back(waiting_.back());
        waiting_.pop_back();
      } else {
        pop(next);
        ++task_.progress.node_pairs;
        return true;
      }
    }
    return false;
  }
  bool meet(const GapPair& pair, Child target_leaf, Child source_leaf) {
    const auto [target, source] = pairs.leaves(target_leaf, source_leaf);
    float* const least_passed = task_.note_passed ? &task_.progress.least_passed : nullptr;
    if (!leaves_.near(target, source, pair.gap, task_.sink, least_passed)) return false;
    pass(known(pair.gap));  // the rest of these leaves
    return true;
  }
  HWY_INLINE bool open_with_another(const GapPair&, Child, Child) { return false; }
  HWY_INLINE void open_target(std::uint32_t index, const GapPair& pair) {
    test_and_push(pairs.of_target(index, pair.source), pair.gap);
  }
  HWY_INLINE void open_source(std::uint32_t index, const GapPair& pair) {
    test_and_push(pairs.of_source(index, pair.target), pair.gap);
  }

 private:
  using Children = typename NodePairs<Kernel, Count>::Children;

  /// Each round looks into gaps up to this share of the limit. On the flights of `tumble lab peers`, fresh queries,
  /// three rounds were quicker than one everywhere; a fourth gained nothing.
  static constexpr float shares[] = {0.75f, 0.95f, 1};
  static constexpr int last_round = 2;

  /// Member by member, as it may just have been written: read in larger pieces it would have to wait until it is in the
  /// cache.
  HWY_INLINE void pop(GapPair& into) {
    const GapPair& top = waiting_.back();
    into.target = top.target, into.source = top.source;
    into.target_size = top.target_size, into.source_size = top.source_size;
    into.gap = top.gap;
    waiting_.pop_back();
  }

  /// The next round, the nearest first; the limit is too good by now for the others' order to matter. False if there is
  /// nothing left.
  bool take_up_postponed() {
    if (postponed_.empty()) return false;
    task_.progress.round = std::min(task_.progress.round + 1, last_round);
    for (const GapPair& pair : postponed_)
      if (pair.gap > task_.sink.limit)
        pass(pair.gap);
      else
        waiting_.push_back(pair);
    postponed_.clear();
    if (waiting_.empty()) return false;
    std::swap(waiting_.back(), *std::ranges::min_element(waiting_, {}, &GapPair::gap));
    return true;
  }

  /// Whether the volumes may be too far but for the margins of single precision.
  HWY_INLINE bool is_near_limit(const GapPair& pair) const {
    const float size = pair.target_size + pair.source_size;
    return pair.gap + 0x1p-16f * (1 + size + pair.gap) > task_.sink.limit;
  }
  HWY_NOINLINE bool is_too_far(const GapPair& pair) {
    if (std::isinf(task_.sink.farthest())) return false;
    if (!fine_look_) fine_look_.emplace(task_.trees.bodies);
    const double distance = fine_look_->gap(pair.target, pair.source, task_.sink.farthest());
    if (!task_.sink.is_too_far(distance)) return false;
    task_.progress.least_apart = std::min(task_.progress.least_apart, distance);
    return true;
  }

  HWY_INLINE bool runs_out_of_budget() {
    is_out_of_budget_ = task_.progress.node_pairs >= task_.deadline.node_pairs || (has_time_limit_ && is_late());
    return is_out_of_budget_;
  }
  /// Asking the time takes about as long as opening a node.
  bool is_late() { return ++turns_ % 8 == 0 && task_.deadline.is_late(); }

  /// Pushes the pairs that are near enough, the nearest last. The others' order matters less than guessing branches
  /// wrong while sorting them.
  HWY_INLINE void test_and_push(const Children& c, float parent_gap) {
    HWY_ALIGN float gaps[Tree::lanes];
    const std::uint32_t within = test(c.one, c.lane, c.rows, c.of_target, task_.sink.limit, gaps);
    const std::uint32_t used = (1u << c.node.used_lanes()) - 1, near = used & within;
    if (notes_passed())
      for (std::uint32_t far = used & ~within; far != 0; far &= far - 1)
        pass(larger(gaps[std::countr_zero(far)], parent_gap));
    if (near == 0) return;
    auto nearest = static_cast<std::uint32_t>(std::countr_zero(near));
    for (std::uint32_t rest = near & (near - 1); rest != 0; rest &= rest - 1) {
      const auto l = static_cast<std::uint32_t>(std::countr_zero(rest));
      nearest = gaps[l] < gaps[nearest] ? l : nearest;
    }
    std::uint32_t rest = near & ~(1u << nearest);
    for (bool is_last = false; !is_last; rest &= rest - 1) {  // one place that pushes, so that it is inlined
      is_last = rest == 0;
      const auto l = is_last ? nearest : static_cast<std::uint32_t>(std::countr_zero(rest));
      waiting_.push_back({c.pair(l), larger(gaps[l], parent_gap)});
    }
  }

  HWY_INLINE std::uint32_t test(const float* one, std::uint32_t lane, const float* eight, bool one_is_source,
                                float limit, float* gaps) const {
    if constexpr (Kernel::is_far)
      return kernel_.gaps(one, lane, eight, one_is_source, limit, gaps);
    else
      return kernel_.gaps(one, lane, eight, limit, gaps);
  }

  bool notes_passed() const { return task_.note_passed && task_.sink.measures; }
  void pass(float gap) {
    if (gap < task_.progress.least_passed) task_.progress.least_passed = gap;
  }

  const GapTask& task_;
  const Kernel& kernel_;
  LeafMeeting leaves_;
  std::optional<FineLook> fine_look_;
  std::vector<GapPair>&waiting_, &postponed_;
  bool has_time_limit_, is_out_of_budget_ = false;
  std::uint32_t turns_ = 0;
};

template <class Kernel>
WalkEnd gap_walk_with(const GapTask& task, const Kernel& kernel, bool starts) {
  const auto run = [starts](auto walk) {
    if (starts) walk.start();
    return walk.run();
  };
  Counters unused;
  if (Counters* const counters = task.trees.counters)
    return run(GapWalk<Kernel, true>(task, kernel, Counting<true>(*counters)));
  return run(GapWalk<Kernel, false>(task, kernel, Counting<false>(unused)));
}

WalkEnd gap_walk_here(const GapTask& task, bool starts) {
  const int k = task.trees.target.k;
  if (task.far) {
    if (k > 0) return gap_walk_with(task, DopFar(*task.far, k), starts);
    return gap_walk_with(task, ObbFar(*task.far), starts);
  }
  if (k > 0) return gap_walk_with(task, DopGaps{{k / 2, inverse_direction_lengths(k).data()}, has_axes(k)}, starts);
  return gap_walk_with(task, ObbGaps{}, starts);
}

}  // namespace HWY_NAMESPACE
}  // namespace tumble
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tumble {

HWY_EXPORT(gap_walk_here);

WalkEnd gap_walk(const GapTask& task) { return HWY_DYNAMIC_DISPATCH(gap_walk_here)(task, true); }
WalkEnd go_on(const GapTask& task) { return HWY_DYNAMIC_DISPATCH(gap_walk_here)(task, false); }

}  // namespace tumble
#endif
