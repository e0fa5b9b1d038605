// SPDX-License-Identifier: Apache-2.0
// ConvexPair: from last time's features to an answer, and the certificates without which none is given. Apart: a gap
// along some direction, larger than any rounding. Overlapping: no translation as short as a rounding separates the
// hulls. What neither proves, the Models of the hulls decide exactly.
#include "convex/expanding_polytope.h"
#include "convex/first_steps.h"
#include "convex/placed_hull.h"
#include "convex/voronoi_walk.h"
#include "core/plain_arithmetic.h"
#include "geometry/distance.h"

#include <tumble/convex.h>
#include <tumble/error.h>
#include <tumble/query.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace tumble {
namespace {

/// A walk from last time's features gives up after so many steps; first steps are quicker then.
constexpr int most_steps_from_last = 12, most_steps = 64;

}  // namespace

struct ConvexPairState {
  ConvexModel a, b;
  ConvexCounters counters;
  FeaturePair features;
  Simplex simplex;
  Vec3 direction{};  // that separated them last
  enum class Last { nothing, features, overlap } last = Last::nothing;
  std::optional<Pair> exact;  // made when it is first needed

  ConvexPairState(ConvexModel first, ConvexModel second) : a(std::move(first)), b(std::move(second)) {}
  Pair& models() {
    if (!exact) exact.emplace(a.model(), b.model());
    return *exact;
  }
};

namespace {

/// One question.
class Asked {
 public:
  Asked(ConvexPairState& state, const Pose& pose_a, const Pose& pose_b)
      : state_(state),
        pose_a_(pose_a),
        pose_b_(pose_b),
        scale_(scale_of(ConvexAccess::data(state.a), pose_a, ConvexAccess::data(state.b), pose_b)),
        a_{ConvexAccess::data(state.a), pose_a, scale_},
        b_{ConvexAccess::data(state.b), pose_b, scale_},
        slack_(slack(a_, b_)) {
    ++state_.counters.questions;
  }

  bool collide() {
    using Last = ConvexPairState::Last;
    if (state_.last == Last::features && separates(state_.direction)) return false;
    if (state_.last == Last::overlap && still_overlap()) return true;
    const auto first = start_cold();
    if (first == FirstSteps::overlap && state_.simplex.depth() > slack_) return remember_overlap();
    if (first == FirstSteps::apart && separates(state_.simplex.nearest / length(state_.simplex.nearest))) {
      state_.features = heaviest_vertices(a_, b_, state_.simplex);
      state_.last = Last::features;
      return false;
    }
    ++state_.counters.exact;
    state_.last = Last::nothing;
    return state_.models().collide(pose_a_, pose_b_, {.solid = true});
  }

  ConvexDistance distance() {
    using Last = ConvexPairState::Last;
    if (state_.last == Last::features) {
      refresh(a_, b_, state_.features);
      if (const auto answer = walk_and_measure(most_steps_from_last)) return *answer;
    }
    if (state_.last == Last::overlap && still_overlap()) return common_point();
    const auto first = start_cold();
    if (first == FirstSteps::overlap && state_.simplex.depth() > slack_) {
      remember_overlap();
      return common_point();
    }
    if (first == FirstSteps::apart) {
      state_.features = heaviest_vertices(a_, b_, state_.simplex);
      if (const auto answer = walk_and_measure(most_steps)) return *answer;
    }
    return ask_models();
  }

  SeparatingTranslation separating_translation() {
    if (!collide()) return {};
    Depth depth = least_translation(a_, b_, state_.simplex);
    if (!(depth.lower > slack_)) look_between(depth);
    const double upper = (std::max(depth.upper, 0.0) + slack_) / scale_;
    return {true, depth.direction * upper, std::max(depth.lower - slack_, 0.0) / scale_, upper};
  }

 private:
  /// Whether there is a gap along a unit direction; it then is the one to try next time.
  bool separates(Vec3 direction) {
    const bool apart = -depth_along(a_, b_, direction) > slack_;
    if (apart) state_.direction = direction;
    return apart;
  }

