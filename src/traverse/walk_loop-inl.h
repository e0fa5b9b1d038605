// SPDX-License-Identifier: Apache-2.0
// The one loop over pairs of volumes, of every walk over two trees. Compiled once per instruction set.

#if defined(TUMBLE_TRAVERSE_WALK_LOOP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TUMBLE_TRAVERSE_WALK_LOOP_INL_H_
#undef TUMBLE_TRAVERSE_WALK_LOOP_INL_H_
#else
#define TUMBLE_TRAVERSE_WALK_LOOP_INL_H_
#endif

#include "traverse/node_pairs-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tumble {
namespace HWY_NAMESPACE {

/// Takes pairs of volumes and opens one side of each: its children are tested against the other side's volume, and
/// those not ruled out wait to be taken. Where both are leaves, they meet (Klosowski 1998, Algorithm 1, with the choice
/// of side left to the descent). Returns true if the sink ended the walk. A walk has
/// - `pairs`, the NodePairs, and `Waiting`, a VolumePair with whatever else is known of it;
/// - take(next): the next pair to open; false if there is none, or it is to wait for another call;
/// - meet(next, target, source): two leaves; true if the sink ended the walk;
/// - open_with_another(next, target, source): true if it opened the pair together with one more;
/// - open_target(index, next), open_source(index, next): tests the children of that node against the other's volume.
template <class Walk>
HWY_INLINE bool open_pairs(Walk& walk) {
  typename Walk::Waiting next;
  while (walk.take(next)) {
    const Child target = walk.pairs.target(next), source = walk.pairs.source(next);
    TUMBLE_ASSERT(!target.is_empty() && !source.is_empty());
    if (target.is_leaf() && source.is_leaf()) {
      if (walk.meet(next, target, source)) return true;
    } else if (walk.pairs.opens_both(target, source)) {
      const std::uint32_t lanes = walk.pairs.children_of_source(source.index());
      for (std::uint32_t lane = 0; lane < lanes; ++lane) {
        next.source = VolumeId::of(source.index(), lane);
        walk.open_target(target.index(), next);
      }
    } else if (!walk.open_with_another(next, target, source)) {
      if (walk.pairs.opens_target(next, target, source))
        walk.open_target(target.index(), next);
      else
        walk.open_source(source.index(), next);
    }
  }
  return false;
}

}  // namespace HWY_NAMESPACE
}  // namespace tumble
HWY_AFTER_NAMESPACE();

#endif
