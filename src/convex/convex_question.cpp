// SPDX-License-Identifier: Apache-2.0
// Each answer is tried from what the last question left, then from nothing.
#include "convex/convex_question.h"

#include "geometry/distance.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tumble {
namespace {

/// A walk from last time's features gives up after so many steps; first steps are quicker then.
constexpr int most_steps_from_last = 12, most_steps = 64;

FeaturePair heaviest_vertices(const PlacedHull& a, const PlacedHull& b, const Simplex& simplex) {
  const auto i = static_cast<std::size_t>(simplex.heaviest());
  FeaturePair pair{.a = {.id = simplex.a[i]}, .b = {.id = simplex.b[i]}};
  refresh(a, b, pair);
  return pair;
}

}  // namespace

using Last = ConvexMemory::Last;

ConvexQuestion::ConvexQuestion(const ConvexModel& a, const Pose& pose_a, const ConvexModel& b, const Pose& pose_b,
                               ConvexMemory& memory, ConvexCounters& counters)
    : memory_(memory),
      counters_(counters),
      scale_(scale_of(ConvexAccess::data(a), pose_a, ConvexAccess::data(b), pose_b)),
      a_{ConvexAccess::data(a), pose_a, scale_},
      b_{ConvexAccess::data(b), pose_b, scale_},
      slack_(slack(a_, b_)) {
  ++counters_.questions;
}

std::optional<bool> ConvexQuestion::collide() {
  if (memory_.last == Last::features && separates(memory_.direction)) return false;
  if (memory_.last == Last::overlap && still_overlap()) return true;
  const auto first = start_cold();
  if (first == FirstSteps::overlap && memory_.simplex.depth() > slack_) return remember_overlap();
  if (first == FirstSteps::apart && separates(memory_.simplex.nearest / length(memory_.simplex.nearest))) {
    memory_.features = heaviest_vertices(a_, b_, memory_.simplex);
    memory_.last = Last::features;
    return false;
  }
  ++counters_.exact;
  memory_.last = Last::nothing;
  return std::nullopt;
}

std::optional<ConvexDistance> ConvexQuestion::distance() {
  if (memory_.last == Last::features) {
    refresh(a_, b_, memory_.features);
    if (const auto answer = walk_and_measure(most_steps_from_last)) return answer;
  }
  if (memory_.last == Last::overlap && still_overlap()) return common_point();
  const auto first = start_cold();
  if (first == FirstSteps::overlap && memory_.simplex.depth() > slack_) {
    remember_overlap();
    return common_point();
  }
  if (first == FirstSteps::apart) {
    memory_.features = heaviest_vertices(a_, b_, memory_.simplex);
    if (const auto answer = walk_and_measure(most_steps)) return answer;
  }
  ++counters_.exact;
  memory_.last = Last::nothing;
  return std::nullopt;
}

ConvexDistance ConvexQuestion::take(const Distance& exact) {
  ConvexDistance answer{.distance = exact.distance,
                        .lower = exact.lower,
                        .triangle_a = exact.triangle_a,
                        .triangle_b = exact.triangle_b,
                        .point_a = exact.point_a,
                        .point_b = exact.point_b};
  if (exact.distance == 0) return answer;
  memory_.features = closest_of(a_, exact.triangle_a, b_, exact.triangle_b);
  memory_.last = Last::features;
  memory_.direction = direction_between(a_, b_, memory_.features);
  answer.feature_a = describe(a_.data, memory_.features.a);
  answer.feature_b = describe(b_.data, memory_.features.b);
  return answer;
}

SeparatingTranslation ConvexQuestion::separating_translation(const std::function<Distance()>& exact) {
  Depth depth = least_translation(a_, b_, memory_.simplex);
  if (!(depth.lower > slack_)) look_between(depth, exact());
  const double upper = (std::max(depth.upper, 0.0) + slack_) / scale_;
  return {true, depth.direction * upper, std::max(depth.lower - slack_, 0.0) / scale_, upper};
}

/// Whether there is a gap along a unit direction; it then is the one to try next time.
bool ConvexQuestion::separates(Vec3 direction) {
  const bool apart = -depth_along(a_, b_, direction) > slack_;
  if (apart) memory_.direction = direction;
  return apart;
}

