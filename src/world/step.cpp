// SPDX-License-Identifier: Apache-2.0
// A step of a world: what collides or is near now, and what did before. It writes into lists that the world keeps.
#include "core/plain_arithmetic.h"
#include "world/group_pairs.h"
#include "world/world_state.h"

#include <utility>

namespace tumble {

const Step& World::step(const StepRequest& request) {
  const PlainArithmetic plain;
  State& at = state();
  at.collect_neighbours(request.solid, false);
  at.answers.assign(at.pairs.size(), {});
  ++at.call;
  const CollideRequest collide{.ignore_touch = request.ignore_touch, .solid = request.solid};
  const ContactRequest contacts{.ignore_touch = request.ignore_touch, .solid = request.solid};
  const bool is_about_overlap = request.ignore_touch && request.solid;  // which contacts do not tell
  at.asking.each(at.pairs, [&](Asker& asker, std::size_t i) {
    const PairToAsk& pair = at.pairs[i];
    StepAnswer& answer = at.answers[i];
    if (request.contacts) {
      answer.contacts = asker.list(pair, at.options, contacts, at.call);
      answer.is_colliding = answer.contacts.count > 0;
    }
    if (!request.contacts || is_about_overlap) answer.is_colliding = asker.collide(pair, at.options, collide);
    const double margin = at.bodies.margin(at.bodies.group_of(*pair.a), at.bodies.group_of(*pair.b));
    answer.is_near = answer.is_colliding ||
                     ((margin > 0 || request.ignore_touch) &&
                      asker.is_near(pair, at.options.pair, {.distance = margin, .at_most = 1, .solid = request.solid}));
  });
  at.limit_memory();

  // What is new takes its place when all of it is there: if memory runs out, no event is lost.
  Step& next = at.next_step;
  next.contacts.clear();
  for (std::size_t i = 0; i < at.pairs.size(); ++i)
    for (const Contact& contact : at.answers[i].contacts.all())
      next.contacts.push_back({at.pairs[i].a->id, at.pairs[i].b->id, contact});
  const auto put = [&](std::vector<BodyPair> Standing::*list, Changes Step::*changes, const auto& holds) {
    list_groups(
        at.bodies, at.pairs, [&](std::size_t i) { return holds(at.answers[i]); }, at.next_standing.*list);
    compare(at.standing.*list, at.next_standing.*list, next.*changes);
  };
  put(&Standing::colliding, &Step::colliding, [](const StepAnswer& answer) { return answer.is_colliding; });
  put(&Standing::near, &Step::near, [](const StepAnswer& answer) { return answer.is_near; });
  put(&Standing::neighbours, &Step::neighbours, [](const StepAnswer&) { return true; });
  std::swap(at.step, at.next_step);
  std::swap(at.standing, at.next_standing);
  return at.step;
}

const Step& World::last_step() const { return state().step; }

}  // namespace tumble
