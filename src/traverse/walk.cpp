// SPDX-License-Identifier: Apache-2.0
// The walk. It is a type over the kind of bound and whether it counts, compiled once per instruction set; descent,
// source bound and realignment are values.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "traverse/walk.cpp"
#include "simd/foreach_target.h"

#include "traverse/walk.h"

#include "bounds/directions.h"
#include "traverse/counters.h"
#include "traverse/leaf_filter-inl.h"
#include "traverse/overlap-inl.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

HWY_BEFORE_NAMESPACE();
namespace tumble {
namespace HWY_NAMESPACE {

template <class Kernel, bool Count>
class Walk {
 public:
  Walk(const WalkTask& task, Kernel kernel, Counting<Count> counting)
      : task_(task), kernel_(kernel), counting_(counting), stack_(task.memory.stack) {}

  /// Pairs on the stack overlap. The one on top is opened on one side and that side's children are tested against the
  /// other's volume, until both are leaves (Klosowski 1998, Algorithm 1, with the choice of side left to the descent).
  bool run() {
    stack_.clear();
    if (task_.front && task_.front->is_complete) {
      start_from_front();
    } else {
      push_roots();
    }
    while (!stack_.empty()) {
      const VolumePair top = stack_.back();
      stack_.pop_back();
      const Child target = task_.target.node(top.target / 8).children[top.target % 8];
      const Child source = task_.source.node(top.source / 8).children[top.source % 8];
      TUMBLE_ASSERT(!target.is_empty() && !source.is_empty());
      if (target.is_leaf() && source.is_leaf()) {
        const Meeting meeting = meet(target, source);
        if (task_.front) record(top, meeting);
        if (meeting == Meeting::ended) return true;
      } else if (task_.descend == Descend::both && !target.is_leaf() && !source.is_leaf()) {
        open_both(target.index(), source.index());
      } else if (opens_target(top, target, source)) {
        std::uint32_t against = top.source;
        if (task_.descend == Descend::restart && !task_.environment_is_target)
          against = give_up(&VolumePair::target, top);
        open_target(target.index(), against);
      } else {
        std::uint32_t against = top.target;
        if (task_.descend == Descend::restart && task_.environment_is_target)
          against = give_up(&VolumePair::source, top);
        open_source(source.index(), against);
      }
    }
    return false;
  }

 private:
  bool opens_target(const VolumePair& pair, Child target, Child source) const {
    if (target.is_leaf()) return false;
    if (source.is_leaf()) return true;
    if (task_.descend == Descend::larger_first) return pair.target_size >= pair.source_size;
    return task_.environment_is_target;
  }

  /// The roots are not tested: opening the larger one tells as much.
  void push_roots() {
    stack_.push_back({0, 0, kernel_.size(task_.target.node(0).rows, 0), kernel_.size(realigned(0), 0)});
  }

  /// The source node's rows in target coordinates, realigned now if this walk has not done so.
  const float* realigned(std::uint32_t index) {
    return task_.memory.realigned.has(index) ? task_.memory.realigned.rows(index) : realign(index);
  }
  const float* realign(std::uint32_t index) {
    if (!pose_is_set_) {  // late, since walks from a front may need no node
      task_.realigner.set_pose(task_.pose);
      pose_is_set_ = true;
    }
    const NodeView node = task_.source.node(index);
    float* const rows = task_.memory.realigned.add(index);
    task_.realigner.realign(index, node.rows, rows);
    const int used = node.used_lanes();
    for (int lane = used; lane < Tree::lanes; ++lane) kernel_.close_lane(rows, static_cast<std::uint32_t>(lane));
    counting_.realignments(used);
    return rows;
  }

  /// Children of a target node against one source volume.
  void open_target(std::uint32_t index, std::uint32_t source_volume) {
    const float* const one = realigned(source_volume / 8);
    const NodeView node = task_.target.node(index);
    count_tests(node, task_.source.node(source_volume / 8).children[source_volume % 8].is_leaf());
    const float source_size = kernel_.size(one, source_volume % 8);
    const auto make_pair = [&](std::uint32_t lane) {
      return VolumePair{8 * index + lane, source_volume, kernel_.size(node.rows, lane), source_size};
    };
    test_and_push(one, source_volume % 8, node.rows, make_pair, [&](std::uint32_t lanes, double until) {
      record(ApartLanes{index, source_volume, true, static_cast<std::uint8_t>(lanes), until}, node);
    });
  }

  /// Children of a source node against one target volume.
  void open_source(std::uint32_t index, std::uint32_t target_volume) {
    const float* const rows = task_.remember ? realigned(index) : realign(index);
    const NodeView node = task_.source.node(index), target = task_.target.node(target_volume / 8);
    count_tests(node, target.children[target_volume % 8].is_leaf());
    const float target_size = kernel_.size(target.rows, target_volume % 8);
    const auto make_pair = [&](std::uint32_t lane) {
      return VolumePair{target_volume, 8 * index + lane, target_size, kernel_.size(rows, lane)};
    };
    test_and_push(target.rows, target_volume % 8, rows, make_pair, [&](std::uint32_t lanes, double until) {
      record(ApartLanes{index, target_volume, false, static_cast<std::uint8_t>(lanes), until}, node);
    });
  }

