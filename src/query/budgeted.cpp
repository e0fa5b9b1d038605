// SPDX-License-Identifier: Apache-2.0
// Pair's questions with a budget: what is certain when it is used up, and going on from there.
#include "query/check_requests.h"
#include "query/pair_state.h"

#include <tumble/error.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace tumble {
namespace {

/// Shells looked at whatever the budget, so that every call gets on.
constexpr int shells_in_any_case = 1;

[[noreturn]] void refuse_to_resume(const char* kind) {
  throw Error(ErrorCode::invalid_argument,
              std::string("there is no unfinished query for ") + kind +
                  " to go on with; start one with a budget, and ask this pair nothing else in between");
}

/// Merges what is new, in any order, into what is sorted, without further memory.
template <class Values, class Key>
void merge_into(Values& sorted, Values& news, const Key& key) {
  std::ranges::sort(news, {}, key);
  std::size_t i = sorted.size(), j = news.size();
  sorted.resize(i + j);
  for (std::size_t to = i + j; j > 0;)
    sorted[--to] = i > 0 && key(news[j - 1]) < key(sorted[i - 1]) ? sorted[--i] : news[--j];
  news.clear();
}

constexpr auto by_triangles = [](const auto& pair) { return std::pair(pair.triangle_a, pair.triangle_b); };

}  // namespace

Certainty Pair::State::hurry(MeasuringSink& sink, const Budget& budget, bool starts) {
  if (starts) {
    near_progress.waiting.clear();
    near_progress.postponed.clear();
    near_progress.least_passed = 0;  // until the walk knows better
    near_progress.node_pairs = 0;
    near_end = shells_end = NearEnd::out_of_budget;
    shells_seen = {};
    inside_found.clear();
    told_inside = counted = 0;
  } else if (certain.finished) {
    return certain;
  }
  const Deadline allowed(budget, near_progress.node_pairs);
  const auto begin_with = [&](TrianglePair pair) {
    if (counts) ++counters.np;
    if (sink.begin_with(pair)) near_end = NearEnd::ended_by_sink;
  };
  if (starts && last_closest) begin_with(*last_closest);
  if (near_end == NearEnd::out_of_budget) near_end = alone([&] { return run_near(sink, allowed, starts, true); });
  NearEnd end = alone([&] { return sink.finish(near_end, allowed); });
  // One pair is measured in any case, so that there is an upper bound of the distance.
  if (std::isinf(sink.closest.measured.distance_sq)) begin_with(question->bodies.pair(0, 0, 1));
  if (end == NearEnd::ended_by_sink || near_end == NearEnd::ended_by_sink) end = near_end = NearEnd::ended_by_sink;
  certain = certainty(sink, end);
  if (request.solid) alone([&] { return look_inside(sink, allowed), true; });
  if (certain.finished && options.coherent != Coherent::off) last_closest = sink.closest.pair;
  return certain;
}

Certainty Pair::State::certainty(const MeasuringSink& sink, NearEnd end) const {
  const WorldGaps& ruler = question->ruler;
  const MeasuredPair& closest = sink.closest;
  const double nearest = std::sqrt(closest.measured.distance_sq);
  Certainty now;
  now.finished = end != NearEnd::out_of_budget;
  now.node_pairs = near_progress.node_pairs;
  if (bounds_serve(question->pose)) {
    float least = near_progress.least_passed;
    for (const auto* list : {&near_progress.waiting, &near_progress.postponed})
      for (const GapPair& pair : *list) {
        least = pair.gap >= least ? least : std::isnan(pair.gap) ? 0 : pair.gap;
        if (end == NearEnd::out_of_budget) now.separation = std::max(now.separation, separation(pair.gap));
      }
    now.lower = std::min({nearest, ruler.at_least(least), sink.least_postponed()});
  } else {
    now.lower = end == NearEnd::all_seen ? nearest : 0;
    if (end == NearEnd::out_of_budget) now.separation = separation(std::numeric_limits<float>::quiet_NaN());
  }
  now.lower = std::min(now.lower, sink.lower());
  if (end == NearEnd::all_seen && std::isfinite(sink.lower())) now.lower = sink.lower();
  now.verdict = sink.verdict(end == NearEnd::all_seen);
  if (now.verdict == Verdict::unknown && now.lower > 0) now.verdict = Verdict::free;
  now.closest = {nearest,
                 now.lower,
                 false,
                 closest.pair.environment,
                 closest.pair.object,
                 closest.measured.on_a,
                 closest.measured.on_b};
  return now;
}

