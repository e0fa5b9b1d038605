// SPDX-License-Identifier: Apache-2.0
// The first contact in a world: boxes around all that a body sweeps over on a leg tell which pairs may meet, and one
// search takes the earliest of them all.
#include "core/plain_arithmetic.h"
#include "math/pose_stretch.h"
#include "math/rotation_of.h"
#include "motion/first_of.h"
#include "world/world_state.h"

#include <tumble/error.h>
#include <tumble/motion.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace tumble {
namespace {

/// Of a member that stands at `in_group` in a group that moves so.
Leg leg_of_member(Leg leg, const Pose& in_group) {
  if (in_group.is_identity()) return leg;
  const Mat3 turn = rotation_of(in_group);
  leg.from = leg.from * in_group;
  leg.to = leg.to * in_group;
  leg.start = leg.start * turn;
  leg.drift = leg.drift * turn;
  leg.drift_size *= largest_pose_stretch;
  leg.center = in_group.inverse() * leg.center;
  return leg;
}

MotionLegs legs_of_member(const MotionLegs& legs, const Pose& in_group) {
  MotionLegs of_member{{}, leg_of_member(legs.end, in_group)};
  for (const Leg& leg : legs.legs) of_member.legs.push_back(leg_of_member(leg, in_group));
  return of_member;
}

/// Holds all that the body sweeps over. On an arc no point is farther from the chord than angle²·radius/8, nor than
/// twice the radius, about the leg's axis.
Box swept_box(const BodyShape& shape, const Leg& leg, BodyBoxes boxes) {
  const double away = length(rotation_of(leg.from) * (shape.center - leg.center)) + largest_pose_stretch * shape.radius;
  const double off = leg.angle == 0 ? 0 : std::min(leg.angle * leg.angle / 8, 2.0) * away;
  // The drift bends the way, too, and both are rounded.
  const double margin = (off + leg.drift_size * away) * 1.001 + 1e-12 * (away + length(leg.velocity));
  Box box = box_around(shape, leg.from, boxes, margin);
  if (leg.stands()) return box;
  const Box end = box_around(shape, leg.to, boxes, margin);
  for (int axis = 0; axis < 3; ++axis) {
    box.lower[axis] = std::min(box.lower[axis], end.lower[axis]);
    box.upper[axis] = std::max(box.upper[axis], end.upper[axis]);
  }
  return box;
}

std::map<BodyId, const Motion*> by_group(const Bodies& bodies, std::span<const BodyMotion> motions) {
  std::map<BodyId, const Motion*> of_group;
  for (const BodyMotion& moving : motions)
    if (!of_group.emplace(bodies.group(moving.id, "motion").id, &moving.motion).second)
      throw Error(ErrorCode::invalid_argument, "body " + std::to_string(moving.id.value) + " has two motions");
  return of_group;
}

}  // namespace

WorldFirstContact first_contact(const World& world, std::span<const BodyMotion> motions,
                                const FirstContactRequest& request) {
  const PlainArithmetic plain;
  const World::State& state = WorldAccess::state(world);
  const Bodies& bodies = state.bodies;
  const auto of_group = by_group(bodies, motions);

  std::vector<const Member*> members;
  for (const auto& member : bodies.members())
    if (member) members.push_back(&*member);
  std::ranges::sort(members, {}, &Member::id);
  std::vector<MotionLegs> legs;
  for (const Member* member : members) {
    const Group& group = bodies.group_of(*member);
    const auto moving = of_group.find(group.id);
    if (moving == of_group.end())
      legs.push_back(MotionAccess::legs(Motion(member->pose)));
    else if (group.is_one_body)
      legs.push_back(MotionAccess::legs(*moving->second));
    else
      legs.push_back(legs_of_member(MotionAccess::legs(*moving->second), member->in_group));
  }
  std::vector<Mover> movers;
  for (std::size_t i = 0; i < members.size(); ++i) movers.push_back({members[i]->body.model(), legs[i]});

  std::vector<BoxEntry> boxes;
  std::vector<SlotPair> found;
  const auto pairs_on = [&](std::size_t leg) {
    boxes.clear();
    for (std::size_t i = 0; i < members.size(); ++i)
      boxes.push_back({swept_box(*members[i]->shape, legs[i].leg(leg), state.options.boxes), static_cast<Slot>(i),
                       bodies.group_of(*members[i]).options.moves});
    box_pairs(boxes, request.tolerance, found,
              [&](const SlotPair& pair) { return bodies.are_of_interest(*members[pair.a], *members[pair.b]); });
    std::vector<MoverPair> pairs;
    pairs.reserve(found.size());
    for (const SlotPair& pair : found)
      pairs.push_back({pair.a, pair.b, are_convex(*members[pair.a], *members[pair.b])});
    std::ranges::sort(pairs, {}, [](const MoverPair& pair) { return std::pair(pair.a, pair.b); });
    if (request.solid && leg == 0)  // only the start asks what is inside
      for (const MoverPair& pair : pairs) require_closed(*members[pair.a]), require_closed(*members[pair.b]);
    return pairs;
  };
  const FirstOf first = first_of(movers, pairs_on, request);
  if (!first.contact.found) return {{}, {}, first.contact};
  return {members[first.pair.a]->id, members[first.pair.b]->id, first.contact};
}

}  // namespace tumble
