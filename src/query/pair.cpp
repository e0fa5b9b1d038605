// SPDX-License-Identifier: Apache-2.0
// Pair: queries about two models, and what is kept between them.
#include "geometry/contact.h"
#include "query/pair_state.h"

#include <tumble/error.h>

#include <algorithm>
#include <optional>

namespace tumble {

Pair::Pair(Model environment, Model object, const PairOptions& options)
    : state_(std::make_unique<State>(std::move(environment), std::move(object), options)) {}
Pair::~Pair() = default;
Pair::Pair(Pair&&) noexcept = default;
Pair& Pair::operator=(Pair&&) noexcept = default;

const Model& Pair::environment() const { return state_->environment; }
const Model& Pair::object() const { return state_->object; }
const PairOptions& Pair::options() const { return state_->options; }

bool Pair::collide(const Pose& environment_pose, const Pose& object_pose, const CollideRequest& request) {
  const PlacedPair bodies = state_->bodies(environment_pose, object_pose);
  state_->begin();
  if (request.solid) state_->prepare_solids();
  AnySink sink(bodies, request.ignore_touch);
  // Where the last query found a contact there is likely one still.
  if (state_->counts && state_->last_contact) ++state_->counters.np;
  bool hit = state_->last_contact &&
             sink.ends_with(*state_->last_contact, bodies.environment.corners(state_->last_contact->environment),
                            bodies.object.corners(state_->last_contact->object));
  if (!hit && request.solid && state_->solids.is_still_inside(bodies)) return state_->count_contacts(1), true;
  if (!hit) hit = state_->run(bodies, true, sink);
  if (state_->options.coherent != Coherent::off) state_->last_contact = sink.found;
  if (!hit && request.solid) {
    state_->solids.last.reset();
    hit = state_->solids.for_each_inside(bodies, sink.ignored_touch, [&](const ShellInside& shell, auto&...) {
      if (state_->options.coherent != Coherent::off) state_->solids.last = shell;
      return true;
    });
  }
  state_->count_contacts(hit);
  return hit;
}

Contacts Pair::contacts(const Pose& environment_pose, const Pose& object_pose, const ContactRequest& request) {
  Contacts all;
  contacts(environment_pose, object_pose, request, all);
  return all;
}

void Pair::contacts(const Pose& environment_pose, const Pose& object_pose, const ContactRequest& request,
                    Contacts& into) {
  const PlacedPair bodies = state_->bodies(environment_pose, object_pose);
  std::vector<FoundContact>& found = state_->found;
  state_->begin();
  found.clear();
  into.clear();
  if (request.solid) state_->prepare_solids();
  if (request.at_most == 0) return;
  AllSink sink(bodies, request.ignore_touch, request.at_most, found);
  if (!state_->run(bodies, false, sink)) sink.finish();
  state_->tell_contacts(bodies, request, into);
  if (request.solid) {
    for (const FoundContact& contact : found) state_->solids.mark(contact.pair);
    state_->solids.add_contacts(bodies, sink.ignored_touch, request.at_most, into);
  }
  state_->count_contacts(into.size());
}

namespace {

/// Hands each contact on as it is found.
class EachSink : public TriangleSink<EachSink> {
 public:
  EachSink(const PlacedPair& bodies, const ContactRequest& request, const std::function<bool(const Contact&)>& each,
           PairSolids& solids)
      : TriangleSink(bodies), request_(request), each_(each), solids_(solids) {}

  bool ends_with(TrianglePair pair, const Corners& environment, const Corners& object) {
    const std::optional<ContactKind> kind = classify(environment, object);
    if (!kind) return false;
    if (request_.ignore_touch && *kind == ContactKind::touch) {
      ignored_touch = true;
      return false;
    }
    Contact contact;
    if (request_.geometry) contact = make_contact(environment, object, *kind);
    contact.triangle_a = pair.environment;
    contact.triangle_b = pair.object;
    contact.kind = *kind;
    if (request_.solid) solids_.mark(pair);
    return ends_with(contact);
  }
  bool ends_with(const Contact& contact) {
    ++count;
    return !each_(contact) || count >= request_.at_most;
  }

  std::size_t count = 0;
  bool ignored_touch = false;  // whether there was any contact that does not count

 private:
  const ContactRequest& request_;
  const std::function<bool(const Contact&)>& each_;
  PairSolids& solids_;
};

}  // namespace

void Pair::contacts(const Pose& environment_pose, const Pose& object_pose, const ContactRequest& request,
                    const std::function<bool(const Contact&)>& each) {
  state_->begin();
  if (request.solid) state_->prepare_solids();
  if (request.at_most == 0) return;
  const PlacedPair bodies = state_->bodies(environment_pose, object_pose);
  EachSink sink(bodies, request, each, state_->solids);
  const bool ended = state_->run(bodies, false, sink);
  if (request.solid && !ended)
    state_->alone([&] {
      return state_->solids.for_each_inside(bodies, sink.ignored_touch,
                                            [&](const ShellInside& shell, const Body& inner, const PlacedTree& outer) {
                                              return sink.ends_with(make_inside_contact(shell, inner, outer));
                                            });
    });
  state_->count_contacts(sink.count);
}

void Pair::count(bool on) {
  state_->counts = on;
  if (on) reset_stats();
}
const Counters& Pair::stats() const { return state_->counters; }
void Pair::reset_stats() { state_->counters = {}; }

void Pair::forget() {
  state_->last_contact.reset();
  state_->solids.last.reset();
  state_->last_closest.reset();
  state_->begin();
  state_->front.drop();
  state_->front_has_pose = false;
  state_->queries_without_front = 0;
}

bool collide(const Model& a, const Pose& pose_a, const Model& b, const Pose& pose_b, const CollideRequest& request) {
  return Pair(a, b).collide(pose_a, pose_b, request);
}

Contacts contacts(const Model& a, const Pose& pose_a, const Model& b, const Pose& pose_b,
                  const ContactRequest& request) {
  return Pair(a, b).contacts(pose_a, pose_b, request);
}

}  // namespace tumble
