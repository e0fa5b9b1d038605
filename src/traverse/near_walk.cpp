// SPDX-License-Identifier: Apache-2.0
// Branch and bound (Fünzig 2003, section 5), depth first with children in the order of their gaps. Where the limit
// falls, it goes in rounds: what is nearly as far as the limit waits until a lower one was looked for elsewhere.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "traverse/near_walk.cpp"
#include "simd/foreach_target.h"

#include "traverse/near_walk.h"

#include "bounds/directions.h"
#include "traverse/gap-inl.h"
#include "traverse/leaf_meeting-inl.h"
#include "traverse/node_pairs-inl.h"

#include <algorithm>
#include <bit>

HWY_BEFORE_NAMESPACE();
namespace tumble {
namespace HWY_NAMESPACE {

template <class Kernel, bool Count>
class NearWalk {
 public:
  NearWalk(const NearTask& task, const Kernel& kernel, Counting<Count> counting)
      : task_(task),
        kernel_(kernel),
        pairs_(task.trees, kernel, counting),
        leaves_(task.trees),
        waiting_(task.progress.waiting),
        postponed_(task.progress.postponed),
        has_time_limit_(task.deadline.has_time()) {}

  void start() {
    waiting_.clear();
    postponed_.clear();
    task_.progress.round = 0;
    task_.progress.least_passed = std::numeric_limits<float>::infinity();
    task_.progress.node_pairs = 0;
    task_.trees.realigned.forget_all();
    const VolumePair roots = pairs_.roots();
    HWY_ALIGN float gaps[Tree::lanes];
    kernel_.gaps(task_.trees.target.node(0).rows, 0, task_.trees.realigned.rows(0),
                 std::numeric_limits<float>::infinity(), gaps);
    waiting_.push_back({roots, gaps[0]});
  }

  NearEnd run() {
    while (!waiting_.empty() || take_up_postponed()) {
      if (is_out_of_budget()) return NearEnd::out_of_budget;
      const float gap = waiting_.back().gap;
      if (gap > task_.sink.limit) {
        waiting_.pop_back();
        pass(gap);
        continue;
      }
      if (task_.sink.limit_falls && gap > task_.sink.limit * shares[task_.progress.round]) {
        postponed_.push_back(waiting_.back());
        waiting_.pop_back();
        continue;
      }
      const VolumePair pair = pop();
      ++task_.progress.node_pairs;
      const Child target = pairs_.target(pair), source = pairs_.source(pair);
      if (target.is_leaf() && source.is_leaf()) {
        if (meet(target, source, gap)) {
          pass(gap > 0 ? gap : 0);  // the rest of these leaves
          return NearEnd::ended_by_sink;
        }
      } else if (pairs_.opens_both(target, source)) {
        const std::uint32_t lanes = pairs_.children_of_source(source.index());
        for (std::uint32_t lane = 0; lane < lanes; ++lane)
          test_and_push(pairs_.of_target(target.index(), VolumeId::of(source.index(), lane)), gap);
      } else if (pairs_.opens_target(pair, target, source)) {
        test_and_push(pairs_.of_target(target.index(), pair.source), gap);
      } else {
        test_and_push(pairs_.of_source(source.index(), pair.target), gap);
      }
    }
    return NearEnd::all_seen;
  }

 private:
  using Children = typename NodePairs<Kernel, Count>::Children;

  /// Of the limit, up to where gaps are looked into in each round. Measured on five flights, fresh queries: one round
  /// takes 74 to 133 µs where these take half to three quarters of it, and nowhere more; a fourth gains nothing.
  static constexpr float shares[] = {0.75f, 0.95f, 1};
  static constexpr int last_round = 2;

  /// Member by member, as it may just have been written: read in larger pieces it would have to wait until it is in the
  /// cache. A walk takes 1 to 6 % less this way.
  VolumePair pop() {
    const VolumePair& top = waiting_.back().volumes;
    const VolumePair pair{top.target, top.source, top.target_size, top.source_size};
    waiting_.pop_back();
    return pair;
  }