void Pair::State::look_inside(const MeasuringSink& sink, const Deadline& allowed) {
  const std::size_t wanted = std::max<std::size_t>(request.at_most, 1);
  if (near_end == NearEnd::ended_by_sink) return;  // enough was found, or the caller's function said so
  if (!certain.finished && certain.verdict != Verdict::free) return;
  if (certain.verdict == Verdict::colliding && (found.empty() || found.size() >= wanted)) return;
  if (shells_end == NearEnd::out_of_budget) {
    if (!shells_seen.of_environment && shells_seen.next == 0)
      for (const FoundContact& contact : found) solids.mark(contact.pair);
    // Shells with touches that do not count may be on both sides.
    const bool thoroughly = request.ignore_touch && sink.closest.measured.distance_sq == 0;
    int in_any_case = shells_in_any_case;
    shells_end = solids.for_each_inside(
        question->bodies, thoroughly, shells_seen,
        [&] {
          if (in_any_case-- <= 0 && allowed.is_used_up(near_progress.node_pairs)) return true;
          ++near_progress.node_pairs;
          return false;
        },
        [&](const ShellInside& shell, const Body& inner, const PlacedTree& outer) {
          inside_found.push_back(make_inside_contact(shell, inner, outer));
          return found.size() + inside_found.size() >= wanted;
        });
  }
  certain.node_pairs = near_progress.node_pairs;
  if (!inside_found.empty() && certain.verdict != Verdict::colliding) {
    const Contact& contact = inside_found.front();
    certain.verdict = Verdict::colliding;
    certain.lower = 0;
    certain.closest = {0, 0, false, contact.triangle_a, contact.triangle_b, contact.point, contact.point, true};
  }
  if (shells_end == NearEnd::ended_by_sink) {
    certain.finished = true;
    certain.separation = 0;
  } else if (shells_end == NearEnd::out_of_budget) {
    if (certain.verdict == Verdict::free) certain.verdict = Verdict::unknown;
    certain.lower = certain.closest.lower = 0;
    certain.separation = separation(std::numeric_limits<float>::quiet_NaN());
    certain.finished = false;
  }
}

/// Of a pair of volumes; where its gap is unknown, what separates any two points of the bodies.
double Pair::State::separation(float gap) const {
  if (!std::isnan(gap)) return question->ruler.separation(gap);
  const auto diameter = [](const ModelData& model) { return std::ldexp(3.5, model.tree.frame.exponent); };
  return (diameter(target()) + diameter(source())) * 1.001;
}

Certainty Pair::State::hurry_collide(AnyContactSink& sink, const Budget& budget, bool starts) {
  const Certainty now = hurry(sink, budget, starts);
  count_so_far(now.verdict == Verdict::colliding);
  return now;
}

Certainty Pair::State::hurry_contacts(AllContactsSink& sink, const Budget& budget, bool starts, Contacts& so_far) {
  if (starts) contacts_told.clear();
  const std::size_t found_before = starts ? 0 : found.size();
  const Certainty now = hurry(sink, budget, starts);
  // Only what is new is worked out, however often the question is gone on with.
  contacts_new.clear();
  const std::size_t room = request.at_most - contacts_told.size();
  contacts_new.resize(std::min(found.size() - found_before, room));
  for (std::size_t i = 0; i < contacts_new.size(); ++i)
    fill_in(contacts_new[i], found[found_before + i], question->bodies, request.geometry);
  for (; told_inside < inside_found.size() && contacts_new.size() < room; ++told_inside)
    contacts_new.push_back(inside_found[told_inside]);
  merge_into(contacts_told, contacts_new, by_triangles);
  so_far = contacts_told;
  count_so_far(so_far.size());
  return now;
}

Certainty Pair::State::hurry_contacts(EachContactSink& sink, const Budget& budget, bool starts,
                                      const std::function<bool(const Contact&)>& each) {
  std::size_t told = counted;
  const auto goes_on = [&](const Contact& contact) { return told < request.at_most && (++told, each(contact)); };
  const std::function<bool(const FoundContact&)> on_found = [&](const FoundContact& contact) {
    Contact whole;
    fill_in(whole, contact, question->bodies, request.geometry);
    return goes_on(whole);
  };
  sink.each = &on_found;
  hurry(sink, budget, starts);
  alone([&] {
    while (told_inside < inside_found.size())
      if (!goes_on(inside_found[told_inside++])) return certain.finished = true;
    return false;
  });
  count_so_far(told);
  return certain;
}

