// SPDX-License-Identifier: Apache-2.0
// From a subject to pairs of bodies.
#include "world/world_state.h"

#include "query/check_requests.h"
#include "tree/model_data.h"
#include "world/box_math.h"

#include <tumble/error.h>

#include <algorithm>
#include <string>

namespace tumble {
namespace {

/// Measured: up to here it takes less time to look at every pair than to find neighbours.
constexpr std::size_t most_of_few = 48;
static_assert(most_of_few <= FewBodies::most);

/// The nearest of all pairs is first looked for as far as the smallest of so many bodies is large, and at least this
/// part of the middle one.
constexpr std::size_t smaller_ones = 32;
constexpr double least_of_middle = 1.0 / 1024;
/// The body nearest to one is looked for as far as so many times its size, then among all.
constexpr double most_times_own = 500;

/// Boxes are not asked about distances beyond this, which is nearly everywhere.
constexpr double beyond_everything = 1e100;

Box grown(Box box, double by) {
  box.lower -= {by, by, by};
  box.upper += {by, by, by};
  return box;
}

std::unique_ptr<Neighbours> made(NeighbourFinding how) {
  return how == NeighbourFinding::box_tree ? make_box_tree() : make_sweep_and_prune();
}

const WorldOptions& checked(const WorldOptions& options) {
  check(options.pair);
  if (options.threads < 0)
    throw Error(ErrorCode::invalid_argument,
                "threads is " + std::to_string(options.threads) + "; it must be 0 (all cores) or more");
  return options;
}

}  // namespace

World::State::State(const WorldOptions& how) : options(checked(how)), bodies(how.boxes), asking(how.threads) {}

World::State::State(const State& other)
    : options(other.options),
      bodies(other.bodies),
      step(other.step),
      standing(other.standing),
      asking(other.options.threads) {
  bodies.make_lists_long_enough();
}

template <class Work>
void World::State::with_neighbours(const Work& work) {
  if (!neighbours_) {
    bodies.note_all_changed();
    placed_.clear();
    neighbours_ = made(options.neighbours);
  }
  try {
    work();
  } catch (...) {
    neighbours_.reset();
    throw;
  }
}

void World::State::place_changes() {
  // Between the two numbers it stays as it is, lest it change to and fro.
  const bool has_few = bodies.member_count() <= (has_few_ ? most_of_few : most_of_few / 2);
  if (has_few != has_few_) {
    neighbours_.reset();
    is_current_ = false;
    has_few_ = has_few;
  }
  if (has_few_) {
    if (is_current_) few_.move(bodies, bodies.changed());
    bodies.take_changes();
  } else {
    with_neighbours([&] { place_each_change(); });
  }
}

void World::State::place_each_change() {
  const auto members = bodies.members();
  placed_.resize(members.size());
  for (const Slot slot : bodies.changed()) {
    Placed& placed = placed_[slot];
    const bool is_there = members[slot].has_value();
    Placed now;
    if (is_there) {
      const Group& group = bodies.group_of(*members[slot]);
      now.as = group.options.moves ? Placed::As::moving : Placed::As::standing;
      if (!group.is_one_body) now.group = members[slot]->group;
    }
    if (now == placed && is_there) neighbours_->move(slot, bodies.update_box(slot));
    if (now == placed) continue;
    if (placed.as != Placed::As::nothing) neighbours_->remove(slot);
    placed = {};
    if (is_there) neighbours_->add(slot, bodies.update_box(slot), now.as == Placed::As::moving, now.group);
    placed = now;
  }
  bodies.take_changes();
}

void World::State::refresh() {
  place_changes();
  if (++questions_ % 32 == 0) limit_memory();  // a question alone adds little
  if (is_current_) return;
  std::span<const SlotPair> found;
  if (has_few_) {
    found_.clear();
    for (Slot b = 0; b < bodies.members().size(); ++b)
      for (Slot a = 0; a < b && bodies.members()[b]; ++a)
        if (bodies.members()[a]) found_.push_back({a, b});
    found = found_;
  } else {
    with_neighbours([&] { found = neighbours_->find(); });
  }
  live_.update(found, bodies);
  if (has_few_) few_.take(bodies, live_.all());
  limit_memory();
  is_current_ = true;
}

bool World::State::do_overlap(Slot a, Slot b) { return overlap(bodies.update_box(a), bodies.update_box(b)); }

void World::State::collect_neighbours(bool for_solids, bool near_only) {
  refresh();
  const auto members = bodies.members();
  pairs.clear();
  const auto take = [&](LivePair& live) { pairs.push_back({&*members[live.a], &*members[live.b], &live}); };
  const std::span<LivePair> all = live_.all();
  if (!near_only || for_solids) {  // whether a mesh must be closed is a matter of boxes alone
    for (LivePair& live : all)
      if (!has_few_ || do_overlap(live.a, live.b)) take(live);
  } else if (!has_few_) {
    for (LivePair& live : all)
      if (!are_apart(bodies.turned(live.a), bodies.turned(live.b))) take(live);
  } else {
    few_.each_near(bodies, [&](std::size_t pair) { take(all[pair]); });
  }
  if (for_solids) check_closed();
}

void World::State::collect(const Subject& subject, double distance, bool for_solids) {
  if (!subject.body() && !subject.visitor()) {
    if (distance == 0) return collect_neighbours(for_solids, true);
    collect_all(distance);
  } else {
    place_changes();
    if (has_few_) update_boxes();
    pairs.clear();
    if (subject.visitor()) {
      visitor_ = subject.visitor();
      visiting_ = visiting(*visitor_);
      collect_of(*visiting_, distance);
    } else if (bodies.is_group(*subject.body())) {
      for (const Slot slot : bodies.group_of(*subject.body()).members) collect_of(*bodies.members()[slot], distance);
    } else {
      collect_of(bodies.member(*subject.body()), distance);
    }
    std::ranges::sort(pairs, {}, &PairToAsk::ids);
  }
  work_ += pairs.size();
  if (for_solids) check_closed();
}

void World::State::update_boxes() {
  bodies.update_boxes();
  work_ += bodies.members().size();
}

void World::State::collect_all(double distance) {
  refresh();
  update_boxes();
  pairs.clear();
  const auto members = bodies.members();
  if (distance > beyond_everything) {
    for (Slot a = 0; a < members.size(); ++a)
      for (Slot b = 0; b < a && members[a]; ++b)
        if (members[b] && bodies.are_of_interest(*members[a], *members[b])) add(*members[a], *members[b]);
  } else {
    boxes_.clear();
    for (Slot slot = 0; slot < members.size(); ++slot)
      if (members[slot]) boxes_.push_back({members[slot]->box, slot, bodies.group_of(*members[slot]).options.moves});
    work_ += box_pairs(boxes_, distance, found_, [&](const SlotPair& pair) {
      return bodies.are_of_interest(*members[pair.a], *members[pair.b]);
    });
    for (const SlotPair& pair : found_) add(*members[pair.a], *members[pair.b]);
  }
  std::ranges::sort(pairs, {}, &PairToAsk::ids);
}

void World::State::collect_of(const Member& one, double distance) {
  const auto members = bodies.members();
  const auto take = [&](const std::optional<Member>& other) {
    if (other && other->id != one.id && are_of_interest(one, *other)) add(one, *other);
  };
  if (distance > beyond_everything) {
    for (const auto& other : members) take(other);
    return;
  }
  const Box box = grown(one.box, distance);
  if (has_few_) {
    for (const auto& other : members)
      if (other && overlap(box, other->box)) take(other);
    return;
  }
  slots_.clear();
  with_neighbours([&] { neighbours_->find(box, slots_); });
  for (const Slot slot : slots_) take(members[slot]);
}

bool World::State::are_of_interest(const Member& a, const Member& b) const {
  if (a.id != BodyId{}) return bodies.are_of_interest(a, b);
  const BodyOptions& other = bodies.group_of(b).options;
  return (visitor_->is & other.cares_about) != 0 && (other.is & visitor_->cares_about) != 0;
}

void World::State::add(const Member& a, const Member& b) {
  const bool in_order = a.id < b.id;
  const PairToAsk pair{in_order ? &a : &b, in_order ? &b : &a, nullptr};
  pairs.push_back({pair.a, pair.b, is_current_ ? live_.find(pair.ids()) : nullptr});
}

std::optional<PairToAsk> World::State::pair_of(BodyPair ids) {
  if (!bodies.contains(ids.a) || !bodies.contains(ids.b)) return std::nullopt;
  const Member &a = bodies.member(ids.a), &b = bodies.member(ids.b);
  if (!bodies.are_of_interest(a, b)) return std::nullopt;
  return PairToAsk{&a, &b, live_.find(ids)};
}

Member World::State::visiting(const Visitor& visitor) {
  // A model asked about again and again is looked at once.
  const bool is_known = visiting_ && &data_of(visiting_->body.model()) == &data_of(visitor.model.model());
  std::shared_ptr<const BodyShape> shape =
      is_known ? visiting_->shape : std::make_shared<const BodyShape>(shape_of(visitor.model.model()));
  Member member{{}, {}, visitor.model, std::move(shape), visitor.pose, visitor.pose, 0};
  member.box = box_around(*member.shape, visitor.pose, options.boxes, 0);
  return member;
}

double World::State::first_reach(const Subject& subject) {
  const auto size = [](const Box& box) { return length(box.upper - box.lower); };
  if (subject.visitor()) {
    visiting_ = visiting(*subject.visitor());
    return size(visiting_->box);
  }
  const auto members = bodies.members();
  sizes_.clear();
  if (subject.body()) {
    place_changes();
    for (const Slot slot : bodies.group_of(*subject.body()).members) sizes_.push_back(size(bodies.update_box(slot)));
  } else {
    refresh();
    update_boxes();
    for (const auto& member : members)
      if (member) sizes_.push_back(size(member->box));
  }
  if (sizes_.empty()) return 0;
  work_ += sizes_.size();
  // The size of the smaller bodies: with that of the larger ones, all pairs of small bodies would be looked at. Points
  // say nothing.
  const auto at = [&](std::size_t place) {
    std::ranges::nth_element(sizes_, sizes_.begin() + static_cast<std::ptrdiff_t>(place));
    return sizes_[place];
  };
  const double small = at(sizes_.size() / smaller_ones);
  return std::max(small, at(sizes_.size() / 2) * least_of_middle);
}

double World::State::next_reach(const Subject& subject, double reach) {
  constexpr double everywhere = std::numeric_limits<double>::infinity();
  if (subject.body() || subject.visitor()) {
    // To look at each box once takes less time than to look for a few again and again.
    return reach < first_reach(subject) * most_times_own ? reach * 8 : everywhere;
  }
  Box all{{0, 0, 0}, {0, 0, 0}};
  for (const auto& member : bodies.members())
    for (int axis = 0; axis < 3 && member; ++axis) {
      all.lower[axis] = std::min(all.lower[axis], member->box.lower[axis]);
      all.upper[axis] = std::max(all.upper[axis], member->box.upper[axis]);
    }
  work_ += bodies.members().size();
  const double next = 2 * reach;  // in a lattice, eight times the pairs
  return next > reach && next <= length(all.upper - all.lower) ? next : everywhere;
}

/// Of the first pair that is not closed, so that the message does not depend on the number of threads.
void World::State::check_closed() const {
  for (const PairToAsk& pair : pairs) {
    require_closed(*pair.a);
    require_closed(*pair.b);
  }
}

}  // namespace tumble