  /// All pairs of children (Zachmann 1998, section 3).
  void open_both(std::uint32_t target_index, std::uint32_t source_index) {
    if (!task_.remember) realign(source_index);
    const auto used = static_cast<std::uint32_t>(task_.source.node(source_index).used_lanes());
    realigned(source_index);
    for (std::uint32_t lane = 0; lane < used; ++lane) open_target(target_index, 8 * source_index + lane);
  }

  /// At the first environment leaf a moving volume overlaps, it is given up and its children start at the environment's
  /// root (Klosowski 1998, section 4.2; taken literally it would restart at every such leaf). Its other pairs wait on
  /// top of the stack, as nothing else is opened until it is done. Returns the root's volume.
  std::uint32_t give_up(std::uint32_t VolumePair::*moving, const VolumePair& pair) {
    while (!stack_.empty() && stack_.back().*moving == pair.*moving) stack_.pop_back();
    return 0;
  }

  /// Tests one volume against eight, pushes the pairs that overlap, and records the others where there is a front.
  template <class MakePair, class Record>
  HWY_INLINE void test_and_push(const float* one, std::uint32_t lane, const float* rows, const MakePair& make_pair,
                                const Record& record) {
    counting_.opened_node();
    if (!task_.front && !task_.nearest_first) {
      push(kernel_.template overlaps<false>(one, lane, rows, nullptr), make_pair);
      return;
    }
    HWY_ALIGN float gaps[Tree::lanes];
    const std::uint32_t overlapping = kernel_.template overlaps<true>(one, lane, rows, gaps);
    if (task_.front) {
      ++task_.front->work;
      record(~overlapping & 0xff, until(~overlapping & 0xff, gaps));
    }
    if (!task_.nearest_first || (overlapping & (overlapping - 1)) == 0) {
      push(overlapping, make_pair);
      return;
    }
    // The deepest overlap goes on top; the order of the others matters little.
    auto deepest = static_cast<std::uint32_t>(std::countr_zero(overlapping));
    for (std::uint32_t rest = overlapping; rest != 0; rest &= rest - 1) {
      const auto l = static_cast<std::uint32_t>(std::countr_zero(rest));
      if (gaps[l] < gaps[deepest]) deepest = l;
    }
    push(overlapping & ~(1u << deepest), make_pair);
    stack_.push_back(make_pair(deepest));
  }
  template <class MakePair>
  HWY_INLINE void push(std::uint32_t lanes, const MakePair& make_pair) {
    for (; lanes != 0; lanes &= lanes - 1)
      stack_.push_back(make_pair(static_cast<std::uint32_t>(std::countr_zero(lanes))));
  }

  /// How far bodies may travel until the nearest of these lanes may overlap.
  double until(std::uint32_t lanes, const float* gaps) const {
    float least = 1e30f;
    for (; lanes != 0; lanes &= lanes - 1) {
      const float gap = gaps[std::countr_zero(lanes)];
      least = gap < least ? gap : least;
    }
    return task_.front->travelled + 0.9999 * double{least};
  }
  void record(ApartLanes entry, NodeView node) {
    entry.lanes = static_cast<std::uint8_t>(entry.lanes & ((1u << node.used_lanes()) - 1));
    if (entry.lanes != 0) task_.front->apart.push_back(entry);
  }