/// As distance() without a budget tells it.
Certainty Pair::State::hurry_distance(DistanceSink& sink, const Budget& budget, bool starts) {
  Certainty now = hurry(sink, budget, starts);
  if (now.finished && now.verdict != Verdict::colliding && sink.is_farther())
    now.closest = {.lower = now.lower, .farther = true};
  if (now.finished) count_so_far(now.verdict == Verdict::colliding);
  return now;
}

Certainty Pair::State::hurry_within(WithinSink& sink, const Budget& budget, bool starts, NearPairs& so_far) {
  if (starts) near_told.clear();
  Certainty now = hurry(sink, budget, starts);
  merge_into(near_told, near_found, by_triangles);
  so_far = near_told;
  count_so_far(so_far.size());
  now.near = !so_far.empty();
  return now;
}

Certainty Pair::State::hurry_is_within(IsWithinSink& sink, const Budget& budget, bool starts) {
  Certainty now = hurry(sink, budget, starts);
  now.near = sink.is_near();
  count_so_far(now.near);
  return now;
}

Certainty Pair::State::hurry_closest(ClosestPairsSink& sink, const Budget& budget, bool starts, NearPairs& so_far) {
  const Certainty now = hurry(sink, budget, starts);
  so_far.clear();
  for (const NearPair& pair : near_found)
    if (!sink.is_farther() && sink.is_close(pair)) so_far.push_back(pair);
  sort(so_far);
  if (now.finished) count_so_far(so_far.size());
  return now;
}

Certainty Pair::State::hurry_closing(ClosingPairsSink& sink, const Budget& budget, bool starts,
                                     const std::function<bool(const NearPair&)>& each) {
  sink.each = &each;
  const Certainty now = hurry(sink, budget, starts);
  count_so_far(sink.count);
  return now;
}

Certainty Pair::State::hurry_penetration(AnyContactSink& sink, const Budget& budget, bool starts, Penetration& so_far) {
  const Deadline allowed(budget, starts ? 0 : near_progress.node_pairs);
  Certainty now = hurry(sink, budget, starts);
  so_far = {};
  so_far.in_contact = now.verdict == Verdict::colliding;
  if (now.verdict == Verdict::free) return now.finished = true, now;
  if (so_far.in_contact) now.finished = alone([&] { return penetrating->run(allowed, near_progress.node_pairs); });
  now.node_pairs = near_progress.node_pairs;
  so_far.a_in_b = penetrating->a_in_b();
  so_far.b_in_a = penetrating->b_in_a();
  return now;
}

Certainty Pair::collide(const Pose& environment_pose, const Pose& object_pose, const CollideRequest& request,
                        const Budget& budget) {
  const NearQuestion& question = state_->ask(
      environment_pose, object_pose, {.ignore_touch = request.ignore_touch, .at_most = 1, .solid = request.solid});
  auto& sink = state_->unfinished.emplace<AnyContactSink>(question, request.ignore_touch, 1u, state_->found);
  return state_->hurry_collide(sink, budget, true);
}

Certainty Pair::contacts(const Pose& environment_pose, const Pose& object_pose, const ContactRequest& request,
                         const Budget& budget, Contacts& so_far) {
  const NearQuestion& question = state_->ask(environment_pose, object_pose, request);
  auto& sink = state_->unfinished.emplace<AllContactsSink>(question, request.ignore_touch,
                                                           std::max<std::size_t>(request.at_most, 1), state_->found);
  return state_->hurry_contacts(sink, budget, true, so_far);
}

Certainty Pair::contacts(const Pose& environment_pose, const Pose& object_pose, const ContactRequest& request,
                         const Budget& budget, const std::function<bool(const Contact&)>& each) {
  const NearQuestion& question = state_->ask(environment_pose, object_pose, request);
  auto& sink = state_->unfinished.emplace<EachContactSink>(question, request.ignore_touch,
                                                           std::max<std::size_t>(request.at_most, 1), state_->found);
  return state_->hurry_contacts(sink, budget, true, each);
}

Certainty Pair::within(const Pose& environment_pose, const Pose& object_pose, double distance, const Budget& budget,
                       NearPairs& so_far) {
  check_distance(distance);
  const NearQuestion& question = state_->ask(environment_pose, object_pose);
  auto& sink = state_->unfinished.emplace<WithinSink>(question, distance, state_->near_found);
  return state_->hurry_within(sink, budget, true, so_far);
}

Certainty Pair::is_within(const Pose& environment_pose, const Pose& object_pose, double distance,
                          const Budget& budget) {
  check_distance(distance);
  const NearQuestion& question = state_->ask(environment_pose, object_pose);
  return state_->hurry_is_within(state_->unfinished.emplace<IsWithinSink>(question, distance), budget, true);
}