  FirstSteps start_cold() {
    ++state_.counters.cold_starts;
    state_.simplex = {};
    return first_steps(a_, b_, to_world(pose_b_, b_.data.middle) - to_world(pose_a_, a_.data.middle), state_.simplex);
  }

  bool remember_overlap() {
    state_.last = ConvexPairState::Last::overlap;
    return true;
  }

  /// Whether the same vertices as last time still prove an overlap.
  bool still_overlap() {
    const Simplex last = std::exchange(state_.simplex, {});
    for (std::size_t i = 0; i < 4; ++i) state_.simplex.add(a_, last.a[i], b_, last.b[i]);
    state_.simplex.reduce();
    return state_.simplex.holds_origin() && state_.simplex.depth() > slack_;
  }

  static FeaturePair heaviest_vertices(const PlacedHull& a, const PlacedHull& b, const Simplex& simplex) {
    const auto i = static_cast<std::size_t>(simplex.heaviest());
    FeaturePair pair{.a = {.id = simplex.a[i]}, .b = {.id = simplex.b[i]}};
    refresh(a, b, pair);
    return pair;
  }

  /// The distance of the features at the end of the walk if it is certain that the bodies are apart, and that no others
  /// are closer by more than promise 7 allows.
  std::optional<ConvexDistance> walk_and_measure(int steps) {
    FeaturePair& pair = state_.features;
    state_.counters.walk_steps += static_cast<std::uint64_t>(walk(a_, b_, pair, steps));
    const Vec3 n = direction_between(a_, b_, pair);
    const Vec3 low = a_.vertex(a_.farthest(n, vertex_of(a_.data, pair.a)));
    const Vec3 high = b_.vertex(b_.farthest(-n, vertex_of(b_.data, pair.b)));
    const double gap = dot(n, high - low), d = std::sqrt(pair.distance_sq);
    if (!(gap > slack_) || !(gap >= d * (1 - 5e-13) - 4e-15 * scale_ * (a_.data.reach + b_.data.reach)))
      return std::nullopt;
    const std::uint32_t triangle_a = triangle_of(a_.data, pair.a), triangle_b = triangle_of(b_.data, pair.b);
    const TriangleDistance exact = distance_apart(corners_of(a_, pair.a), corners_of(b_, pair.b));
    state_.last = ConvexPairState::Last::features;
    state_.direction = n;
    return ConvexDistance{std::sqrt(exact.distance_sq) / scale_,
                          (gap - slack_) / scale_,
                          describe(a_.data, pair.a),
                          describe(b_.data, pair.b),
                          triangle_a,
                          triangle_b,
                          exact.on_a / scale_,
                          exact.on_b / scale_};
  }

  ConvexDistance common_point() const {
    Vec3 point;
    for (std::size_t i = 0; i < 4; ++i) point += a_.vertex(state_.simplex.a[i]) * state_.simplex.weights[i];
    return {.point_a = point / scale_, .point_b = point / scale_};
  }

  ConvexDistance ask_models() {
    ++state_.counters.exact;
    state_.last = ConvexPairState::Last::nothing;
    const Distance d = state_.models().distance(pose_a_, pose_b_, {.solid = true});
    ConvexDistance answer{.distance = d.distance,
                          .lower = d.lower,
                          .triangle_a = d.triangle_a,
                          .triangle_b = d.triangle_b,
                          .point_a = d.point_a,
                          .point_b = d.point_b};
    if (d.distance == 0) return answer;
    state_.features = closest_of(a_, d.triangle_a, b_, d.triangle_b);
    state_.last = ConvexPairState::Last::features;
    state_.direction = direction_between(a_, b_, state_.features);
    answer.feature_a = describe(a_.data, state_.features.a);
    answer.feature_b = describe(b_.data, state_.features.b);
    return answer;
  }

