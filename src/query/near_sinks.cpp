// SPDX-License-Identifier: Apache-2.0
// Measuring pairs.
#include "query/near_sinks.h"

#include "geometry/eight_distances.h"
#include "geometry/triangle_pair.h"

#include <algorithm>
#include <bit>
#include <utility>

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
                           const float* gaps, const float* reaches) {
  while (pairs != 0) {
    if (contacts) return contacts->decide(target_first, source_first, {.open = pairs});
    int nearest = std::countr_zero(pairs);
    for (std::uint32_t rest = pairs & (pairs - 1); rest != 0; rest &= rest - 1)
      if (const int i = std::countr_zero(rest); gaps[i] < gaps[nearest]) nearest = i;
    if (gaps[nearest] > limit) return false;
    pairs &= ~(1u << nearest);
    const TrianglePair pair = question_.bodies.pair(target_first, source_first, 1u << nearest);
    if (!postpones(pair, gaps[nearest], reaches[nearest]) && measure(pair)) return true;
  }
  return false;
}

bool DistanceSink::ends_with(const MeasuredPair& here, bool is_closest) {
  if (!is_closest) return false;
  note_upper(std::sqrt(here.measured.distance_sq), here.pair);
  return lower() == 0 && !is_farther();
}

void DistanceSink::note_upper(double distance, TrianglePair pair) {
  if (!(distance < upper_)) return;
  upper_ = distance;
  upper_pair_ = pair;
  limit = std::min(limit, question_.ruler.limit(allowed_below(distance)));
}

bool DistanceSink::postpones(TrianglePair pair, float gap, float reach) {
  if (!(reach <= gap * 1.01f)) return false;  // also for NaN, and for pairs that may be in contact
  note_upper(question_.ruler.at_most(reach), pair);
  waiting_[waiting_count_++] = pair;
  if (waiting_count_ == EightPairs::lanes) bracket_waiting();
  return true;
}

void DistanceSink::bracket_waiting() {
  const EightPairs pairs = question_.bodies.side_by_side({waiting_.data(), waiting_count_});
  const EightBrackets brackets = bracket_distances(pairs, question_.environment_pose, question_.object_pose);
  std::size_t nearest = 0;
  for (std::size_t lane = 0; lane < waiting_count_; ++lane) {
    note_upper(brackets.high[lane], waiting_[lane]);
    if (brackets.low[lane] < brackets.low[nearest]) nearest = lane;
  }
  // Where a corner is nearest to a face no two points were looked at that are as near: one measured pair is as good.
  const bool measures = brackets.low[nearest] < 0.999999 * allowed_below(upper_);
  if (measures) measure(waiting_[nearest]);
  for (std::size_t lane = 0; lane < waiting_count_; ++lane) {
    const double low = brackets.low[lane] > 0 ? brackets.low[lane] : 0;  // also for NaN
    if (low <= allowed_below(upper_) && !(measures && lane == nearest)) postponed_.push_back({waiting_[lane], low});
  }
  waiting_count_ = 0;
  if (postponed_.size() > postponed_at_most_) {
    drop_postponed();
    postponed_at_most_ = std::max(postponed_at_most_, 2 * postponed_.size());
  }
}

void DistanceSink::drop_postponed() {
  const double allowed = allowed_below(upper_);
  std::erase_if(postponed_, [allowed](const PostponedPair& p) { return p.low > allowed; });
}

NearEnd DistanceSink::finish(NearEnd end, const Deadline& allowed) {
  if (waiting_count_ > 0) bracket_waiting();
  if (upper_ < std::sqrt(closest.measured.distance_sq)) measure(upper_pair_);
  drop_postponed();
  if (end == NearEnd::out_of_budget) return end;
  if (!std::exchange(postponed_is_sorted_, true))
    std::sort(postponed_.begin(), postponed_.end(),
              [](const PostponedPair& a, const PostponedPair& b) { return a.low > b.low; });
  while (!postponed_.empty() && postponed_.back().low <= lower()) {
    measure_postponed();  // some in any case, so that every call gets on
    if (allowed.is_late()) return NearEnd::out_of_budget;
  }
  postponed_.clear();
  return end;
}

double DistanceSink::least_postponed() const {
  double least = std::numeric_limits<double>::infinity();
  for (const PostponedPair& p : postponed_) least = std::min(least, p.low);
  return least;
}

/// The last ones: up to eight, and none that cannot matter any more.
void DistanceSink::measure_postponed() {
  std::array<TrianglePair, EightPairs::lanes> pairs;
  std::size_t count = 0;
  bool are_apart = true;
  for (; count < pairs.size() && !postponed_.empty() && postponed_.back().low <= lower(); postponed_.pop_back()) {
    are_apart = are_apart && postponed_.back().low > 0;
    pairs[count++] = postponed_.back().pair;
  }
  if (!are_apart || count <= 2) {  // for two, one at a time is as quick
    for (std::size_t i = 0; i < count; ++i) measure(pairs[i]);
    return;
  }
  const PlacedPair& bodies = question_.bodies;
  EightCorners environment, object;
  for (std::size_t lane = 0; lane < pairs.size(); ++lane) {
    const TrianglePair& pair = pairs[lane < count ? lane : 0];
    environment[lane] = bodies.environment.corners(pair.environment);
    object[lane] = bodies.object.corners(pair.object);
  }
  const auto distances = distances_apart(environment, object);
  for (std::size_t lane = 0; lane < count; ++lane) measured({pairs[lane], distances[lane]});
}

bool MeasuringSink::measure(TrianglePair pair) {
  const PlacedPair& bodies = question_.bodies;
  return measured(
      {pair, tumble::distance(bodies.environment.corners(pair.environment), bodies.object.corners(pair.object))});
}

bool MeasuringSink::measured(const MeasuredPair& here) {
  const bool is_closest = here.measured.distance_sq < closest.measured.distance_sq;
  if (is_closest) closest = here;
  return ends_with(here, is_closest);
}

bool MeasuringSink::only_look_at(TrianglePair pair) {
  const PlacedPair& bodies = question_.bodies;
  closest = {pair, tumble::distance(bodies.environment.corners(pair.environment), bodies.object.corners(pair.object))};
  return false;
}

bool ContactSink::ends_with(const MeasuredPair& here, bool) {
  if (here.measured.distance_sq > 0) return false;
  look_out_for_contacts();
  const std::optional<ContactKind> kind = classify(question_.bodies.environment.corners(here.pair.environment),
                                                   question_.bodies.object.corners(here.pair.object));
  TUMBLE_ASSERT(kind.has_value());
  if (ignore_touch_ && *kind == ContactKind::touch) return false;
  found_.push_back({here.pair, *kind});
  return ends_after_new() || found_.size() >= at_most_;
}

bool ContactSink::ends_after_new() {
  while (told_ < found_.size())
    if (ends_after(found_[told_++])) return true;
  return false;
}

NearEnd ContactSink::finish(NearEnd end, const Deadline&) {
  if (end == NearEnd::ended_by_sink) return end;
  others_.finish();
  return ends_after_new() || found_.size() >= at_most_ ? NearEnd::ended_by_sink : end;
}

}  // namespace tumble