Certainty Pair::distance(const Pose& environment_pose, const Pose& object_pose, const DistanceRequest& request,
                         const Budget& budget) {
  check(request);
  const NearQuestion& question = state_->ask(environment_pose, object_pose, {.at_most = 1, .solid = request.solid});
  auto& sink = state_->unfinished.emplace<DistanceSink>(question, request, state_->postponed);
  return state_->hurry_distance(sink, budget, true);
}

Certainty Pair::closest_pairs(const Pose& environment_pose, const Pose& object_pose, const DistanceRequest& request,
                              const Budget& budget, NearPairs& so_far) {
  check(request);
  refuse_solids(request, "closest_pairs");
  const NearQuestion& question = state_->ask(environment_pose, object_pose);
  auto& sink = state_->unfinished.emplace<ClosestPairsSink>(question, request, state_->near_found);
  return state_->hurry_closest(sink, budget, true, so_far);
}

Certainty Pair::closing_pairs(const Pose& environment_pose, const Pose& object_pose, const DistanceRequest& request,
                              const Budget& budget, const std::function<bool(const NearPair&)>& each) {
  check(request);
  refuse_solids(request, "closing_pairs");
  const NearQuestion& question = state_->ask(environment_pose, object_pose);
  return state_->hurry_closing(state_->unfinished.emplace<ClosingPairsSink>(question, request), budget, true, each);
}

Certainty Pair::penetration(const Pose& environment_pose, const Pose& object_pose, const PenetrationRequest& request,
                            const Budget& budget, Penetration& so_far) {
  check(request);
  const NearQuestion& question = state_->ask(environment_pose, object_pose, {.at_most = 1, .solid = true});
  state_->penetrating.emplace(question.bodies.environment, question.bodies.object, request);
  auto& sink = state_->unfinished.emplace<AnyContactSink>(question, false, 1u, state_->found);
  return state_->hurry_penetration(sink, budget, true, so_far);
}

Certainty Pair::resume(const Budget& budget) {
  state_->refuse_if_walking();
  auto& unfinished = state_->unfinished;
  if (auto* const sink = std::get_if<AnyContactSink>(&unfinished); sink && !state_->penetrating)
    return state_->hurry_collide(*sink, budget, false);
  if (auto* const sink = std::get_if<IsWithinSink>(&unfinished)) return state_->hurry_is_within(*sink, budget, false);
  if (auto* const sink = std::get_if<DistanceSink>(&unfinished)) return state_->hurry_distance(*sink, budget, false);
  refuse_to_resume("any contact, anything near or the distance");
}

Certainty Pair::resume(const Budget& budget, Contacts& so_far) {
  state_->refuse_if_walking();
  if (auto* const sink = std::get_if<AllContactsSink>(&state_->unfinished))
    return state_->hurry_contacts(*sink, budget, false, so_far);
  refuse_to_resume("contacts");
}

Certainty Pair::resume(const Budget& budget, const std::function<bool(const Contact&)>& each) {
  state_->refuse_if_walking();
  if (auto* const sink = std::get_if<EachContactSink>(&state_->unfinished))
    return state_->hurry_contacts(*sink, budget, false, each);
  refuse_to_resume("contacts told to a function");
}

Certainty Pair::resume(const Budget& budget, NearPairs& so_far) {
  state_->refuse_if_walking();
  auto& unfinished = state_->unfinished;
  if (auto* const sink = std::get_if<WithinSink>(&unfinished))
    return state_->hurry_within(*sink, budget, false, so_far);
  if (auto* const sink = std::get_if<ClosestPairsSink>(&unfinished))
    return state_->hurry_closest(*sink, budget, false, so_far);
  refuse_to_resume("pairs within a distance or closest pairs");
}

Certainty Pair::resume(const Budget& budget, const std::function<bool(const NearPair&)>& each) {
  state_->refuse_if_walking();
  if (auto* const sink = std::get_if<ClosingPairsSink>(&state_->unfinished))
    return state_->hurry_closing(*sink, budget, false, each);
  refuse_to_resume("closing pairs");
}

Certainty Pair::resume(const Budget& budget, Penetration& so_far) {
  state_->refuse_if_walking();
  auto* const sink = std::get_if<AnyContactSink>(&state_->unfinished);
  if (!sink || !state_->penetrating) refuse_to_resume("penetration");
  return state_->hurry_penetration(*sink, budget, false, so_far);
}

const char* name(Verdict verdict) {
  constexpr const char* names[] = {"free", "colliding", "unknown"};
  return names[static_cast<std::size_t>(verdict)];
}

}  // namespace tumble
