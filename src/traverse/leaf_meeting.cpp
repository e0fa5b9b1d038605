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

// The loops are written out three times: if their body were a function argument, it would not be inlined.

LeafMeeting::Outcome LeafMeeting::contacts(LeafView target, LeafView source, Sink& sink) const {
  Outcome outcome = Outcome::apart;
  for (std::uint32_t t = target.first; t < target.last; t += Tree::group_size)
    for (std::uint32_t s = source.first; s < source.last; s += Tree::group_size) {
      LeafPairs pairs = filter_.contacts()(target_group(t, target), source_group(s, source));
      if (pairs.is_empty()) continue;
      pairs.target_first = t;
      pairs.source_first = s;
      if (sink.decide(pairs)) return Outcome::ended;
      outcome = Outcome::undecided;
    }
  return outcome;
}

bool LeafMeeting::near(LeafView target, LeafView source, float leaves_gap, Sink& sink, float* least_passed) const {
  HWY_ALIGN float gaps[16], reaches[16];
  for (std::uint32_t t = target.first; t < target.last; t += Tree::group_size)
    for (std::uint32_t s = source.first; s < source.last; s += Tree::group_size) {
      const Group a = target_group(t, target), b = source_group(s, source);
      if (!sink.measures) {
        LeafPairs pairs = filter_.contacts()(a, b);
        pairs.target_first = t;
        pairs.source_first = s;
        if (!pairs.is_empty() && sink.decide(pairs)) return true;
        continue;
      }
      const std::uint32_t near = filter_(a, b, sink.limit, gaps, reaches);
      if (least_passed)
        for (std::uint32_t far = LeafPairs::all(a.width, b.width) & ~near; far != 0; far &= far - 1)
          *least_passed = std::min(*least_passed, larger(gaps[std::countr_zero(far)], leaves_gap));
      if (near == 0) continue;
      if (sink.decide({.target_first = t, .source_first = s, .open = near, .gaps = gaps, .reaches = reaches}))
        return true;
    }
  return false;
}

float LeafMeeting::gap(LeafView target, LeafView source) const {
  float least = 1e30f;
  for (std::uint32_t t = target.first; t < target.last; t += Tree::group_size)
    for (std::uint32_t s = source.first; s < source.last; s += Tree::group_size)
      least = std::min(least, filter_.contacts().gap(target_group(t, target), source_group(s, source)));
  return least;
}

}  // namespace HWY_NAMESPACE
}  // namespace tumble
HWY_AFTER_NAMESPACE();
