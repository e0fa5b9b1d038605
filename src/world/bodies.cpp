// SPDX-License-Identifier: Apache-2.0
// The list of bodies. What a call refuses it refuses before it changes anything.
#include "world/bodies.h"

#include "tree/model_data.h"

#include <tumble/error.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <utility>

namespace tumble {
namespace {

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorCode::invalid_argument, why); }

std::string text(BodyId id) { return std::to_string(id.value); }

void check_margin(double margin, double most) {
  const auto shortest = [](double value) {
    std::array<char, 32> digits;
    return std::string(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr);
  };
  if (!(margin >= 0 && margin <= most))
    refuse("a margin is " + shortest(margin) + "; it must be from 0 to " + shortest(most));
}
constexpr double most_of_pair = max_coordinate, most_of_one = max_coordinate / 2;  // two make that of a pair

/// For one more; what follows then cannot fail.
template <class T>
void make_room(std::vector<T>& list) {
  if (list.size() == list.capacity()) list.reserve(2 * list.size() + 4);
}

bool holds(const std::vector<BodyId>& sorted, BodyId id) {
  return !sorted.empty() && std::ranges::binary_search(sorted, id);
}

}  // namespace

void Group::update_growth() {
  growth = options.margin;
  for (const PairMargin& pair : pair_margins) growth = std::max(growth, pair.margin / 2);
}

void Bodies::refuse_id(BodyId id) const {
  if (id.value == 0 || std::size_t{id.value} >= first_id_ + ids_.size())
    refuse("no body or group of this world has the id " + text(id));
  refuse("the body or group with the id " + text(id) + " was removed from this world");
}

void Bodies::forget_id(BodyId id) {
  ids_[id.value - first_id_] = {};
  while (oldest_ < ids_.size() && ids_[oldest_].kind == Kind::none) ++oldest_;
  if (2 * oldest_ <= ids_.size()) return;
  ids_.erase(ids_.begin(), ids_.begin() + static_cast<std::ptrdiff_t>(oldest_));
  first_id_ += static_cast<std::uint32_t>(oldest_);
  oldest_ = 0;
}

bool Bodies::contains(BodyId id) const {
  const std::size_t index = std::size_t{id.value} - first_id_;
  return id.value >= first_id_ && index < ids_.size() && ids_[index].kind != Kind::none;
}

bool Bodies::is_group(BodyId id) const {
  const Named& at = named(id);
  return at.kind == Kind::group && !groups_[at.index]->is_one_body;
}

const Group& Bodies::group(BodyId id, const char* what) const {
  const Named& at = named(id);
  if (at.kind == Kind::member)
    refuse("body " + text(id) + " is a member of group " + text(group_of(id).id) + " and has no " + what +
           " of its own; name the group");
  return *groups_[at.index];
}
Group& Bodies::group_at(BodyId id, const char* what) { return const_cast<Group&>(group(id, what)); }

const Group& Bodies::group_of(BodyId id) const {
  const Named& at = named(id);
  return *groups_[at.kind == Kind::group ? at.index : members_[at.index]->group];
}

const Member& Bodies::member(BodyId id) const {
  const Named& at = named(id);
  if (at.kind == Kind::member) return *members_[at.index];
  const Group& group = *groups_[at.index];
  if (!group.is_one_body) refuse(text(id) + " is a group and has no model of its own; name a member");
  return *members_[group.members[0]];
}

const std::string& Bodies::name(BodyId id) const {
  const Named& at = named(id);
  return at.kind == Kind::member ? members_[at.index]->name : groups_[at.index]->options.name;
}

const Pose& Bodies::pose(BodyId id) const {
  const Named& at = named(id);
  if (at.kind == Kind::member) return members_[at.index]->pose;
  const Group& group = *groups_[at.index];
  return group.is_one_body ? members_[group.members[0]]->pose : group.pose;
}

BodyId Bodies::next_id() const {
  const std::size_t next = first_id_ + ids_.size();
  if (next > std::numeric_limits<std::uint32_t>::max()) refuse("this world has given out all of its ids");
  return {static_cast<std::uint32_t>(next)};
}

std::uint32_t Bodies::place_group(const Pose& pose, const BodyOptions& options, bool is_one_body, BodyId id) {
  check_margin(options.margin, most_of_one);
  const bool reuses = !free_groups_.empty();
  const auto index = reuses ? free_groups_.back() : static_cast<std::uint32_t>(groups_.size());
  if (!reuses) {
    groups_.emplace_back();
    free_groups_.reserve(groups_.capacity());
  }
  groups_[index].emplace(Group{id, options, pose, is_one_body, {}, {}, {}}).update_growth();
  if (reuses) free_groups_.pop_back();
  return index;
}

