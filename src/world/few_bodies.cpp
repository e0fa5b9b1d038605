// SPDX-License-Identifier: Apache-2.0
// Who of few bodies is tested with whom, and the balls around them.
#include "world/few_bodies.h"

#include <algorithm>

namespace tumble {

void FewBodies::take(const Bodies& bodies, std::span<const LivePair> pairs) {
  const auto members = bodies.members();
  few_.clear();
  for (Slot slot = 0; slot < members.size(); ++slot)
    if (members[slot]) few_.push_back(slot);
  std::ranges::sort(few_, {}, [&](Slot slot) { return members[slot]->id; });
  place_of_.assign(members.size(), 0);
  shapes_.clear();
  boxes_.assign(few_.size(), {});
  for (std::size_t i = 0; i < few_.size(); ++i) {
    const Member& member = *members[few_[i]];
    place_of_[few_[i]] = static_cast<std::uint8_t>(i);
    shapes_.emplace_back(*member.shape, bodies.group_of(member).growth);
    boxes_[i].of = member.shape->whole ? &*member.shape->whole : nullptr;
  }
  move(bodies, few_);
  tested_.fill(0);
  pairs_.assign(few_.size() * few_.size(), 0);
  std::uint16_t number = 0;
  for (const LivePair& pair : pairs) {
    const std::size_t a = place_of_[pair.a], b = place_of_[pair.b];
    tested_[a] |= std::uint64_t{1} << b;
    pairs_[a * few_.size() + b] = number++;
  }
}

void FewBodies::move(const Bodies& bodies, std::span<const Slot> changed) {
  for (const Slot slot : changed) {
    const std::size_t i = place_of_[slot];
    balls_.put(i, shapes_[i].at(bodies.members()[slot]->pose));
    to_turn_ |= std::uint64_t{1} << i;
  }
}

void FewBodies::find_near(const Bodies& bodies) {
  const std::span<std::uint64_t> near = std::span(near_).first(few_.size());
  near_balls(balls_, std::span(tested_).first(near.size()), near);
  std::uint64_t wanted = 0;
  for (std::size_t a = 0; a < near.size(); ++a)
    if (near[a] != 0) wanted |= near[a] | std::uint64_t{1} << a;
  std::array<BoxToTurn, most> boxes;
  std::size_t count = 0;
  for (std::uint64_t left = wanted & to_turn_; left != 0; left &= left - 1) {
    const auto i = static_cast<std::size_t>(std::countr_zero(left));
    if (boxes_[i].of) boxes[count++] = {&boxes_[i], &bodies.members()[few_[i]]->pose};
  }
  to_turn_ &= ~wanted;
  turn({boxes.data(), count});
  leave_out_apart(boxes_, near);
}

}  // namespace tumble
