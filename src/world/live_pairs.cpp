// SPDX-License-Identifier: Apache-2.0
// Both lists, of now and of before, are sorted by ids, so one pass finds what stays.
#include "world/live_pairs.h"

#include "core/sort_by_key.h"

#include <algorithm>
#include <utility>

namespace tumble {

void Kept::count_bytes() {
  bytes = sizeof(Kept) + setup.realigner->bytes() + (convex ? sizeof(ConvexMemories) : 0) +
          memory.front.apart.capacity() * sizeof(ApartLanes) + memory.front.open.capacity() * sizeof(VolumePair);
}

void LivePairs::update(std::span<const SlotPair> neighbours, const Bodies& bodies) {
  found_.clear();
  const auto members = bodies.members();
  for (const SlotPair& pair : neighbours) {
    const Member &a = *members[pair.a], &b = *members[pair.b];
    if (!bodies.are_of_interest(a, b)) continue;
    const auto key = [](BodyId first, BodyId second) { return std::uint64_t{first.value} << 32 | second.value; };
    found_.push_back(a.id < b.id ? Found{key(a.id, b.id), pair.a, pair.b} : Found{key(b.id, a.id), pair.b, pair.a});
  }
  sort_by_key(found_, sorting_, [](const Found& found) { return found.key; });

  pairs_.swap(before_);
  pairs_.clear();
  auto old = before_.begin();
  for (const Found& found : found_) {
    LivePair& pair = pairs_.emplace_back(LivePair{found.a, found.b, {members[found.a]->id, members[found.b]->id}});
    while (old != before_.end() && old->ids < pair.ids) ++old;
    if (old != before_.end() && old->ids == pair.ids) pair = std::move(*old);
  }
  before_.clear();
}

LivePair* LivePairs::find(BodyPair ids) {
  const auto at = std::ranges::lower_bound(pairs_, ids, {}, &LivePair::ids);
  return at != pairs_.end() && at->ids == ids ? &*at : nullptr;
}

void LivePairs::limit_memory(std::size_t bytes) {
  std::size_t total = 0;
  for (const LivePair& pair : pairs_) total += pair.bytes();
  if (total <= bytes) return;
  std::vector<LivePair*> largest;
  for (LivePair& pair : pairs_)
    if (pair.bytes() > 0) largest.push_back(&pair);
  std::ranges::stable_sort(largest, std::ranges::greater{}, &LivePair::bytes);
  for (LivePair* pair : largest) {
    if (total <= bytes) return;
    total -= pair->bytes();
    pair->forget();
  }
}

}  // namespace tumble