void Bodies::place_member(std::uint32_t group, const BodyModel& body, const Pose& pose, std::string name, BodyId id) {
  Group& of = *groups_[group];
  Member made{id, std::move(name), body, shape(body.model()), pose, of.is_one_body ? pose : of.pose * pose, group};
  make_room(of.members);
  const bool reuses = !free_members_.empty();
  const Slot slot = reuses ? free_members_.back() : static_cast<Slot>(members_.size());
  if (!reuses) {
    make_room(members_);
    free_members_.reserve(members_.capacity());
    changed_.reserve(members_.capacity());
    known_.resize(members_.capacity());
    turned_.resize(members_.capacity());
    members_.emplace_back();
  }
  members_[slot].emplace(std::move(made));
  if (reuses) free_members_.pop_back();
  of.members.push_back(slot);
  ++member_count_;
  place(*members_[slot], slot, members_[slot]->pose);
}

BodyId Bodies::add(const BodyModel& body, const Pose& pose, const BodyOptions& options) {
  const BodyId id = next_id();
  make_room(ids_);
  const std::uint32_t group = place_group(pose, options, true, id);
  try {
    place_member(group, body, pose, options.name, id);
  } catch (...) {
    groups_[group].reset();
    free_groups_.push_back(group);
    throw;
  }
  ids_.push_back({Kind::group, group, groups_[group]->members[0]});
  return id;
}

BodyId Bodies::add_group(const Pose& pose, const BodyOptions& options) {
  const BodyId id = next_id();
  make_room(ids_);
  ids_.push_back({Kind::group, place_group(pose, options, false, id)});
  ++true_groups_;
  return id;
}

BodyId Bodies::add_member(BodyId group, const BodyModel& body, const Pose& pose, std::string name) {
  if (!is_group(group)) refuse(text(group) + " is no group; make one with add_group()");
  const BodyId id = next_id();
  make_room(ids_);
  const std::uint32_t index = named(group).index;
  place_member(index, body, pose, std::move(name), id);
  ids_.push_back({Kind::member, groups_[index]->members.back()});
  return id;
}

std::shared_ptr<const BodyShape> Bodies::shape(const Model& model) {
  std::weak_ptr<const BodyShape>& known = shapes_[&data_of(model)];
  std::shared_ptr<const BodyShape> shape = known.lock();
  if (!shape) {
    shape = std::make_shared<const BodyShape>(shape_of(model));
    known = shape;
  }
  return shape;
}

void Bodies::move(BodyId id, const Pose& pose) { move(std::span(&id, 1), std::span(&pose, 1)); }

void Bodies::move(std::span<const BodyId> ids, std::span<const Pose> poses) {
  if (ids.size() != poses.size())
    refuse("there are " + std::to_string(ids.size()) + " bodies to move and " + std::to_string(poses.size()) +
           " poses; there must be as many");
  moving_.clear();
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (named(ids[i]).only != many) continue;
    for (const Slot slot : group(ids[i], "pose").members) moving_.push_back(poses[i] * members_[slot]->in_group);
  }
  const auto put = [&](Slot slot, const Pose& pose) {
    if (Member& member = *members_[slot]; member.pose != pose) place(member, slot, pose);
  };
  std::size_t next = 0;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const Named& at = ids_[ids[i].value - first_id_];
    if (at.only != many) {
      put(at.only, poses[i]);
      continue;
    }
    groups_[at.index]->pose = poses[i];
    for (const Slot slot : groups_[at.index]->members) put(slot, moving_[next++]);
  }
}

void Bodies::remove(BodyId id) {
  const Named at = named(id);
  if (at.kind == Kind::member) {
    Group& group = *groups_[members_[at.index]->group];
    std::erase(group.members, at.index);
    remove_member(at.index);
    return;
  }
  Group& group = *groups_[at.index];
  true_groups_ -= group.is_one_body ? 0 : 1;
  for (const Slot slot : group.members) remove_member(slot);
  forget_ignored(id, group.ignored);
  for (const Group::PairMargin& pair : group.pair_margins) {
    Group& other = group_at(pair.other, "margin");
    std::erase_if(other.pair_margins, [&](const Group::PairMargin& its) { return its.other == id; });
    other.update_growth();
    place(other);
  }
  groups_[at.index].reset();
  free_groups_.push_back(at.index);
  forget_id(id);
}

void Bodies::remove_member(Slot slot) {
  const Member& member = *members_[slot];
  forget_ignored(member.id, member.ignored);
  if (!groups_[member.group]->is_one_body) forget_id(member.id);  // else with its group
  const ModelData* const model = &data_of(member.body.model());
  members_[slot].reset();
  if (shapes_[model].expired()) shapes_.erase(model);
  free_members_.push_back(slot);
  --member_count_;
  note_change(slot);
}

std::vector<BodyId>& Bodies::ignored_by(BodyId id) {
  const Named& at = named(id);
  return at.kind == Kind::member ? members_[at.index]->ignored : groups_[at.index]->ignored;
}