  /// Entries whose bodies have not moved far enough to matter are passed over; the others are tested again.
  void start_from_front() {
    Front& front = *task_.front;
    stack_.assign(front.open.begin(), front.open.end());
    front.open.clear();
    std::size_t kept = 0;
    for (std::size_t i = 0; i < front.apart.size(); ++i) {
      ApartLanes entry = front.apart[i];
      if (entry.until > front.travelled || test_again(entry)) front.apart[kept++] = entry;
    }
    front.apart.resize(kept);
  }
  /// Whether any of the entry's lanes is still apart; those that are not are pushed.
  bool test_again(ApartLanes& entry) {
    HWY_ALIGN float gaps[Tree::lanes];
    std::uint32_t overlapping;
    if (entry.target_opened) {
      const NodeView node = task_.target.node(entry.node);
      const float* const one = realigned(entry.volume / 8);
      count_tests(node, task_.source.node(entry.volume / 8).children[entry.volume % 8].is_leaf());
      overlapping = kernel_.template overlaps<true>(one, entry.volume % 8, node.rows, gaps) & entry.lanes;
      push(overlapping, [&](std::uint32_t lane) {
        return VolumePair{8 * entry.node + lane, entry.volume, kernel_.size(node.rows, lane),
                          kernel_.size(one, entry.volume % 8)};
      });
    } else {
      const NodeView target = task_.target.node(entry.volume / 8);
      const float* const rows = realigned(entry.node);
      count_tests(task_.source.node(entry.node), target.children[entry.volume % 8].is_leaf());
      overlapping = kernel_.template overlaps<true>(target.rows, entry.volume % 8, rows, gaps) & entry.lanes;
      push(overlapping, [&](std::uint32_t lane) {
        return VolumePair{entry.volume, 8 * entry.node + lane, kernel_.size(target.rows, entry.volume % 8),
                          kernel_.size(rows, lane)};
      });
    }
    counting_.opened_node();
    ++task_.front->work;
    entry.lanes = static_cast<std::uint8_t>(entry.lanes & ~overlapping);
    entry.until = until(entry.lanes, gaps);
    return entry.lanes != 0;
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

  enum class Meeting : std::uint8_t { apart, open, ended };

  /// Two leaves: what the filter cannot rule out is for the sink to decide.
  Meeting meet(Child target_leaf, Child source_leaf) {
    if (!filter_) filter_.emplace(task_.pose);
    Meeting meeting = Meeting::apart;
    const LeafView target = task_.target.leaf(target_leaf.index()), source = task_.source.leaf(source_leaf.index());
    counting_.triangle_pairs(target.size() * source.size());
    for (std::uint32_t t = target.first; t < target.last; t += Tree::group_size)
      for (std::uint32_t s = source.first; s < source.last; s += Tree::group_size) {
        const LeafPairs pairs = (*filter_)(group(task_.target, t, target.last), group(task_.source, s, source.last));
        if ((pairs.open | pairs.crossing) == 0) continue;
        if (task_.sink.decide(t, s, pairs)) return Meeting::ended;
        meeting = Meeting::open;
      }
    return meeting;
  }
  /// Leaves whose triangles are farther apart than bodies move between queries wait as lanes found apart do; others are
  /// to meet again. Where the walk ends, so is what it has not opened.
  void record(const VolumePair& pair, Meeting meeting) {
    Front& front = *task_.front;
    ++front.work;
    if (meeting == Meeting::apart) {
      const double gap = gap_between(pair);
      if (gap > 2 * front.last_motion) {
        front.apart.push_back({pair.target / 8, pair.source, true, static_cast<std::uint8_t>(1u << pair.target % 8),
                               front.travelled + 0.9999 * gap});
        return;
      }
    }
    front.open.push_back(pair);
    if (meeting == Meeting::ended) front.open.insert(front.open.end(), stack_.begin(), stack_.end());
  }
  double gap_between(const VolumePair& pair) const {
    const LeafView target = task_.target.leaf(task_.target.node(pair.target / 8).children[pair.target % 8].index()),
                   source = task_.source.leaf(task_.source.node(pair.source / 8).children[pair.source % 8].index());
    float least = 1e30f;
    for (std::uint32_t t = target.first; t < target.last; t += Tree::group_size)
      for (std::uint32_t s = source.first; s < source.last; s += Tree::group_size)
        least = std::min(least, filter_->gap(group(task_.target, t, target.last), group(task_.source, s, source.last)));
    return double{least};
  }
  static Group group(const Tree& tree, std::uint32_t first, std::uint32_t last) {
    return {tree.corners.data() + Tree::corner_floats * first, std::min(Tree::group_size, last - first)};
  }

  const WalkTask& task_;
  Kernel kernel_;
  Counting<Count> counting_;
  std::optional<LeafFilter> filter_;  // made when leaves meet
  bool pose_is_set_ = false;
  std::vector<VolumePair>& stack_;
};

template <class Kernel>
bool walk_with(const WalkTask& task, Kernel kernel) {
  Counters unused;
  if (task.counters) return Walk<Kernel, true>(task, kernel, Counting<true>(*task.counters)).run();
  return Walk<Kernel, false>(task, kernel, Counting<false>(unused)).run();
}

bool walk_here(const WalkTask& task) {
  if (task.target.bound == Bound::dop) {
    return walk_with(task, DopKernel{task.target.k / 2, inverse_direction_lengths(task.target.k).data()});
  }
  return walk_with(task, ObbKernel{});
}

}  // namespace HWY_NAMESPACE
}  // namespace tumble
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tumble {

HWY_EXPORT(walk_here);

bool walk(const WalkTask& task) {
  task.memory.realigned.forget_all();
  if (task.front) task.front->work = 0;
  const bool ended = HWY_DYNAMIC_DISPATCH(walk_here)(task);
  if (task.front && !task.front->is_complete) {
    task.front->is_complete = true;
    task.front->size_when_made = task.front->size();
    task.front->work_when_made = std::exchange(task.front->work, 0);
  }
  return ended;
}

}  // namespace tumble
#endif
