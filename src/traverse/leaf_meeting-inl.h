// SPDX-License-Identifier: Apache-2.0
// LeafMeeting: two leaves meet, and the pairs of triangles that are not certainly apart go to a sink. It depends on
// neither bounds nor counting, so that leaf_meeting.cpp alone compiles it, once per instruction set.

#if defined(TUMBLE_TRAVERSE_LEAF_MEETING_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TUMBLE_TRAVERSE_LEAF_MEETING_INL_H_
#undef TUMBLE_TRAVERSE_LEAF_MEETING_INL_H_
#else
#define TUMBLE_TRAVERSE_LEAF_MEETING_INL_H_
#endif

#include "traverse/gap_walk.h"
#include "traverse/near_filter-inl.h"
#include "traverse/sink.h"
#include "traverse/tree_pair.h"
#include "tree/tree.h"

#include <algorithm>
#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace tumble {
namespace HWY_NAMESPACE {

class LeafMeeting {
 public:
  explicit LeafMeeting(const TreePair& trees);

  enum class Outcome : std::uint8_t { apart, undecided, ended };  // ended: by the sink

  /// What may touch or certainly crosses goes to the sink.
  Outcome contacts(LeafView target, LeafView source, Sink& sink) const;
  /// What may be as near as the sink's limit goes to the sink; returns true if that ended the walk. The least gap of
  /// the others is noted in `least_passed`, if given; the leaves' own is `leaves_gap`.
  bool near(LeafView target, LeafView source, float leaves_gap, Sink& sink, float* least_passed) const;

  /// A lower bound of the distance between any two triangles of the leaves; not above 0 where none is certain.
  float gap(LeafView target, LeafView source) const;

 private:
  /// The group of a leaf that begins at this slot.
  HWY_INLINE Group target_group(std::uint32_t first, LeafView leaf) const {
    return {target_corners_ + Tree::corner_floats * first, std::min(Tree::group_size, leaf.last - first)};
  }
  HWY_INLINE Group source_group(std::uint32_t first, LeafView leaf) const {
    return {source_corners_ + Tree::corner_floats * first, std::min(Tree::group_size, leaf.last - first)};
  }

  const float *target_corners_, *source_corners_;
  NearFilter filter_;
};

}  // namespace HWY_NAMESPACE
}  // namespace tumble
HWY_AFTER_NAMESPACE();

#endif