void Bodies::forget_ignored(BodyId id, const std::vector<BodyId>& others) {
  for (const BodyId other : others)
    if (contains(other)) std::erase(ignored_by(other), id);
}

void Bodies::ignore(BodyId a, BodyId b, bool is_ignored) {
  std::vector<BodyId>&by_a = ignored_by(a), &by_b = ignored_by(b);
  if (a == b) refuse("body " + text(a) + " cannot be ignored by itself");
  if (holds(by_a, b) == is_ignored) return;
  if (!is_ignored) {
    std::erase(by_a, b);
    std::erase(by_b, a);
    return;
  }
  make_room(by_a);
  make_room(by_b);
  by_a.insert(std::ranges::lower_bound(by_a, b), b);
  by_b.insert(std::ranges::lower_bound(by_b, a), a);
}

void Bodies::set_categories(BodyId id, std::uint32_t is, std::uint32_t cares_about) {
  BodyOptions& options = group_at(id, "categories").options;
  options.is = is;
  options.cares_about = cares_about;
}

void Bodies::set_moves(BodyId id, bool moves) {
  Group& group = group_at(id, "motion");
  group.options.moves = moves;
  for (const Slot slot : group.members) note_change(slot);
}

void Bodies::set_margin(BodyId id, double margin) {
  check_margin(margin, most_of_one);
  Group& group = group_at(id, "margin");
  group.options.margin = margin;
  group.update_growth();
  place(group);
}

void Bodies::set_margin(BodyId a, BodyId b, double margin) {
  check_margin(margin, most_of_pair);
  Group &of_a = group_at(a, "margin"), &of_b = group_at(b, "margin");
  if (a == b) refuse("body " + text(a) + " has no margin to itself");
  make_room(of_a.pair_margins);
  make_room(of_b.pair_margins);
  const auto put = [&](Group& group, BodyId other) {
    const auto its = std::ranges::lower_bound(group.pair_margins, other, {}, &Group::PairMargin::other);
    if (its == group.pair_margins.end() || its->other != other)
      group.pair_margins.insert(its, {other, margin});
    else
      its->margin = margin;
    group.update_growth();
    place(group);
  };
  put(of_a, b);
  put(of_b, a);
}

double Bodies::margin(const Group& a, const Group& b) const {
  const auto its = std::ranges::lower_bound(a.pair_margins, b.id, {}, &Group::PairMargin::other);
  if (its != a.pair_margins.end() && its->other == b.id) return its->margin;
  return a.options.margin + b.options.margin;
}

bool Bodies::are_of_interest(const Member& a, const Member& b) const {
  if (a.group == b.group) return false;
  const Group &of_a = group_of(a), &of_b = group_of(b);
  if (!of_a.options.moves && !of_b.options.moves) return false;
  if ((of_a.options.is & of_b.options.cares_about) == 0 || (of_b.options.is & of_a.options.cares_about) == 0)
    return false;
  return !holds(of_a.ignored, of_b.id) && !holds(of_a.ignored, b.id) && !holds(a.ignored, of_b.id) &&
         !holds(a.ignored, b.id);
}

void Bodies::place(Member& member, Slot slot, const Pose& pose) {
  member.pose = pose;
  note_change(slot);
}

const Box& Bodies::update_box(Slot slot) {
  Member& member = *members_[slot];
  if ((known_[slot] & has_box) == 0) {
    member.box = box_around(*member.shape, member.pose, boxes_, groups_[member.group]->growth);
    known_[slot] |= has_box;
  }
  return member.box;
}

void Bodies::turn(Slot slot) {
  const Member& member = *members_[slot];
  turned_[slot].place(member.shape->whole ? &*member.shape->whole : nullptr, member.pose);
  known_[slot] |= has_turned;
}

void Bodies::update_boxes() {
  for (Slot slot = 0; slot < members_.size(); ++slot)
    if (members_[slot]) update_box(slot);
}

void Bodies::place(const Group& group) {
  for (const Slot slot : group.members) place(*members_[slot], slot, members_[slot]->pose);
}

void Bodies::make_lists_long_enough() {
  free_groups_.reserve(groups_.size());
  free_members_.reserve(members_.size());
  changed_.reserve(members_.size());
}

void Bodies::take_changes() {
  for (const Slot slot : changed_) known_[slot] &= static_cast<std::uint8_t>(~is_changed);
  changed_.clear();
}

void Bodies::note_all_changed() {
  take_changes();
  for (Slot slot = 0; slot < members_.size(); ++slot) note_change(slot);
}

void require_closed(const Member& member) {
  const std::string& fault = data_of(member.body.model()).solid_facts().fault;
  if (fault.empty()) return;
  const std::string name = member.name.empty() ? "" : " \"" + member.name + "\"";
  const std::string who = member.id == BodyId{} ? "the visitor" : "body " + std::to_string(member.id.value) + name;
  throw Error(ErrorCode::not_closed, who + ": " + fault);
}

}  // namespace tumble