  /// For bodies in contact by roundings: some direction along which a tiny translation separates them. The bodies' own
  /// middles lie on either side of the plane between them, so moving b away from a's middle makes room for a walk; flat
  /// bodies in one plane are separated along the normals of the triangles that meet.
  void look_between(Depth& found) {
    const auto try_direction = [&](Vec3 n) {
      const double size = length(n);
      if (!(size > 0)) return;
      if (const double depth = depth_along(a_, b_, n / size); depth < found.upper)
        found.upper = depth, found.direction = n / size;
    };
    const Vec3 apart = to_world(pose_b_, b_.data.middle) - to_world(pose_a_, a_.data.middle);
    if (const double far = length(apart); far > 0) {
      auto rows = pose_b_.rows();
      for (int i = 0; i < 3; ++i) rows[static_cast<std::size_t>(4 * i + 3)] += apart[i] * (16 * slack_ / scale_ / far);
      const Pose moved = Pose::from_rows(rows);
      const PlacedHull moved_b{b_.data, moved, scale_};
      Simplex simplex;
      first_steps(a_, moved_b, apart, simplex);
      FeaturePair pair = heaviest_vertices(a_, moved_b, simplex);
      walk(a_, moved_b, pair, most_steps);
      try_direction(direction_between(a_, moved_b, pair));
    }
    const Distance d = state_.models().distance(pose_a_, pose_b_, {.solid = true});
    for (const Corners& t : {a_.corners(d.triangle_a), b_.corners(d.triangle_b)})
      for (const Vec3 n : {cross(t[1] - t[0], t[2] - t[0]), cross(t[2] - t[0], t[1] - t[0])}) try_direction(n);
  }

  ConvexPairState& state_;
  const Pose &pose_a_, &pose_b_;
  double scale_;  // of all lengths in here but those of poses and answers
  PlacedHull a_, b_;
  double slack_;
};

}  // namespace

ConvexPair::ConvexPair(ConvexModel a, ConvexModel b)
    : state_(std::make_unique<ConvexPairState>(std::move(a), std::move(b))) {}
ConvexPair::~ConvexPair() = default;
ConvexPair::ConvexPair(ConvexPair&&) noexcept = default;
ConvexPair& ConvexPair::operator=(ConvexPair&&) noexcept = default;

ConvexPairState& ConvexPair::state() const {
  if (!state_) throw Error(ErrorCode::invalid_argument, "this ConvexPair was moved from; use the one it went to");
  return *state_;
}

const ConvexModel& ConvexPair::a() const { return state().a; }
const ConvexModel& ConvexPair::b() const { return state().b; }
const ConvexCounters& ConvexPair::stats() const { return state().counters; }
void ConvexPair::forget() { state().last = ConvexPairState::Last::nothing; }

bool ConvexPair::collide(const Pose& pose_a, const Pose& pose_b) {
  const PlainArithmetic plain;
  return Asked(state(), pose_a, pose_b).collide();
}
ConvexDistance ConvexPair::distance(const Pose& pose_a, const Pose& pose_b) {
  const PlainArithmetic plain;
  return Asked(state(), pose_a, pose_b).distance();
}
SeparatingTranslation ConvexPair::separating_translation(const Pose& pose_a, const Pose& pose_b) {
  const PlainArithmetic plain;
  return Asked(state(), pose_a, pose_b).separating_translation();
}

bool collide(const ConvexModel& a, const Pose& pose_a, const ConvexModel& b, const Pose& pose_b) {
  return ConvexPair(a, b).collide(pose_a, pose_b);
}
ConvexDistance distance(const ConvexModel& a, const Pose& pose_a, const ConvexModel& b, const Pose& pose_b) {
  return ConvexPair(a, b).distance(pose_a, pose_b);
}
SeparatingTranslation separating_translation(const ConvexModel& a, const Pose& pose_a, const ConvexModel& b,
                                             const Pose& pose_b) {
  return ConvexPair(a, b).separating_translation(pose_a, pose_b);
}

}  // namespace tumble
