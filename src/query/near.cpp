// SPDX-License-Identifier: Apache-2.0
// Pair's questions about distance, and all its questions with a budget.
#include "geometry/contact.h"
#include "query/pair_state.h"

#include <tumble/error.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace tumble {
namespace {

void check_distance(double distance) {
  if (!(distance >= 0 && distance <= max_coordinate))
    throw Error(ErrorCode::invalid_argument, "a distance must be at least 0 and at most 1e100");
}

void check(const DistanceRequest& request) {
  const auto refuse = [](const char* what, double value, const char* allowed) {
    throw Error(ErrorCode::invalid_argument,
                std::string(what) + " is " + std::to_string(value) + "; it must be " + allowed);
  };
  if (!(request.rel_error >= 0 && std::isfinite(request.rel_error)))
    refuse("rel_error", request.rel_error, "at least 0 and finite");
  if (!(request.abs_error >= 0 && std::isfinite(request.abs_error)))
    refuse("abs_error", request.abs_error, "at least 0 and finite");
  if (!(request.upper_bound >= 0)) refuse("upper_bound", request.upper_bound, "at least 0; infinity for none");
}

void sort(NearPairs& pairs) {
  std::ranges::sort(pairs, {}, [](const NearPair& p) { return std::uint64_t{p.triangle_a} << 32 | p.triangle_b; });
}

Distance named(const MeasuredPair& closest, double lower, bool farther) {
  if (farther) return {.lower = lower, .farther = true};
  return {std::sqrt(closest.measured.distance_sq),
          lower,
          false,
          closest.pair.environment,
          closest.pair.object,
          closest.measured.on_a,
          closest.measured.on_b};
}

/// As distance() without a budget tells it.
Certainty told(Certainty certainty, const DistanceSink& sink) {
  if (certainty.finished && certainty.verdict != Verdict::colliding && sink.is_farther())
    certainty.closest = {.lower = certainty.lower, .farther = true};
  return certainty;
}

void refuse_solids(const DistanceRequest& request, const char* query) {
  if (request.solid)
    throw Error(ErrorCode::invalid_argument,
                std::string(query) + " lists pairs of triangles and knows no solids; ask distance() for them");
}

}  // namespace

Distance Pair::distance(const Pose& environment_pose, const Pose& object_pose, const DistanceRequest& request) {
  check(request);
  if (request.solid) state_->prepare_solids();
  DistanceSink sink(state_->ask(environment_pose, object_pose), request, state_->postponed);
  // Where bodies were nearest they are likely still near.
  if (state_->counts && state_->last_closest) ++state_->counters.np;
  if (!(state_->last_closest && sink.measure(*state_->last_closest))) state_->walk_near(sink);
  if (state_->options.coherent != Coherent::off) state_->last_closest = sink.closest.pair;
  if (request.solid && sink.closest.measured.distance_sq > 0)
    if (const auto inside = state_->solids.distance_inside(state_->question->bodies, false))
      return state_->count_contacts(1), *inside;
  state_->count_contacts(sink.closest.measured.distance_sq == 0);
  return named(sink.closest, sink.lower(), sink.is_farther());
}

NearPairs Pair::within(const Pose& environment_pose, const Pose& object_pose, double distance) {
  NearPairs all;
  within(environment_pose, object_pose, distance, all);
  return all;
}

void Pair::within(const Pose& environment_pose, const Pose& object_pose, double distance, NearPairs& into) {
  check_distance(distance);
  into.clear();
  WithinSink sink(state_->ask(environment_pose, object_pose), distance, into);
  state_->walk_near(sink);
  sort(into);
  state_->count_contacts(into.size());
}

bool Pair::is_within(const Pose& environment_pose, const Pose& object_pose, double distance) {
  check_distance(distance);
  IsWithinSink sink(state_->ask(environment_pose, object_pose), distance);
  if (state_->counts && state_->last_closest) ++state_->counters.np;
  bool near = state_->last_closest && sink.measure(*state_->last_closest);
  if (!near) near = state_->walk_near(sink) == NearEnd::ended_by_sink;
  if (near && state_->options.coherent != Coherent::off) state_->last_closest = sink.closest.pair;
  state_->count_contacts(near);
  return near;
}

NearPairs Pair::closest_pairs(const Pose& environment_pose, const Pose& object_pose, const DistanceRequest& request) {
  NearPairs all;
  closest_pairs(environment_pose, object_pose, request, all);
  return all;
}

void Pair::closest_pairs(const Pose& environment_pose, const Pose& object_pose, const DistanceRequest& request,
                         NearPairs& into) {
  check(request);
  refuse_solids(request, "closest_pairs");
  into.clear();
  ClosingSink sink(state_->ask(environment_pose, object_pose), request, &into, nullptr);
  state_->walk_near(sink);
  // The second pass: the band around what has turned out to be the minimum.
  const double minimum = std::sqrt(sink.closest.measured.distance_sq), widest = sink.band(minimum);
  const bool farther = minimum > request.upper_bound;
  std::erase_if(into, [&](const NearPair& p) { return farther || !(p.distance <= widest); });
  sort(into);
  state_->count_contacts(into.size());
}

