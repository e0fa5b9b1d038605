// SPDX-License-Identifier: Apache-2.0
// Branch and bound (Fünzig 2003, section 5), depth first with children in the order of their gaps. Where the limit
// falls, it goes in rounds: what is nearly as far as the limit waits until a lower one was looked for elsewhere.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "traverse/near_walk.cpp"
#include "simd/foreach_target.h"

#include "traverse/near_walk.h"

#include "bounds/directions.h"
#include "traverse/counters.h"
#include "traverse/gap-inl.h"
#include "traverse/near_filter-inl.h"

#include <algorithm>
#include <bit>

HWY_BEFORE_NAMESPACE();
namespace tumble {
namespace HWY_NAMESPACE {

template <class Kernel, bool Count>
class NearWalk {
 public:
  NearWalk(const NearTask& task, Kernel kernel, Counting<Count> counting)
      : task_(task),
        kernel_(kernel),
        counting_(counting),
        filter_(task.pose),
        waiting_(task.progress.waiting),
        postponed_(task.progress.postponed),
        has_deadline_(task.deadline != std::chrono::steady_clock::time_point::max()) {}

  void start() {
    waiting_.clear();
    postponed_.clear();
    task_.progress.round = 0;
    task_.progress.least_passed = std::numeric_limits<float>::infinity();
    task_.progress.node_pairs = 0;
    task_.realigned.forget_all();
    const float* const source = realigned(0);
    const NodeView target = task_.target.node(0);
    HWY_ALIGN float gaps[Tree::lanes];
    kernel_.gaps(target.rows, 0, source, std::numeric_limits<float>::infinity(), gaps);
    waiting_.push_back({0, 0, gaps[0], kernel_.size(target.rows, 0), kernel_.size(source, 0)});
  }

  NearEnd run() {
    while (!waiting_.empty() || take_up_postponed()) {
      if (is_out_of_budget()) return NearEnd::out_of_budget;
      const NearVolumes top = waiting_.back();
      waiting_.pop_back();
      if (top.gap > task_.sink.limit) {
        pass(top.gap);
        continue;
      }
      if (task_.sink.limit_falls && top.gap > task_.sink.limit * shares[task_.progress.round]) {
        postponed_.push_back(top);
        continue;
      }
      ++task_.progress.node_pairs;
      const Child target = task_.target.node(top.target / 8).children[top.target % 8];
      const Child source = task_.source.node(top.source / 8).children[top.source % 8];
      if (target.is_leaf() && source.is_leaf()) {
        if (meet(target, source, top.gap)) {
          pass(top.gap > 0 ? top.gap : 0);  // the rest of these leaves
          return NearEnd::ended_by_sink;
        }
      } else if (task_.descend == Descend::both && !target.is_leaf() && !source.is_leaf()) {
        open_both(target.index(), source.index(), top.gap);
      } else if (opens_target(top, target, source)) {
        open_target(target.index(), top.source, top.gap);
      } else {
        open_source(source.index(), top.target, top.gap);
      }
    }
    return NearEnd::all_seen;
  }

 private:
  /// Of the limit, up to where gaps are looked into in each round. Measured on five flights, fresh queries: one round
  /// takes 74 to 133 µs where these take half to three quarters of it, and nowhere more; a fourth gains nothing.
  static constexpr float shares[] = {0.75f, 0.95f, 1};
  static constexpr int last_round = 2;

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
    if (task_.progress.node_pairs >= task_.node_pairs) return true;
    return has_deadline_ && ++turns_ % 8 == 0 && std::chrono::steady_clock::now() >= task_.deadline;
  }

  bool opens_target(const NearVolumes& pair, Child target, Child source) const {
    if (target.is_leaf()) return false;
    if (source.is_leaf()) return true;
    if (task_.descend == Descend::larger_first || task_.descend == Descend::both)
      return pair.target_size >= pair.source_size;
    return task_.environment_is_target;
  }

  /// As in the other walk.
  const float* realigned(std::uint32_t index) {
    return task_.realigned.has(index) ? task_.realigned.rows(index) : realign(index);
  }
  const float* realign(std::uint32_t index) {
    const NodeView node = task_.source.node(index);
    float* const rows = task_.realigned.add(index);
    task_.realigner.realign(index, node.rows, rows);
    counting_.realignments(node.used_lanes());
    return rows;
  }

  void open_target(std::uint32_t index, std::uint32_t source_volume, float parent_gap) {
    const float* const one = realigned(source_volume / 8);
    const NodeView node = task_.target.node(index);
    count_tests(node, task_.source.node(source_volume / 8).children[source_volume % 8].is_leaf());
    const float source_size = kernel_.size(one, source_volume % 8);
    test_and_push(one, source_volume % 8, node.rows, node, parent_gap, [&](std::uint32_t lane, float gap) {
      return NearVolumes{8 * index + lane, source_volume, gap, kernel_.size(node.rows, lane), source_size};
    });
  }

