// SPDX-License-Identifier: Apache-2.0
// Pair and Query: the doors to a question, and what guards them. PlainArithmetic stands at each that computes.
#include "core/plain_arithmetic.h"
#include "query/question.h"
#include "tree/model_data.h"
#include "tree/turned_box.h"

#include <tumble/error.h>
#include <tumble/query.h>

#include <memory>
#include <utility>

namespace tumble {

/// Behind a Pair and its Query.
struct PairState {
  PairSetup setup;
  PairMemory memory;
  Tally tally;
  Question question;
  std::uint64_t question_number = 0;
  bool is_working = false;

  // Not an aggregate, whose members would be set to zero first: they are large.
  PairState(Model a, Model b, const PairOptions& options = {}) : setup(std::move(a), std::move(b), options) {}

  void refuse_if_working() const {
    if (is_working)
      throw Error(
          ErrorCode::invalid_argument,
          "a function called with what a query found asked the same pair; use a second Pair of the same models");
  }

  template <class T>
  void begin(const Pose& pose_a, const Pose& pose_b, const T& request) {
    refuse_if_working();
    ++question_number;
    question.begin(setup, memory, tally, pose_a, pose_b, request);
  }

  /// Does what may call the caller's function, which must not ask this pair.
  template <class Work>
  void work(const Work& work) {
    refuse_if_working();
    is_working = true;
    try {
      work();
    } catch (...) {  // the caller's function threw, or memory ran out: a half-made front or walk is of no use
      is_working = false;
      memory.front.drop();
      question.abandon();
      throw;
    }
    is_working = false;
  }

