// SPDX-License-Identifier: Apache-2.0
// ConvexPair: a ConvexQuestion, and where that is too close to call, the Models of the hulls.
#include "convex/convex_question.h"
#include "core/plain_arithmetic.h"

#include <tumble/convex.h>
#include <tumble/error.h>
#include <tumble/query.h>

#include <optional>
#include <utility>

namespace tumble {

struct ConvexPairState {
  ConvexModel a, b;
  ConvexCounters counters{};
  ConvexMemory memory{};
  std::optional<Pair> exact{};  // made when it is first needed

  Pair& models() {
    if (!exact) exact.emplace(a.model(), b.model());
    return *exact;
  }
  Distance exact_distance(const Pose& pose_a, const Pose& pose_b) {
    return models().distance(pose_a, pose_b, {.solid = true});
  }
};

namespace {

/// One question.
struct Asked {
  ConvexPairState& state;
  const Pose &pose_a, &pose_b;
  ConvexQuestion question{state.a, pose_a, state.b, pose_b, state.memory, state.counters};

  bool collide() {
    const std::optional<bool> answer = question.collide();
    return answer ? *answer : state.models().collide(pose_a, pose_b, {.solid = true});
  }
  ConvexDistance distance() {
    const std::optional<ConvexDistance> answer = question.distance();
    return answer ? *answer : question.take(state.exact_distance(pose_a, pose_b));
  }
  SeparatingTranslation separating_translation() {
    if (!collide()) return {};
    return question.separating_translation([this] { return state.exact_distance(pose_a, pose_b); });
  }
};

}  // namespace

ConvexPair::ConvexPair(ConvexModel a, ConvexModel b)
    : state_(std::make_unique<ConvexPairState>(ConvexPairState{std::move(a), std::move(b)})) {}
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
void ConvexPair::forget() { state().memory.last = ConvexMemory::Last::nothing; }

bool ConvexPair::collide(const Pose& pose_a, const Pose& pose_b) {
  const PlainArithmetic plain;
  return Asked{state(), pose_a, pose_b}.collide();
}
ConvexDistance ConvexPair::distance(const Pose& pose_a, const Pose& pose_b) {
  const PlainArithmetic plain;
  return Asked{state(), pose_a, pose_b}.distance();
}
SeparatingTranslation ConvexPair::separating_translation(const Pose& pose_a, const Pose& pose_b) {
  const PlainArithmetic plain;
  return Asked{state(), pose_a, pose_b}.separating_translation();
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
