// SPDX-License-Identifier: Apache-2.0
// Pair's questions about distance and depth, to the end. Those with a budget are in hurry.cpp.
#include "query/check_requests.h"
#include "query/pair_state.h"

#include <algorithm>
#include <cmath>

namespace tumble {
namespace {

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

}  // namespace

Distance Pair::distance(const Pose& environment_pose, const Pose& object_pose, const DistanceRequest& request) {
  check(request);
  DistanceSink sink(state_->ask(environment_pose, object_pose, {.solid = request.solid}), request, state_->postponed);
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
  ClosestPairsSink sink(state_->ask(environment_pose, object_pose), request, into);
  state_->walk_near(sink);
  // The second pass: the band around what has turned out to be the minimum.
  std::erase_if(into, [&](const NearPair& p) { return sink.is_farther() || !sink.is_close(p); });
  sort(into);
  state_->count_contacts(into.size());
}

void Pair::closing_pairs(const Pose& environment_pose, const Pose& object_pose, const DistanceRequest& request,
                         const std::function<bool(const NearPair&)>& each) {
  check(request);
  refuse_solids(request, "closing_pairs");
  ClosingPairsSink sink(state_->ask(environment_pose, object_pose), request);
  sink.each = &each;
  state_->walk_near(sink);
  state_->count_contacts(sink.count);
}

Penetration Pair::penetration(const Pose& environment_pose, const Pose& object_pose,
                              const PenetrationRequest& request) {
  Penetration found;
  penetration(environment_pose, object_pose, request, Budget{}, found);
  state_->begin();
  return found;
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

Penetration penetration(const Model& a, const Pose& pose_a, const Model& b, const Pose& pose_b,
                        const PenetrationRequest& request) {
  return Pair(a, b).penetration(pose_a, pose_b, request);
}

}  // namespace tumble
