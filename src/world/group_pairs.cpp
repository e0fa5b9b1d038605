// SPDX-License-Identifier: Apache-2.0
// Where no group has several members, pairs of members are pairs of groups, and in order already.
#include "world/group_pairs.h"

#include <algorithm>
#include <utility>

namespace tumble {
namespace {

/// A visitor is no member of anything.
BodyId group_id(const Bodies& bodies, BodyId id) { return id == BodyId{} ? id : bodies.group_of(id).id; }

}  // namespace

BodyPair groups_of(const Bodies& bodies, BodyPair members) {
  if (!bodies.has_groups()) return members;
  const BodyId a = group_id(bodies, members.a), b = group_id(bodies, members.b);
  return a < b ? BodyPair{a, b} : BodyPair{b, a};
}

void put_in_order(const Bodies& bodies, std::vector<BodyPair>& groups) {
  if (!bodies.has_groups()) return;
  std::ranges::sort(groups);
  groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
}

void keep_least_of_groups(const Bodies& bodies, WorldDistances& distances) {
  if (!bodies.has_groups()) return;
  const auto key = [&](const WorldDistance& entry) { return groups_of(bodies, {entry.a, entry.b}); };
  std::ranges::stable_sort(distances, {},
                           [&](const WorldDistance& entry) { return std::pair(key(entry), entry.distance.distance); });
  const auto are_one = [&](const WorldDistance& one, const WorldDistance& other) { return key(one) == key(other); };
  distances.erase(std::unique(distances.begin(), distances.end(), are_one), distances.end());
}

void compare(std::span<const BodyPair> before, std::span<const BodyPair> now, Changes& into) {
  into.began.clear();
  into.persisting.clear();
  into.ended.clear();
  auto old = before.begin();
  for (const BodyPair& pair : now) {
    while (old != before.end() && *old < pair) into.ended.push_back(*old++);
    const bool is_old = old != before.end() && *old == pair;
    (is_old ? into.persisting : into.began).push_back(pair);
    if (is_old) ++old;
  }
  into.ended.insert(into.ended.end(), old, before.end());
}

}  // namespace tumble