  /// A plain question, to the end.
  template <class T>
  Question& answer(const Pose& pose_a, const Pose& pose_b, const T& request) {
    begin(pose_a, pose_b, request);
    work([&] { question.finish(); });
    return question;
  }
  Contacts contacts(const Pose& pose_a, const Pose& pose_b, const ContactRequest& request) {
    Contacts all;
    begin(pose_a, pose_b, request);
    if (request.at_most == 0) return all;
    work([&] {
      question.finish();
      question.list_new(all);
    });
    return all;
  }
  template <class T>
  NearPairs pairs(const Pose& pose_a, const Pose& pose_b, const T& request) {
    NearPairs all;
    answer(pose_a, pose_b, request).list(all);
    return all;
  }
  bool is_within(const Pose& pose_a, const Pose& pose_b, const WithinRequest& request) {
    const WithinRequest one{.distance = request.distance, .at_most = 1, .solid = request.solid};
    return answer(pose_a, pose_b, one).is_near();
  }
};

namespace {

[[noreturn]] void refuse_moved_from(const char* what) {
  throw Error(ErrorCode::invalid_argument, std::string("this ") + what + " was moved from; use the one it went to");
}

template <class Function>
void require(const Function& each) {
  if (!each) throw Error(ErrorCode::invalid_argument, "the function to call with what is found is empty");
}

void require(bool is_about, const char* asked, const char* needed) {
  if (!is_about)
    throw Error(ErrorCode::invalid_argument, std::string("this query has no ") + asked + "; only a " + needed + " has");
}

constexpr char pair_requests[] = "WithinRequest, ClosestPairsRequest or ClosingPairsRequest";

}  // namespace

Pair::Pair(Model a, Model b, const PairOptions& options)
    : state_([&] {
        const PlainArithmetic plain;
        return std::make_shared<PairState>(std::move(a), std::move(b), options);
      }()) {}
Pair::~Pair() = default;
Pair::Pair(Pair&&) noexcept = default;
Pair& Pair::operator=(Pair&&) noexcept = default;

PairState& Pair::state() const {
  if (!state_) refuse_moved_from("Pair");
  return *state_;
}

const Model& Pair::a() const { return state().setup.a; }
const Model& Pair::b() const { return state().setup.b; }
const PairOptions& Pair::options() const { return state().setup.options; }

bool Pair::collide(const Pose& pose_a, const Pose& pose_b, const CollideRequest& request) {
  const PlainArithmetic plain;
  return state().answer(pose_a, pose_b, request).is_colliding();
}

Contacts Pair::contacts(const Pose& pose_a, const Pose& pose_b, const ContactRequest& request) {
  const PlainArithmetic plain;
  return state().contacts(pose_a, pose_b, request);
}

Distance Pair::distance(const Pose& pose_a, const Pose& pose_b, const DistanceRequest& request) {
  const PlainArithmetic plain;
  return state().answer(pose_a, pose_b, request).distance();
}

NearPairs Pair::within(const Pose& pose_a, const Pose& pose_b, const WithinRequest& request) {
  const PlainArithmetic plain;
  return state().pairs(pose_a, pose_b, request);
}

bool Pair::is_within(const Pose& pose_a, const Pose& pose_b, const WithinRequest& request) {
  const PlainArithmetic plain;
  return state().is_within(pose_a, pose_b, request);
}

NearPairs Pair::closest_pairs(const Pose& pose_a, const Pose& pose_b, const ClosestPairsRequest& request) {
  const PlainArithmetic plain;
  return state().pairs(pose_a, pose_b, request);
}

Penetration Pair::penetration(const Pose& pose_a, const Pose& pose_b, const PenetrationRequest& request) {
  const PlainArithmetic plain;
  return state().answer(pose_a, pose_b, request).penetration();
}

OverlapDepth Pair::overlap_depth(const Pose& pose_a, const Pose& pose_b, const OverlapDepthRequest& request) {
  const PlainArithmetic plain;
  return state().answer(pose_a, pose_b, request).overlap_depth();
}

Query Pair::start(const Pose& pose_a, const Pose& pose_b, const Request& request) {
  const PlainArithmetic plain;
  std::visit([&](const auto& asked) { state().begin(pose_a, pose_b, asked); }, request);
  return {state_, state_->question_number};
}

void Pair::count(bool on) {
  state().tally.is_on = on;
  if (on) reset_stats();
}
const Counters& Pair::stats() const { return state().tally.counters; }
void Pair::reset_stats() { state().tally.counters = {}; }

void Pair::forget() {
  state().refuse_if_working();
  state_->question.abandon();
  state_->memory.forget();
}

PairState& Query::state() const {
  if (!state_) refuse_moved_from("Query");
  state_->refuse_if_working();
  if (state_->question_number != number_ || !state_->question.is_in_progress())
    throw Error(ErrorCode::invalid_argument,
                "this query is stale: its pair was asked something else, or a call failed; start it again");
  return *state_;
}

Certainty Query::run(const Budget& budget) {
  const PlainArithmetic plain;
  PairState& at = state();
  at.work([&] { at.question.run(budget); });
  return at.question.certain();
}

Certainty Query::run(const Budget& budget, const std::function<bool(const Contact&)>& each) {
  const PlainArithmetic plain;
  PairState& at = state();
  require(each);
  require(at.question.is_about<ContactRequest>(), "contacts", "ContactRequest");
  at.work([&] { at.question.run(budget, {.contact = &each}); });
  return at.question.certain();
}

Certainty Query::run(const Budget& budget, const std::function<bool(const NearPair&)>& each) {
  const PlainArithmetic plain;
  PairState& at = state();
  require(each);
  require(lists_pairs(at.question.request()), "pairs", pair_requests);
  at.work([&] { at.question.run(budget, {.pair = &each}); });
  return at.question.certain();
}

const Contacts& Query::contacts() {
  const PlainArithmetic plain;
  Question& question = state().question;
  require(question.is_about<ContactRequest>(), "contacts", "ContactRequest");
  return question.contacts();
}

const NearPairs& Query::pairs() {
  const PlainArithmetic plain;
  Question& question = state().question;
  require(lists_pairs(question.request()), "pairs", pair_requests);
  return question.pairs();
}

Penetration Query::penetration() {
  const PlainArithmetic plain;
  const Question& question = state().question;
  require(question.is_about<PenetrationRequest>(), "depths", "PenetrationRequest");
  return question.penetration();
}

OverlapDepth Query::overlap_depth() {
  const PlainArithmetic plain;
  const Question& question = state().question;
  require(question.is_about<OverlapDepthRequest>(), "overlap depths", "OverlapDepthRequest");
  return question.overlap_depth();
}

// One question needs no Pair in memory of its own, and none at all if two boxes tell that there is no contact.

namespace {

bool are_apart_at_a_glance(const Model& a, const Pose& pose_a, const Model& b, const Pose& pose_b) {
  TurnedBox box_a, box_b;
  box_a.place(data_of(a).whole_box(), pose_a);
  box_b.place(data_of(b).whole_box(), pose_b);
  return are_apart(box_a, box_b);
}

}  // namespace

bool collide(const Model& a, const Pose& pose_a, const Model& b, const Pose& pose_b, const CollideRequest& request) {
  const PlainArithmetic plain;
  if (!request.solid && are_apart_at_a_glance(a, pose_a, b, pose_b)) return false;  // solids must be closed first
  return PairState(a, b).answer(pose_a, pose_b, request).is_colliding();
}
Contacts contacts(const Model& a, const Pose& pose_a, const Model& b, const Pose& pose_b,
                  const ContactRequest& request) {
  const PlainArithmetic plain;
  if (!request.solid && are_apart_at_a_glance(a, pose_a, b, pose_b)) return {};
  return PairState(a, b).contacts(pose_a, pose_b, request);
}
void contacts(const Model& a, const Pose& pose_a, const Model& b, const Pose& pose_b, const ContactRequest& request,
              const std::function<bool(const Contact&)>& each) {
  const PlainArithmetic plain;
  require(each);
  if (!request.solid && are_apart_at_a_glance(a, pose_a, b, pose_b)) return;
  PairState pair(a, b);
  pair.begin(pose_a, pose_b, request);
  pair.work([&] { pair.question.run({}, {.contact = &each}); });
}
Distance distance(const Model& a, const Pose& pose_a, const Model& b, const Pose& pose_b,
                  const DistanceRequest& request) {
  const PlainArithmetic plain;
  return PairState(a, b).answer(pose_a, pose_b, request).distance();
}
NearPairs within(const Model& a, const Pose& pose_a, const Model& b, const Pose& pose_b, const WithinRequest& request) {
  const PlainArithmetic plain;
  return PairState(a, b).pairs(pose_a, pose_b, request);
}
bool is_within(const Model& a, const Pose& pose_a, const Model& b, const Pose& pose_b, const WithinRequest& request) {
  const PlainArithmetic plain;
  return PairState(a, b).is_within(pose_a, pose_b, request);
}
NearPairs closest_pairs(const Model& a, const Pose& pose_a, const Model& b, const Pose& pose_b,
                        const ClosestPairsRequest& request) {
  const PlainArithmetic plain;
  return PairState(a, b).pairs(pose_a, pose_b, request);
}
Penetration penetration(const Model& a, const Pose& pose_a, const Model& b, const Pose& pose_b,
                        const PenetrationRequest& request) {
  const PlainArithmetic plain;
  return PairState(a, b).answer(pose_a, pose_b, request).penetration();
}
OverlapDepth overlap_depth(const Model& a, const Pose& pose_a, const Model& b, const Pose& pose_b,
                           const OverlapDepthRequest& request) {
  const PlainArithmetic plain;
  return PairState(a, b).answer(pose_a, pose_b, request).overlap_depth();
}

const char* name(Verdict verdict) {
  constexpr const char* names[] = {"free", "colliding", "unknown"};
  return names[static_cast<std::size_t>(verdict)];
}

}  // namespace tumble
