// SPDX-License-Identifier: Apache-2.0
// What the loop needs to find overlaps: a stack, fronts, two pairs side by side, and giving up volumes where the
// descent restarts. It is a type over the kind of bound and whether it counts, compiled once per instruction set;
// descent, source bound and realignment are values.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "traverse/overlap_walk.cpp"
#include "simd/foreach_target.h"

#include "traverse/overlap_walk.h"

#include "bounds/directions.h"
#include "traverse/fine_look.h"
#include "traverse/leaf_meeting-inl.h"
#include "traverse/overlap-inl.h"
#include "traverse/walk_loop-inl.h"

#include <algorithm>
#include <bit>
#include <optional>

HWY_BEFORE_NAMESPACE();
namespace tumble {
namespace HWY_NAMESPACE {

template <class Kernel, bool Count>
class OverlapWalk {
 public:
  OverlapWalk(const OverlapTask& task, const Kernel& kernel, Counting<Count> counting)
      : pairs(task.trees, kernel, counting), task_(task), kernel_(kernel), stack_(task.stack) {}

  bool run() {
    if (task_.test_roots && !task_.front && pairs.roots_are_apart()) return false;
    task_.trees.begin();
    stack_.clear();
    stack_.reserve(usually_waiting);
    if (task_.front && task_.front->is_complete) {
      start_from_front();
    } else {
      stack_.push_back(pairs.roots());  // mostly not tested: opening the larger one tells as much
    }
    return open_pairs(*this);
  }

  // What open_pairs() needs.

  using Waiting = VolumePair;  // they overlap
  NodePairs<Kernel, Count> pairs;

  HWY_INLINE bool take(VolumePair& next) {
    if (stack_.empty()) return false;
    next = stack_.back();
    stack_.pop_back();
    return true;
  }
  /// Returns true if the sink ended the walk.
  bool meet(const VolumePair& pair, Child target_leaf, Child source_leaf) {
    if (!leaves_) leaves_.emplace(task_.trees);
    const auto [target, source] = pairs.leaves(target_leaf, source_leaf);
    const Outcome outcome = leaves_->contacts(target, source, task_.sink);
    if (task_.front) record(pair, outcome, target, source);
    looks_finely_ = true;
    return outcome == Outcome::ended;
  }
  HWY_INLINE bool open_with_another(const VolumePair& top, Child target, Child source) {
    if (!by_twos_ || stack_.empty() || are_leaves(stack_.back())) return false;
    const VolumePair next = stack_.back();
    stack_.pop_back();
    open_two(pairs.step(top, target, source), pairs.step(next, pairs.target(next), pairs.source(next)));
    return true;
  }
  HWY_INLINE void open_target(std::uint32_t index, const VolumePair& pair) {
    const bool gives_up = restarts_ && !task_.trees.environment_is_target;
    test_target(index, gives_up ? give_up(&VolumePair::target, pair) : pair.source);
  }
  HWY_INLINE void open_source(std::uint32_t index, const VolumePair& pair) {
    const bool gives_up = restarts_ && task_.trees.environment_is_target;
    test_source(index, gives_up ? give_up(&VolumePair::source, pair) : pair.target);
  }

 private:
  using Children = typename NodePairs<Kernel, Count>::Children;
  using Step = typename NodePairs<Kernel, Count>::Step;
  using Outcome = LeafMeeting::Outcome;

  // Functions of their own, lest the loop runs out of registers: inlined, short queries take longer.
  HWY_NOINLINE void test_target(std::uint32_t index, VolumeId source_volume) {
    test_and_push(pairs.of_target(index, source_volume));
  }
  HWY_NOINLINE void test_source(std::uint32_t index, VolumeId target_volume) {
    test_and_push(pairs.of_source(index, target_volume));
  }
  /// What a test finds decides what is tested next, so that two tests side by side take less time than one after the
  /// other.
  HWY_NOINLINE void open_two(Step top, Step next) {
    pairs.make_room_for(2);  // realigning for one must not move the rows of the other
    const Children a = pairs.children(top), b = pairs.children(next);
    const OverlapBits of_a = kernel_.template overlaps<false>(a.one, a.lane, a.rows, nullptr);
    const OverlapBits of_b = kernel_.template overlaps<false>(b.one, b.lane, b.rows, nullptr);
    push(still_overlapping(of_b, b, nullptr), b);
    push(still_overlapping(of_a, a, nullptr), a);
  }

  /// At the first environment leaf a moving volume overlaps, it is given up and its children start at the environment's
  /// root (Klosowski 1998, section 4.2; taken literally it would restart at every such leaf, which multiplies the work
  /// at every level: tests/query/restart_test.cpp). Its other pairs wait on top of the stack, as nothing else is opened
  /// until it is done. Returns the root's volume.
  VolumeId give_up(VolumeId VolumePair::*moving, const VolumePair& pair) {
    while (!stack_.empty() && stack_.back().*moving == pair.*moving) stack_.pop_back();
    return VolumeId::root();
  }