  void open_source(std::uint32_t index, std::uint32_t target_volume, float parent_gap) {
    const float* const rows = task_.remember ? realigned(index) : realign(index);
    const NodeView node = task_.source.node(index), target = task_.target.node(target_volume / 8);
    count_tests(node, target.children[target_volume % 8].is_leaf());
    const float target_size = kernel_.size(target.rows, target_volume % 8);
    test_and_push(target.rows, target_volume % 8, rows, node, parent_gap, [&](std::uint32_t lane, float gap) {
      return NearVolumes{target_volume, 8 * index + lane, gap, target_size, kernel_.size(rows, lane)};
    });
  }

  void open_both(std::uint32_t target_index, std::uint32_t source_index, float parent_gap) {
    if (!task_.remember) realign(source_index);
    const auto used = static_cast<std::uint32_t>(task_.source.node(source_index).used_lanes());
    for (std::uint32_t lane = 0; lane < used; ++lane) open_target(target_index, 8 * source_index + lane, parent_gap);
  }

  /// Pushes the pairs that are near enough, the nearest last. The others' order matters less than guessing branches
  /// wrong while sorting them: a walk takes 5 % less this way.
  template <class MakePair>
  HWY_INLINE void test_and_push(const float* one, std::uint32_t lane, const float* rows, NodeView node,
                                float parent_gap, const MakePair& make_pair) {
    counting_.opened_node();
    HWY_ALIGN float gaps[Tree::lanes];
    std::uint32_t near = kernel_.gaps(one, lane, rows, task_.sink.limit, gaps);
    if (task_.note_passed) pass(gaps, ~near & 0xff, node.children, parent_gap);
    near &= (1u << node.used_lanes()) - 1;
    if (near == 0) return;
    auto nearest = static_cast<std::uint32_t>(std::countr_zero(near));
    for (std::uint32_t rest = near & (near - 1); rest != 0; rest &= rest - 1) {
      const auto l = static_cast<std::uint32_t>(std::countr_zero(rest));
      nearest = gaps[l] < gaps[nearest] ? l : nearest;
    }
    const auto push = [&](std::uint32_t l) { waiting_.push_back(make_pair(l, larger(gaps[l], parent_gap))); };
    for (std::uint32_t rest = near & ~(1u << nearest); rest != 0; rest &= rest - 1)
      push(static_cast<std::uint32_t>(std::countr_zero(rest)));
    push(nearest);
  }

  /// What lies inside two volumes is as far apart as they are; but bounds of children need not lie inside their
  /// parent's.
  static float larger(float gap, float parent_gap) { return gap < parent_gap ? parent_gap : gap; }

  void pass(float gap) {
    if (gap < task_.progress.least_passed) task_.progress.least_passed = gap;
  }
  void pass(const float* gaps, std::uint32_t lanes, const Child* children, float parent_gap) {
    for (; lanes != 0; lanes &= lanes - 1)
      if (const int l = std::countr_zero(lanes); !children[l].is_empty()) pass(larger(gaps[l], parent_gap));
  }

  void count_tests(NodeView node, bool other_is_leaf) {
    if constexpr (Count) {
      const int used = node.used_lanes();
      counting_.overlap_tests(used);
      int mixed = 0;
      for (int lane = 0; lane < used; ++lane) mixed += node.children[lane].is_leaf() != other_is_leaf;
      counting_.mixed_tests(mixed);
    }
  }

  bool meet(Child target_leaf, Child source_leaf, float leaves_gap) {
    const LeafView target = task_.target.leaf(target_leaf.index()), source = task_.source.leaf(source_leaf.index());
    counting_.triangle_pairs(target.size() * source.size());
    HWY_ALIGN float gaps[16], reaches[16];
    for (std::uint32_t t = target.first; t < target.last; t += Tree::group_size)
      for (std::uint32_t s = source.first; s < source.last; s += Tree::group_size) {
        const Group a = group(task_.target, t, target.last), b = group(task_.source, s, source.last);
        const std::uint32_t near = filter_(a, b, task_.sink.limit, gaps, reaches);
        if (task_.note_passed)
          for (std::uint32_t far = NearFilter::used_bits(a, b) & ~near; far != 0; far &= far - 1)
            pass(larger(gaps[std::countr_zero(far)], leaves_gap));
        if (near != 0 && task_.sink.decide(t, s, near, gaps, reaches)) return true;
      }
    return false;
  }
  static Group group(const Tree& tree, std::uint32_t first, std::uint32_t last) {
    return {tree.corners.data() + Tree::corner_floats * first, std::min(Tree::group_size, last - first)};
  }

  const NearTask& task_;
  Kernel kernel_;
  Counting<Count> counting_;
  NearFilter filter_;
  std::vector<NearVolumes>&waiting_, &postponed_;
  bool has_deadline_;
  std::uint32_t turns_ = 0;
};

template <class Kernel>
NearEnd near_walk_with(const NearTask& task, Kernel kernel, bool starts) {
  const auto run = [starts](auto walk) {
    if (starts) walk.start();
    return walk.run();
  };
  Counters unused;
  if (task.counters) return run(NearWalk<Kernel, true>(task, kernel, Counting<true>(*task.counters)));
  return run(NearWalk<Kernel, false>(task, kernel, Counting<false>(unused)));
}

NearEnd near_walk_here(const NearTask& task, bool starts) {
  if (task.target.bound == Bound::dop) {
    const int k = task.target.k;
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
