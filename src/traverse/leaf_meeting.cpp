// SPDX-License-Identifier: Apache-2.0
// The filters of leaf meetings: sixteen pairs of triangles at a time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "traverse/leaf_meeting.cpp"
#include "simd/foreach_target.h"

#include "traverse/leaf_meeting-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tumble {
namespace HWY_NAMESPACE {

PairBits not_apart(const LeafFilter& filter, Group target, Group source) { return filter(target, source); }
std::uint32_t nearby(const NearFilter& filter, Group target, Group source, float limit, float* gaps, float* reaches) {
  return filter(target, source, limit, gaps, reaches);
}
std::uint32_t nearby(const FarFilter& filter, Group target, Group source, float limit, float* gaps, float* reaches) {
  return filter(target, source, limit, gaps, reaches);
}
float gap_between(const LeafFilter& filter, Group target, Group source) { return filter.gap(target, source); }

}  // namespace HWY_NAMESPACE
}  // namespace tumble
HWY_AFTER_NAMESPACE();
