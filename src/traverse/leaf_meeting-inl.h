// SPDX-License-Identifier: Apache-2.0
// LeafMeeting: two leaves meet, and the pairs of triangles that are not certainly apart go to a sink. The filters
// depend on neither bounds nor counting: leaf_meeting.cpp alone compiles them, once per instruction set.

#if defined(TUMBLE_TRAVERSE_LEAF_MEETING_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TUMBLE_TRAVERSE_LEAF_MEETING_INL_H_
#undef TUMBLE_TRAVERSE_LEAF_MEETING_INL_H_
#else
#define TUMBLE_TRAVERSE_LEAF_MEETING_INL_H_
#endif

#include "traverse/far-inl.h"
#include "traverse/gap_walk.h"
#include "traverse/near_filter-inl.h"
#include "traverse/sink.h"
#include "traverse/tree_pair.h"
#include "tree/tree.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>

HWY_BEFORE_NAMESPACE();
namespace tumble {
namespace HWY_NAMESPACE {

// In leaf_meeting.cpp, so that they are compiled once and not for every kind of walk.
PairBits not_apart(const LeafFilter& filter, Group target, Group source);
std::uint32_t nearby(const NearFilter& filter, Group target, Group source, float limit, float* gaps, float* reaches);
std::uint32_t nearby(const FarFilter& filter, Group target, Group source, float limit, float* gaps, float* reaches);
float gap_between(const LeafFilter& filter, Group target, Group source);

class LeafMeeting {
 public:
  explicit LeafMeeting(const TreePair& trees, const FarLine* far = nullptr)
      : target_corners_(trees.target.corners.data()),
        source_corners_(trees.source.corners.data()),
        filter_(trees.pose) {
    if (far) far_.emplace(*far);
  }

  enum class Outcome : std::uint8_t { apart, undecided, ended };  // ended: by the sink

  /// What may touch or certainly crosses goes to the sink.
  HWY_INLINE Outcome contacts(LeafView target, LeafView source, Sink& sink) const {
    Outcome outcome = Outcome::apart;
    const bool ended = each_group(target, source, [&](std::uint32_t t, std::uint32_t s, Group a, Group b) HWY_ATTR {
      const PairBits bits = not_apart(filter_.contacts(), a, b);
      if (bits.is_empty()) return false;
      outcome = Outcome::undecided;
      return sink.decide({t, s, bits});
    });
    return ended ? Outcome::ended : outcome;
  }

  /// What may be as near as the sink's limit goes to the sink; returns true if that ended the walk. The least gap of
  /// the others is noted in `least_passed`, if given; the leaves' own is `leaves_gap`.
  HWY_INLINE bool near(LeafView target, LeafView source, float leaves_gap, Sink& sink, float* least_passed) const {
    HWY_ALIGN float gaps[16], reaches[16];
    return each_group(target, source, [&](std::uint32_t t, std::uint32_t s, Group a, Group b) HWY_ATTR {
      if (!sink.measures) {
        TUMBLE_ASSERT(!far_);  // no contact far away
        const PairBits bits = not_apart(filter_.contacts(), a, b);
        return !bits.is_empty() && sink.decide({t, s, bits});
      }
      const std::uint32_t near =
          far_ ? nearby(*far_, a, b, sink.limit, gaps, reaches) : nearby(filter_, a, b, sink.limit, gaps, reaches);
      if (least_passed)
        for (std::uint32_t far = PairBits::all(a.width, b.width) & ~near; far != 0; far &= far - 1)
          *least_passed = std::min(*least_passed, larger(gaps[std::countr_zero(far)], leaves_gap));
      return near != 0 && sink.decide({t, s, {.open = near}, gaps, reaches});
    });
  }

  /// A lower bound of the distance between any two triangles of the leaves; not above 0 where none is certain.
  float gap(LeafView target, LeafView source) const {
    float least = 1e30f;
    each_group(target, source, [&](std::uint32_t, std::uint32_t, Group a, Group b) HWY_ATTR {
      least = std::min(least, gap_between(filter_.contacts(), a, b));
      return false;
    });
    return least;
  }

 private:
  /// Calls use(target slot, source slot, group, group) for all pairs of groups until it returns true.
  template <class Use>
  HWY_INLINE bool each_group(LeafView target, LeafView source, const Use& use) const {
    const auto group = [](const float* corners, std::uint32_t first, std::uint32_t last) HWY_ATTR {
      return Group{corners + Tree::corner_floats * first, std::min(Tree::group_size, last - first)};
    };
    for (std::uint32_t t = target.first; t < target.last; t += Tree::group_size)
      for (std::uint32_t s = source.first; s < source.last; s += Tree::group_size)
        if (use(t, s, group(target_corners_, t, target.last), group(source_corners_, s, source.last))) return true;
    return false;
  }

  const float *target_corners_, *source_corners_;
  NearFilter filter_;
  std::optional<FarFilter> far_;
};

}  // namespace HWY_NAMESPACE
}  // namespace tumble
HWY_AFTER_NAMESPACE();

#endif