FirstSteps ConvexQuestion::start_cold() {
  ++counters_.cold_starts;
  memory_.simplex = {};
  return first_steps(a_, b_, to_world(b_.pose, b_.data.middle) - to_world(a_.pose, a_.data.middle), memory_.simplex);
}

bool ConvexQuestion::remember_overlap() {
  memory_.last = Last::overlap;
  return true;
}

/// Whether the same vertices as last time still prove an overlap.
bool ConvexQuestion::still_overlap() {
  const Simplex last = std::exchange(memory_.simplex, {});
  for (std::size_t i = 0; i < 4; ++i) memory_.simplex.add(a_, last.a[i], b_, last.b[i]);
  memory_.simplex.reduce();
  return memory_.simplex.holds_origin() && memory_.simplex.depth() > slack_;
}

/// The distance of the features at the end of the walk if it is certain that the bodies are apart, and that no others
/// are closer by more than promise 7 allows.
std::optional<ConvexDistance> ConvexQuestion::walk_and_measure(int steps) {
  FeaturePair& pair = memory_.features;
  counters_.walk_steps += static_cast<std::uint64_t>(walk(a_, b_, pair, steps));
  const Vec3 n = direction_between(a_, b_, pair);
  const Vec3 low = a_.vertex(a_.farthest(n, vertex_of(a_.data, pair.a)));
  const Vec3 high = b_.vertex(b_.farthest(-n, vertex_of(b_.data, pair.b)));
  const double gap = dot(n, high - low), d = std::sqrt(pair.distance_sq);
  if (!(gap > slack_) || !(gap >= d * (1 - 5e-13) - 4e-15 * scale_ * (a_.data.reach + b_.data.reach)))
    return std::nullopt;
  const std::uint32_t triangle_a = triangle_of(a_.data, pair.a), triangle_b = triangle_of(b_.data, pair.b);
  const TriangleDistance exact = distance_apart(corners_of(a_, pair.a), corners_of(b_, pair.b));
  memory_.last = Last::features;
  memory_.direction = n;
  return ConvexDistance{std::sqrt(exact.distance_sq) / scale_,
                        (gap - slack_) / scale_,
                        describe(a_.data, pair.a),
                        describe(b_.data, pair.b),
                        triangle_a,
                        triangle_b,
                        exact.on_a / scale_,
                        exact.on_b / scale_};
}

ConvexDistance ConvexQuestion::common_point() const {
  Vec3 point;
  for (std::size_t i = 0; i < 4; ++i) point += a_.vertex(memory_.simplex.a[i]) * memory_.simplex.weights[i];
  return {.point_a = point / scale_, .point_b = point / scale_};
}

/// For bodies in contact by roundings: some direction along which a tiny translation separates them. The bodies' own
/// middles lie on either side of the plane between them, so moving b away from a's middle makes room for a walk; flat
/// bodies in one plane are separated along the normals of the triangles that meet.
void ConvexQuestion::look_between(Depth& found, const Distance& exact) const {
  const auto try_direction = [&](Vec3 n) {
    const double size = length(n);
    if (!(size > 0)) return;
    if (const double depth = depth_along(a_, b_, n / size); depth < found.upper)
      found.upper = depth, found.direction = n / size;
  };
  const Vec3 apart = to_world(b_.pose, b_.data.middle) - to_world(a_.pose, a_.data.middle);
  if (const double far = length(apart); far > 0) {
    auto rows = b_.pose.rows();
    for (int i = 0; i < 3; ++i) rows[static_cast<std::size_t>(4 * i + 3)] += apart[i] * (16 * slack_ / scale_ / far);
    const Pose moved = Pose::from_rows(rows);
    const PlacedHull moved_b{b_.data, moved, scale_};
    Simplex simplex;
    first_steps(a_, moved_b, apart, simplex);
    FeaturePair pair = heaviest_vertices(a_, moved_b, simplex);
    walk(a_, moved_b, pair, most_steps);
    try_direction(direction_between(a_, moved_b, pair));
  }
  for (const Corners& t : {a_.corners(exact.triangle_a), b_.corners(exact.triangle_b)})
    for (const Vec3 n : {cross(t[1] - t[0], t[2] - t[0]), cross(t[2] - t[0], t[1] - t[0])}) try_direction(n);
}

}  // namespace tumble
