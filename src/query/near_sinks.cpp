// SPDX-License-Identifier: Apache-2.0
// Measuring pairs.
#include "query/near_sinks.h"

#include "geometry/triangle_pair.h"

#include <bit>

namespace tumble {
namespace {

double departure_of(const Pose& pose) {
  return departure_from_orthogonality({{pose.row(0), pose.row(1), pose.row(2)}});
}

}  // namespace

NearQuestion::NearQuestion(const ModelData& environment, const Pose& at_environment, const ModelData& object,
                           const Pose& at_object, bool environment_is_target, const Relation& relation)
    : environment_pose(at_environment),
      object_pose(at_object),
      bodies{{environment, environment_pose}, {object, object_pose}, environment_is_target},
      pose(relation.at(bodies.target().pose, bodies.source().pose, 0)),
      ruler(pose, relation.to_units(), departure_of(bodies.target().pose)) {}

bool MeasuringSink::decide(std::uint32_t target_first, std::uint32_t source_first, std::uint32_t pairs,
                           const float* gaps) {
  while (pairs != 0) {
    int nearest = std::countr_zero(pairs);
    for (std::uint32_t rest = pairs & (pairs - 1); rest != 0; rest &= rest - 1)
      if (const int i = std::countr_zero(rest); gaps[i] < gaps[nearest]) nearest = i;
    if (gaps[nearest] > limit) return false;
    pairs &= ~(1u << nearest);
    if (measure(question_.bodies.pair(target_first, source_first, 1u << nearest))) return true;
  }
  return false;
}

bool MeasuringSink::measure(TrianglePair pair) {
  const Bodies& bodies = question_.bodies;
  const MeasuredPair here{
      pair, tumble::distance(bodies.environment.corners(pair.environment), bodies.object.corners(pair.object))};
  const bool is_closest = here.measured.distance_sq < closest.measured.distance_sq;
  if (is_closest) closest = here;
  return ends_with(here, is_closest);
}

bool MeasuringSink::only_look_at(TrianglePair pair) {
  const Bodies& bodies = question_.bodies;
  closest = {pair, tumble::distance(bodies.environment.corners(pair.environment), bodies.object.corners(pair.object))};
  return false;
}

bool ContactSink::ends_with(const MeasuredPair& here, bool) {
  if (here.measured.distance_sq > 0) return false;
  const std::optional<ContactKind> kind = classify(question_.bodies.environment.corners(here.pair.environment),
                                                   question_.bodies.object.corners(here.pair.object));
  TUMBLE_ASSERT(kind.has_value());
  if (ignore_touch_ && *kind == ContactKind::touch) return false;
  found_.push_back({here.pair, *kind});
  return found_.size() >= at_most_;
}

}  // namespace tumble
