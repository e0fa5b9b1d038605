// SPDX-License-Identifier: Apache-2.0
// Leaves are taken apart into groups of up to four triangles, and groups are filtered sixteen pairs at a time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "traverse/leaf_meeting.cpp"
#include "simd/foreach_target.h"

#include "traverse/leaf_meeting-inl.h"

#include <algorithm>
#include <bit>

HWY_BEFORE_NAMESPACE();
namespace tumble {
namespace HWY_NAMESPACE {

LeafMeeting::LeafMeeting(const TreePair& trees)
    : target_corners_(trees.target.corners.data()), source_corners_(trees.source.corners.data()), filter_(trees.pose) {}

/// Calls use(first target slot, first source slot, group, group) until it returns true.
template <class Use>
HWY_INLINE bool LeafMeeting::each_group(LeafView target, LeafView source, const Use& use) const {
  const auto group = [](const float* corners, std::uint32_t first, std::uint32_t last) {
    return Group{corners + Tree::corner_floats * first, std::min(Tree::group_size, last - first)};
  };
  for (std::uint32_t t = target.first; t < target.last; t += Tree::group_size)
    for (std::uint32_t s = source.first; s < source.last; s += Tree::group_size)
      if (use(t, s, group(target_corners_, t, target.last), group(source_corners_, s, source.last))) return true;
  return false;
}

LeafMeeting::Outcome LeafMeeting::contacts(LeafView target, LeafView source, Sink& sink) const {
  Outcome outcome = Outcome::apart;
  const bool ended = each_group(target, source, [&](std::uint32_t t, std::uint32_t s, Group a, Group b) {
    LeafPairs pairs = filter_.contacts()(a, b);
    if (pairs.is_empty()) return false;
    outcome = Outcome::undecided;
    pairs.target_first = t;
    pairs.source_first = s;
    return sink.decide(pairs);
  });
  return ended ? Outcome::ended : outcome;
}

bool LeafMeeting::near(LeafView target, LeafView source, float leaves_gap, Sink& sink, float* least_passed) const {
  HWY_ALIGN float gaps[16], reaches[16];
  return each_group(target, source, [&](std::uint32_t t, std::uint32_t s, Group a, Group b) {
    if (!sink.measures) {
      LeafPairs pairs = filter_.contacts()(a, b);
      pairs.target_first = t;
      pairs.source_first = s;
      return !pairs.is_empty() && sink.decide(pairs);
    }
    const std::uint32_t near = filter_(a, b, sink.limit, gaps, reaches);
    if (least_passed)
      for (std::uint32_t far = LeafPairs::all(a.width, b.width) & ~near; far != 0; far &= far - 1)
        *least_passed = std::min(*least_passed, larger(gaps[std::countr_zero(far)], leaves_gap));
    return near != 0 &&
           sink.decide({.target_first = t, .source_first = s, .open = near, .gaps = gaps, .reaches = reaches});
  });
}

float LeafMeeting::gap(LeafView target, LeafView source) const {
  float least = 1e30f;
  each_group(target, source, [&](std::uint32_t, std::uint32_t, Group a, Group b) {
    least = std::min(least, filter_.contacts().gap(a, b));
    return false;
  });
  return least;
}

}  // namespace HWY_NAMESPACE
}  // namespace tumble
HWY_AFTER_NAMESPACE();
