// SPDX-License-Identifier: Apache-2.0
// From pairs of members to pairs of groups.
#pragma once

#include "world/asking.h"
#include "world/bodies.h"

#include <tumble/world.h>

#include <cstdint>
#include <span>
#include <vector>

namespace tumble {

/// Of two members, each a body or a visitor.
BodyPair groups_of(const Bodies& bodies, BodyPair members);

/// Sorts groups that were listed in the order of their members; each is left once.
void put_in_order(const Bodies& bodies, std::vector<BodyPair>& groups);

/// The groups of pairs i for which holds(i), each once and in order.
template <class Holds>
void list_groups(const Bodies& bodies, std::span<const PairToAsk> pairs, const Holds& holds,
                 std::vector<BodyPair>& into) {
  into.clear();
  for (std::size_t i = 0; i < pairs.size(); ++i)
    if (holds(i)) into.push_back(groups_of(bodies, pairs[i].ids()));
  put_in_order(bodies, into);
}

/// Keeps the least distance of each two groups; of equal ones the first. In the order of the groups.
void keep_least_of_groups(const Bodies& bodies, WorldDistances& distances);

/// How two lists in order differ.
void compare(std::span<const BodyPair> before, std::span<const BodyPair> now, Changes& into);

}  // namespace tumble