  /// The next round, the nearest first; the limit is too good by now for the others' order to matter. False if there is
  /// nothing left.
  bool take_up_postponed() {
    if (postponed_.empty()) return false;
    task_.progress.round = std::min(task_.progress.round + 1, last_round);
    for (const NearVolumes& pair : postponed_)
      if (pair.gap > task_.sink.limit)
        pass(pair.gap);
      else
        waiting_.push_back(pair);
    postponed_.clear();
    if (waiting_.empty()) return false;
    std::swap(waiting_.back(), *std::ranges::min_element(waiting_, {}, &NearVolumes::gap));
    return true;
  }

  /// Asking the time takes about as long as opening a node.
  bool is_out_of_budget() {
    if (task_.progress.node_pairs >= task_.deadline.node_pairs) return true;
    return has_time_limit_ && ++turns_ % 8 == 0 && task_.deadline.is_late();
  }

  /// Pushes the pairs that are near enough, the nearest last. The others' order matters less than guessing branches
  /// wrong while sorting them: a walk takes 5 % less this way.
  HWY_INLINE void test_and_push(const Children& c, float parent_gap) {
    HWY_ALIGN float gaps[Tree::lanes];
    const std::uint32_t within = kernel_.gaps(c.one, c.lane, c.rows, task_.sink.limit, gaps);
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
    const auto push = [&](std::uint32_t l) { waiting_.push_back({c.pair(l), larger(gaps[l], parent_gap)}); };
    for (std::uint32_t rest = near & ~(1u << nearest); rest != 0; rest &= rest - 1)
      push(static_cast<std::uint32_t>(std::countr_zero(rest)));
    push(nearest);
  }

  bool notes_passed() const { return task_.note_passed && task_.sink.measures; }
  void pass(float gap) {
    if (gap < task_.progress.least_passed) task_.progress.least_passed = gap;
  }

  bool meet(Child target_leaf, Child source_leaf, float leaves_gap) {
    const auto [target, source] = pairs_.leaves(target_leaf, source_leaf);
    float* const least_passed = task_.note_passed ? &task_.progress.least_passed : nullptr;
    return leaves_.near(target, source, leaves_gap, task_.sink, least_passed);
  }

  const NearTask& task_;
  const Kernel& kernel_;
  NodePairs<Kernel, Count> pairs_;
  LeafMeeting leaves_;
  std::vector<NearVolumes>&waiting_, &postponed_;
  bool has_time_limit_;
  std::uint32_t turns_ = 0;
};

template <class Kernel>
NearEnd near_walk_with(const NearTask& task, const Kernel& kernel, bool starts) {
  const auto run = [starts](auto walk) {
    if (starts) walk.start();
    return walk.run();
  };
  Counters unused;
  if (Counters* const counters = task.trees.counters)
    return run(NearWalk<Kernel, true>(task, kernel, Counting<true>(*counters)));
  return run(NearWalk<Kernel, false>(task, kernel, Counting<false>(unused)));
}

NearEnd near_walk_here(const NearTask& task, bool starts) {
  if (task.trees.target.bound == Bound::dop) {
    const int k = task.trees.target.k;
    return near_walk_with(task, DopGaps{{k / 2, inverse_direction_lengths(k).data()}, has_axes(k)}, starts);
  }
  return near_walk_with(task, ObbGaps{}, starts);
}

}  // namespace HWY_NAMESPACE
}  // namespace tumble
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tumble {

HWY_EXPORT(near_walk_here);

NearEnd near_walk(const NearTask& task) { return HWY_DYNAMIC_DISPATCH(near_walk_here)(task, true); }
NearEnd go_on(const NearTask& task) { return HWY_DYNAMIC_DISPATCH(near_walk_here)(task, false); }

}  // namespace tumble
#endif
