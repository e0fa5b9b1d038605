// SPDX-License-Identifier: Apache-2.0
// World: the doors to its bodies and to who is tested against whom.
#include "core/plain_arithmetic.h"
#include "world/world_state.h"

#include <tumble/error.h>
#include <tumble/world.h>

#include <algorithm>
#include <utility>

namespace tumble {

World::World(const WorldOptions& options) : state_(std::make_unique<State>(options)) {}
World::~World() = default;
World::World(const World& other) : state_(std::make_unique<State>(other.state())) {}
World& World::operator=(const World& other) {
  if (this != &other) state_ = std::make_unique<State>(other.state());
  return *this;
}
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;

World::State& World::state() const {
  if (!state_) throw Error(ErrorCode::invalid_argument, "this World was moved from; use the one it went to");
  if (state_->is_working)
    throw Error(ErrorCode::invalid_argument,
                "a function called with what a world found asked the same world; ask a copy of it");
  return *state_;
}

/// For a change of bodies or interest.
World::State& World::changing() {
  State& at = state();
  at.note_change();
  return at;
}

BodyId World::add(const BodyModel& model, const Pose& pose, const BodyOptions& options) {
  const PlainArithmetic plain;
  return changing().bodies.add(model, pose, options);
}
BodyId World::add_group(const Pose& pose, const BodyOptions& options) {
  return changing().bodies.add_group(pose, options);
}
BodyId World::add_member(BodyId group, const BodyModel& model, const Pose& pose, std::string name) {
  const PlainArithmetic plain;
  return changing().bodies.add_member(group, model, pose, std::move(name));
}
void World::remove(BodyId id) { changing().bodies.remove(id); }
void World::move(BodyId id, const Pose& pose) { move(std::span(&id, 1), std::span(&pose, 1)); }
void World::move(std::span<const BodyId> ids, std::span<const Pose> poses) {
  const PlainArithmetic plain;
  State& at = state();
  at.note_move();
  at.bodies.move(ids, poses);
}

bool World::contains(BodyId id) const { return state().bodies.contains(id); }
std::vector<BodyId> World::bodies() const {
  std::vector<BodyId> all;
  for (const auto& member : state().bodies.members())
    if (member) all.push_back(member->id);
  std::ranges::sort(all);
  return all;
}
std::vector<BodyId> World::members(BodyId group) const {
  std::vector<BodyId> all;
  for (const Slot slot : state().bodies.group(group, "members").members)
    all.push_back(state_->bodies.members()[slot]->id);
  return all;
}
BodyId World::group_of(BodyId id) const { return state().bodies.group_of(id).id; }
std::vector<BodyId> World::find(std::string_view name) const {
  std::vector<BodyId> all;
  state().bodies.each_group([&](const Group& group) {
    if (group.options.name == name) all.push_back(group.id);
  });
  for (const auto& member : state_->bodies.members())
    if (member && member->name == name) all.push_back(member->id);
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());  // a body on its own is both
  return all;
}
const std::string& World::name(BodyId id) const { return state().bodies.name(id); }
const Model& World::model(BodyId id) const { return state().bodies.member(id).body.model(); }
const std::optional<ConvexModel>& World::convex(BodyId id) const { return state().bodies.member(id).body.convex(); }
const Pose& World::pose(BodyId id) const { return state().bodies.pose(id); }
BodyOptions World::options(BodyId id) const {
  BodyOptions options = state().bodies.group_of(id).options;
  options.name = name(id);
  return options;
}

void World::ignore(BodyId a, BodyId b) { changing().bodies.ignore(a, b, true); }
void World::unignore(BodyId a, BodyId b) { changing().bodies.ignore(a, b, false); }
void World::set_categories(BodyId id, std::uint32_t is, std::uint32_t cares_about) {
  changing().bodies.set_categories(id, is, cares_about);
}
void World::set_moves(BodyId id, bool moves) { changing().bodies.set_moves(id, moves); }
void World::set_margin(BodyId id, double margin) { changing().bodies.set_margin(id, margin); }
void World::set_margin(BodyId a, BodyId b, double margin) { changing().bodies.set_margin(a, b, margin); }

HullCounters World::hull_counters() const { return state().asking.hull_counters(); }

}  // namespace tumble
