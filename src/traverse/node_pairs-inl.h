// SPDX-License-Identifier: Apache-2.0
// NodePairs: opening pairs of volumes, as every walk does: which side, the moving one's nodes realigned on first use,
// and one volume beside the eight it is to be tested against. Compiled once per instruction set.

#if defined(TUMBLE_TRAVERSE_NODE_PAIRS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TUMBLE_TRAVERSE_NODE_PAIRS_INL_H_
#undef TUMBLE_TRAVERSE_NODE_PAIRS_INL_H_
#else
#define TUMBLE_TRAVERSE_NODE_PAIRS_INL_H_
#endif

#include "bounds/directions.h"
#include "bounds/rows.h"
#include "simd/lanes-inl.h"
#include "traverse/counters.h"
#include "traverse/tree_pair.h"

#include <algorithm>
#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace tumble {
namespace HWY_NAMESPACE {

template <class Kernel, bool Count>
class NodePairs {
 public:
  NodePairs(const TreePair& trees, const Kernel& kernel, Counting<Count> counting)
      : trees_(trees), target_(trees.target), source_(trees.source), kernel_(kernel), counting_(counting) {}

  Child target(const VolumePair& pair) const { return target_.child(pair.target); }
  Child source(const VolumePair& pair) const { return source_.child(pair.source); }

  /// Of a pair that is not both leaves.
  bool opens_target(const VolumePair& pair, Child target, Child source) const {
    if (target.is_leaf()) return false;
    if (source.is_leaf()) return true;
    if (trees_.descend == Descend::larger_first) return pair.target_size >= pair.source_size;
    return trees_.environment_is_target;
  }
  /// All pairs of children (Zachmann 1998, section 3).
  bool opens_both(Child target, Child source) const {
    return trees_.descend == Descend::both && !target.is_leaf() && !source.is_leaf();
  }

  VolumePair roots() {
    return {VolumeId::root(), VolumeId::root(), kernel_.size(target_[0].rows, 0), kernel_.size(realigned(0), 0)};
  }

  /// Certainly. Takes no memory; roots() realigns the source's once more.
  HWY_NOINLINE bool roots_are_apart() {
    HWY_ALIGN float rows[std::max(DopRows::count(max_k), ObbRows::count) * node_lanes];
    move(0, rows);
    counting_.overlap_tests(1);
    return (kernel_.template overlaps<false>(target_[0].rows, 0, rows, nullptr).overlapping & 1) == 0;
  }

  /// One volume beside the children of a node of the other tree.
  struct Children {
    const float* one;  // rows, of which the volume is a lane
    std::uint32_t lane;
    const float* rows;  // of the node, in the target's coordinates
    NodeView node;
    std::uint32_t index;
    VolumeId volume;
    bool of_target;
    float one_size;

    HWY_INLINE VolumePair pair(std::uint32_t l) const {
      const float size = Kernel::size(rows, l);
      const VolumeId child = VolumeId::of(index, l);
      return of_target ? VolumePair{child, volume, size, one_size} : VolumePair{volume, child, one_size, size};
    }
  };

  HWY_INLINE Children of_target(std::uint32_t index, VolumeId source_volume) {
    const float* const one = realigned(source_volume.node());
    const NodeView node = target_[index];
    count_tests(node, source_.child(source_volume));
    const std::uint32_t lane = source_volume.lane();
    return {one, lane, node.rows, node, index, source_volume, true, kernel_.size(one, lane)};
  }
  HWY_INLINE Children of_source(std::uint32_t index, VolumeId target_volume) {
    const float* const rows = realigned(index);
    const NodeView node = source_[index];
    const float* const one = target_[target_volume.node()].rows;
    count_tests(node, target_.child(target_volume));
    const std::uint32_t lane = target_volume.lane();
    return {one, lane, rows, node, index, target_volume, false, kernel_.size(one, lane)};
  }

  /// Which node to open, and the other tree's volume to test its children against.
  struct Step {
    std::uint32_t index;
    VolumeId volume;
    bool of_target;
  };
  /// Of a pair that is not both leaves.
  HWY_INLINE Step step(const VolumePair& pair, Child target_child, Child source_child) const {
    return opens_target(pair, target_child, source_child) ? Step{target_child.index(), pair.source, true}
                                                          : Step{source_child.index(), pair.target, false};
  }
  HWY_INLINE Children children(const Step& step) {
    return step.of_target ? of_target(step.index, step.volume) : of_source(step.index, step.volume);
  }
  void make_room_for(std::uint32_t more) { trees_.realigned.make_room_for(more); }

  std::uint32_t children_of_source(std::uint32_t index) const {
    return static_cast<std::uint32_t>(source_[index].used_lanes());
  }

  /// Two leaves that meet.
  struct Leaves {
    LeafView target, source;
  };
  HWY_INLINE Leaves leaves(Child target_leaf, Child source_leaf) {
    const Leaves both{trees_.target.leaf(target_leaf.index()), trees_.source.leaf(source_leaf.index())};
    counting_.triangle_pairs(both.target.size() * both.source.size());
    return both;
  }

 private:
  /// The source node's rows in target coordinates, realigned now if no walk has done so for this pose, or if every test
  /// is to do so (Fünzig 2003, section 6).
  HWY_INLINE const float* realigned(std::uint32_t index) {
    return trees_.remember && trees_.realigned.has(index) ? trees_.realigned.rows(index) : realign(index);
  }
  const float* realign(std::uint32_t index) {
    float* const rows = trees_.realigned.add(index);
    move(index, rows);
    if (index == 0) return rows;  // of the root only lane 0 is looked at
    for (int lane = source_[index].used_lanes(); lane < Tree::lanes; ++lane)
      kernel_.close_lane(rows, static_cast<std::uint32_t>(lane));
    return rows;
  }
  /// Leaves anything in empty lanes.
  void move(std::uint32_t index, float* rows) {
    if (!pose_is_set_) {  // late, since walks from a front may need no node
      trees_.realigner.set_pose(trees_.pose);
      pose_is_set_ = true;
    }
    const NodeView node = source_[index];
    trees_.realigner.realign(index, node.rows, rows);
    counting_.realignments(node.used_lanes());
  }

  void count_tests(NodeView node, Child other) {
    counting_.opened_node();
    if constexpr (Count) {
      const int used = node.used_lanes();
      counting_.overlap_tests(used);
      int mixed = 0;
      for (int lane = 0; lane < used; ++lane) mixed += node.children[lane].is_leaf() != other.is_leaf();
      counting_.mixed_tests(mixed);
    }
  }

  const TreePair& trees_;
  Nodes target_, source_;
  const Kernel& kernel_;
  Counting<Count> counting_;
  bool pose_is_set_ = false;
};

}  // namespace HWY_NAMESPACE
}  // namespace tumble
HWY_AFTER_NAMESPACE();

#endif