  bool are_leaves(const VolumePair& pair) const { return pairs.target(pair).is_leaf() && pairs.source(pair).is_leaf(); }
  bool wants_gaps() const { return task_.front || nearest_first_; }
  /// While the first pair may hold the one contact that is enough, the second would often be for nothing.
  bool goes_by_twos() const { return !restarts_ && task_.trees.descend != Descend::both && !wants_gaps(); }

  /// Tests one volume against eight, pushes the pairs that overlap, and records the others where there is a front.
  HWY_INLINE void test_and_push(const Children& c) {
    if (!wants_gaps()) {
      push(still_overlapping(kernel_.template overlaps<false>(c.one, c.lane, c.rows, nullptr), c, nullptr), c);
      return;
    }
    HWY_ALIGN float gaps[Tree::lanes];
    const OverlapBits bits = kernel_.template overlaps<true>(c.one, c.lane, c.rows, gaps);
    const std::uint32_t overlapping = still_overlapping(bits, c, gaps);
    if (task_.front) {
      ++task_.front->work;
      record(c, ~overlapping & ((1u << c.node.used_lanes()) - 1), gaps);
    }
    if (!nearest_first_ || (overlapping & (overlapping - 1)) == 0) {
      push(overlapping, c);
      return;
    }
    // The one most likely to hold a contact goes on top; the order of the others matters little.
    const bool are_flush = (overlapping & ~bits.nearly_apart) == 0;
    const std::uint32_t likely = are_flush ? nearest(overlapping, c) : deepest(overlapping, gaps);
    push(overlapping & ~(1u << likely), c);
    stack_.push_back(c.pair(likely));
    if (!task_.front && --guesses_left_ == 0) look_everywhere();
  }
  /// As where all contacts are wanted.
  void look_everywhere() {
    nearest_first_ = false;
    by_twos_ = goes_by_twos();
    looks_finely_ = true;
  }
  static HWY_INLINE std::uint32_t deepest(std::uint32_t lanes, const float* gaps) {
    auto best = static_cast<std::uint32_t>(std::countr_zero(lanes));
    for (; lanes != 0; lanes &= lanes - 1) {
      const auto l = static_cast<std::uint32_t>(std::countr_zero(lanes));
      if (gaps[l] < gaps[best]) best = l;
    }
    return best;
  }
  /// Where faces lie on each other all overlaps are about 0 deep, which tells nothing.
  static HWY_NOINLINE std::uint32_t nearest(std::uint32_t lanes, const Children& c) {
    auto best = static_cast<std::uint32_t>(std::countr_zero(lanes));
    float least = Kernel::center_distance_sq(c.one, c.lane, c.rows, best);
    for (lanes &= lanes - 1; lanes != 0; lanes &= lanes - 1) {
      const auto l = static_cast<std::uint32_t>(std::countr_zero(lanes));
      const float here = Kernel::center_distance_sq(c.one, c.lane, c.rows, l);
      if (here < least) best = l, least = here;
    }
    return best;
  }
  /// What is left of the lanes after a fine look at those that are nearly apart. One alone is opened: a face opposite
  /// another shows in several children at once, here or below, and what touches by a corner or an edge is soon done.
  HWY_INLINE std::uint32_t still_overlapping(OverlapBits bits, const Children& c, float* gaps) {
    const bool several = (bits.nearly_apart & (bits.nearly_apart - 1)) != 0;
    return several && looks_finely_
               ? bits.overlapping & ~apart_after_all(bits.nearly_apart, {c.index, c.volume, c.of_target}, gaps)
               : bits.overlapping;
  }
  /// Takes a Step, lest the loop keeps its Children in memory.
  HWY_NOINLINE std::uint32_t apart_after_all(std::uint32_t lanes, Step opened, float* gaps) {
    if (looks_to_leave_out_ > 0) {
      --looks_to_leave_out_;
      return 0;
    }
    if (!fine_look_) fine_look_.emplace(task_.trees.bodies);
    // A front measures motion by the relative pose: its gaps are less the margin between that and the world. The way
    // back from the world may stretch a little.
    const double to_units = 0.999 * power_of_two(-task_.trees.target.frame.exponent);
    std::uint32_t apart = 0;
    for (; lanes != 0; lanes &= lanes - 1) {
      const auto l = static_cast<std::uint32_t>(std::countr_zero(lanes));
      const VolumeId child = VolumeId::of(opened.index, l);
      const double gap =
          opened.of_target ? fine_look_->gap(child, opened.volume, 0) : fine_look_->gap(opened.volume, child, 0);
      if (!(gap > 0)) continue;
      apart |= 1u << l;
      if (gaps) gaps[l] = static_cast<float>(gap * to_units - task_.trees.pose.margin);
    }
    looks_finely_ = apart != 0 || !nearest_first_;
    if (!wants_gaps()) {
      looks_in_vain_ = apart != 0 ? 0 : std::min(looks_in_vain_ + 1, 15 * 16);
      looks_to_leave_out_ = looks_in_vain_ / 16;
    }
    return apart;
  }
  HWY_INLINE void push(std::uint32_t lanes, const Children& c) {
    for (; lanes != 0; lanes &= lanes - 1)
      stack_.push_back(c.pair(static_cast<std::uint32_t>(std::countr_zero(lanes))));
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
  void record(const Children& c, std::uint32_t apart, const float* gaps) {
    if (apart == 0) return;
    task_.front->apart.push_back(
        {c.index, c.volume, c.of_target, static_cast<std::uint8_t>(apart), until(apart, gaps)});
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
    const Children c =
        entry.target_opened ? pairs.of_target(entry.node, entry.volume) : pairs.of_source(entry.node, entry.volume);
    HWY_ALIGN float gaps[Tree::lanes];
    OverlapBits bits = kernel_.template overlaps<true>(c.one, c.lane, c.rows, gaps);
    bits.nearly_apart &= entry.lanes;
    const std::uint32_t overlapping = still_overlapping(bits, c, gaps) & entry.lanes;
    looks_finely_ = true;  // what one entry shows says nothing of the next
    push(overlapping, c);
    ++task_.front->work;
    entry.lanes = static_cast<std::uint8_t>(entry.lanes & ~overlapping);
    entry.until = until(entry.lanes, gaps);
    return entry.lanes != 0;
  }

  /// Leaves whose triangles are farther apart than bodies move between queries are recorded as apart; others are to
  /// meet again, and where the sink ended the walk, what it has not opened is.
  void record(const VolumePair& pair, Outcome outcome, LeafView target, LeafView source) {
    Front& front = *task_.front;
    ++front.work;
    if (outcome == Outcome::apart) {
      const double gap = double{leaves_->gap(target, source)};
      if (gap > 2 * front.last_motion) {
        front.apart.push_back({pair.target.node(), pair.source, true,
                               static_cast<std::uint8_t>(1u << pair.target.lane()), front.travelled + 0.9999 * gap});
        return;
      }
    }
    front.open.push_back(pair);
    if (outcome == Outcome::ended) front.open.insert(front.open.end(), stack_.begin(), stack_.end());
  }

  const OverlapTask& task_;
  const Kernel& kernel_;
  std::vector<VolumePair>& stack_;
  std::optional<LeafMeeting> leaves_;  // made when leaves meet
  std::optional<FineLook> fine_look_;
  // Where one contact is enough, a look in vain is the last one until leaves have met in vain, too: faces that touch
  // are below nodes that no look tells apart, and fine boxes take longer to make than the leaf with the contact to
  // find.
  bool looks_finely_ = true;
  // Where all contacts are wanted, the more looks in a row were in vain the more of the next ones are left out: faces
  // that lie on each other are nearly apart at every node, and no look tells them apart. Fronts keep what a look tells.
  int looks_in_vain_ = 0, looks_to_leave_out_ = 0;
  const bool restarts_ = task_.trees.descend == Descend::restart;
  // Where one contact is enough, guesses where it may be are soon right, or there is likely none: all that overlaps is
  // then opened anyway.
  bool nearest_first_ = task_.nearest_first;
  int guesses_left_ = 64;
  bool by_twos_ = goes_by_twos();
};

template <class Kernel>
bool overlap_walk_with(const OverlapTask& task, const Kernel& kernel) {
  Counters unused;
  if (Counters* const counters = task.trees.counters)
    return OverlapWalk<Kernel, true>(task, kernel, Counting<true>(*counters)).run();
  return OverlapWalk<Kernel, false>(task, kernel, Counting<false>(unused)).run();
}

bool overlap_walk_here(const OverlapTask& task) {
  const Tree& target = task.trees.target;
  if (target.bound == Bound::dop)
    return overlap_walk_with(task, DopKernel{target.k / 2, inverse_direction_lengths(target.k).data()});
  if (task.trees.all_box_axes) return overlap_walk_with(task, ObbKernelOn<true>{});
  return overlap_walk_with(task, ObbKernel{});
}

}  // namespace HWY_NAMESPACE
}  // namespace tumble
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tumble {

HWY_EXPORT(overlap_walk_here);

bool overlap_walk(const OverlapTask& task) {
  const bool ended = HWY_DYNAMIC_DISPATCH(overlap_walk_here)(task);
  if (task.front) task.front->finish_walk();
  return ended;
}

}  // namespace tumble
#endif