void Pair::closing_pairs(const Pose& environment_pose, const Pose& object_pose, const DistanceRequest& request,
                         const std::function<bool(const NearPair&)>& each) {
  check(request);
  refuse_solids(request, "closing_pairs");
  ClosingSink sink(state_->ask(environment_pose, object_pose), request, nullptr, &each);
  state_->walk_near(sink);
}

Certainty Pair::collide(const Pose& environment_pose, const Pose& object_pose, const CollideRequest& request,
                        const Budget& budget) {
  const NearQuestion& question = state_->ask(environment_pose, object_pose, request.solid);
  state_->found.clear();
  return state_->hurry(state_->unfinished.emplace<AnyContactSink>(question, request.ignore_touch, 1u, state_->found),
                       budget, true);
}

Certainty Pair::contacts(const Pose& environment_pose, const Pose& object_pose, const ContactRequest& request,
                         const Budget& budget, Contacts& so_far) {
  const NearQuestion& question = state_->ask(environment_pose, object_pose, request.solid);
  state_->found.clear();
  state_->request = request;
  const Certainty certainty =
      state_->hurry(state_->unfinished.emplace<AllContactsSink>(
                        question, request.ignore_touch, std::max<std::size_t>(request.at_most, 1), state_->found),
                    budget, true);
  state_->tell_contacts(question.bodies, request, so_far);
  state_->tell_inside(certainty, so_far);
  return certainty;
}

Certainty Pair::within(const Pose& environment_pose, const Pose& object_pose, double distance, const Budget& budget,
                       NearPairs& so_far) {
  check_distance(distance);
  const NearQuestion& question = state_->ask(environment_pose, object_pose);
  state_->near_found.clear();
  const Certainty certainty =
      state_->hurry(state_->unfinished.emplace<WithinSink>(question, distance, state_->near_found), budget, true);
  so_far = state_->near_found;
  sort(so_far);
  return certainty;
}

Certainty Pair::distance(const Pose& environment_pose, const Pose& object_pose, const DistanceRequest& request,
                         const Budget& budget) {
  check(request);
  const NearQuestion& question = state_->ask(environment_pose, object_pose, request.solid);
  auto& sink = state_->unfinished.emplace<DistanceSink>(question, request, state_->postponed);
  return told(state_->hurry(sink, budget, true), sink);
}

namespace {

[[noreturn]] void refuse_to_resume(const char* kind) {
  throw Error(ErrorCode::invalid_argument,
              std::string("there is no unfinished query for ") + kind +
                  " to go on with; start one with a budget, and ask this pair nothing else in between");
}

}  // namespace

Certainty Pair::resume(const Budget& budget) {
  if (auto* const any = std::get_if<AnyContactSink>(&state_->unfinished)) return state_->hurry(*any, budget, false);
  if (auto* const sink = std::get_if<DistanceSink>(&state_->unfinished))
    return told(state_->hurry(*sink, budget, false), *sink);
  refuse_to_resume("any contact or the distance");
}

Certainty Pair::resume(const Budget& budget, Contacts& so_far) {
  auto* const sink = std::get_if<AllContactsSink>(&state_->unfinished);
  if (!sink) refuse_to_resume("contacts");
  const Certainty certainty = state_->hurry(*sink, budget, false);
  state_->tell_contacts(state_->question->bodies, state_->request, so_far);
  state_->tell_inside(certainty, so_far);
  return certainty;
}

Certainty Pair::resume(const Budget& budget, NearPairs& so_far) {
  auto* const sink = std::get_if<WithinSink>(&state_->unfinished);
  if (!sink) refuse_to_resume("pairs within a distance");
  const Certainty certainty = state_->hurry(*sink, budget, false);
  so_far = state_->near_found;
  sort(so_far);
  return certainty;
}

const char* name(Verdict verdict) {
  constexpr const char* names[] = {"free", "colliding", "unknown"};
  return names[static_cast<std::size_t>(verdict)];
}

Distance distance(const Model& a, const Pose& pose_a, const Model& b, const Pose& pose_b,
                  const DistanceRequest& request) {
  return Pair(a, b).distance(pose_a, pose_b, request);
}

NearPairs within(const Model& a, const Pose& pose_a, const Model& b, const Pose& pose_b, double distance) {
  return Pair(a, b).within(pose_a, pose_b, distance);
}

bool is_within(const Model& a, const Pose& pose_a, const Model& b, const Pose& pose_b, double distance) {
  return Pair(a, b).is_within(pose_a, pose_b, distance);
}

}  // namespace tumble
