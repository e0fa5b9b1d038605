// SPDX-License-Identifier: Apache-2.0
// Questions about two models: do they touch, and where; how far apart are they; what is certain within a budget.
#pragma once

#include <tumble/budget.h>
#include <tumble/contact.h>
#include <tumble/counters.h>
#include <tumble/distance.h>
#include <tumble/model.h>
#include <tumble/pair_options.h>
#include <tumble/pose.h>
#include <tumble/requests.h>
#include <tumble/solid.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace tumble {

// One question, one plain answer. requests.h describes the requests; lists are sorted by triangle of a, then of b.

bool collide(const Model& a, const Pose& pose_a, const Model& b, const Pose& pose_b,
             const CollideRequest& request = {});
Contacts contacts(const Model& a, const Pose& pose_a, const Model& b, const Pose& pose_b,
                  const ContactRequest& request = {});
/// The same without a list: calls `each` once for every contact as it is found, in no promised order. False ends it.
void contacts(const Model& a, const Pose& pose_a, const Model& b, const Pose& pose_b, const ContactRequest& request,
              const std::function<bool(const Contact&)>& each);
/// 0 with a common point when in contact.
Distance distance(const Model& a, const Pose& pose_a, const Model& b, const Pose& pose_b,
                  const DistanceRequest& request = {});
NearPairs within(const Model& a, const Pose& pose_a, const Model& b, const Pose& pose_b, const WithinRequest& request);
/// Is anything within the distance? Stops at the first pair or shell inside, whatever `at_most` says.
bool is_within(const Model& a, const Pose& pose_a, const Model& b, const Pose& pose_b, const WithinRequest& request);
NearPairs closest_pairs(const Model& a, const Pose& pose_a, const Model& b, const Pose& pose_b,
                        const ClosestPairsRequest& request = {});
/// Runs until the precision is reached. Surfaces that nearly coincide take long; use a Query to set a budget.
Penetration penetration(const Model& a, const Pose& pose_a, const Model& b, const Pose& pose_b,
                        const PenetrationRequest& request = {});
/// Runs until the precision is reached, or cannot be.
OverlapDepth overlap_depth(const Model& a, const Pose& pose_a, const Model& b, const Pose& pose_b,
                           const OverlapDepthRequest& request = {});

struct PairState;

/// A question in progress. It can stop at a budget and continue later, report results as it finds them, and keep its
/// lists in memory that the next question to the same Pair reuses.
///
/// Another question to its Pair, or Pair::forget(), makes it stale: every call then throws Error(invalid_argument). A
/// call from within a callback throws, too. A Query may outlive its Pair.
class Query {
 public:
  /// Works on the question until it is answered or the budget is spent, and returns what is certain (docs/semantics.md,
  /// promise 5). The next call continues from there; a finished question stays finished. Every call makes progress,
  /// however small its budget of time. If the first call for contacts has no budget, it takes the quick way, which
  /// measures nothing: it names a contact without points, and of bodies without contact it says only that they are
  /// free.
  Certainty run(const Budget& budget = {});
  /// The same, and calls `each` once for everything found, in no promised order. If `each` returns false, the question
  /// is finished. A generic lambda must be wrapped: it could be either function.
  Certainty run(const Budget& budget, const std::function<bool(const Contact&)>& each);
  Certainty run(const Budget& budget, const std::function<bool(const NearPair&)>& each);

  /// ContactRequest: all contacts certain so far, sorted. Valid until the next call or question.
  const Contacts& contacts();
  /// WithinRequest, ClosestPairsRequest or ClosingPairsRequest: all pairs certain so far, sorted. While the minimum is
  /// not known, closest pairs are judged by the nearest pair so far.
  const NearPairs& pairs();
  /// PenetrationRequest: intervals that hold both depths and narrow from call to call.
  Penetration penetration();
  /// OverlapDepthRequest: an interval that narrows from call to call.
  OverlapDepth overlap_depth();

 private:
  friend class Pair;
  Query(std::shared_ptr<PairState> state, std::uint64_t number) : state_(std::move(state)), number_(number) {}
  PairState& state() const;

  std::shared_ptr<PairState> state_;
  std::uint64_t number_;
};

/// Two models for many questions. Each question starts from where the last one ended. One like an earlier one allocates
/// no memory except for the list it returns. One thread at a time; models may be shared.
class Pair {
 public:
  /// Only the papers' descents care which model is a: it is their environment. Answers are the same either way.
  Pair(Model a, Model b, const PairOptions& options = {});
  ~Pair();
  Pair(Pair&&) noexcept;
  Pair& operator=(Pair&&) noexcept;

  const Model& a() const;
  const Model& b() const;
  const PairOptions& options() const;

  // The questions above.
  bool collide(const Pose& pose_a, const Pose& pose_b, const CollideRequest& request = {});
  Contacts contacts(const Pose& pose_a, const Pose& pose_b, const ContactRequest& request = {});
  Distance distance(const Pose& pose_a, const Pose& pose_b, const DistanceRequest& request = {});
  NearPairs within(const Pose& pose_a, const Pose& pose_b, const WithinRequest& request);
  bool is_within(const Pose& pose_a, const Pose& pose_b, const WithinRequest& request);
  NearPairs closest_pairs(const Pose& pose_a, const Pose& pose_b, const ClosestPairsRequest& request = {});
  Penetration penetration(const Pose& pose_a, const Pose& pose_b, const PenetrationRequest& request = {});
  OverlapDepth overlap_depth(const Pose& pose_a, const Pose& pose_b, const OverlapDepthRequest& request = {});

  /// Starts any of these questions, to run with a budget, in steps, with a callback or without allocating. The work
  /// begins with Query::run().
  Query start(const Pose& pose_a, const Pose& pose_b, const Request& request);

  /// Switches the counting of operations on or off; counting costs some speed.
  void count(bool on);
  /// The counts of all questions since counting began or reset_stats().
  const Counters& stats() const;
  void reset_stats();

  /// Drops the state from which the next question would start, a Query in progress included; keeps the memory.
  void forget();

 private:
  PairState& state() const;

  std::shared_ptr<PairState> state_;
};

/// How a batch is run.
struct BatchOptions {
  int threads = 0;  // 0: all cores. Answers are the same for any number, but for what a budget leaves open
  Pose pose_a{};    // where a stands while b takes every pose
  PairOptions pair{};
};

// One question for every pose of b, on all cores; answers in the order of the poses. If one throws, nothing is left
// behind. With `at_most`, the contacts found may depend on the number of threads.

/// 1 where there is contact.
std::vector<std::uint8_t> collide_many(const Model& a, const Model& b, std::span<const Pose> poses_b,
                                       const CollideRequest& request = {}, const BatchOptions& options = {});
std::vector<Contacts> contacts_many(const Model& a, const Model& b, std::span<const Pose> poses_b,
                                    const ContactRequest& request = {}, const BatchOptions& options = {});
std::vector<Distance> distance_many(const Model& a, const Model& b, std::span<const Pose> poses_b,
                                    const DistanceRequest& request = {}, const BatchOptions& options = {});

/// The result for one pose of run_many(). Lists and depths are filled in if the request asks for them.
struct Outcome {
  Certainty certainty;
  Contacts contacts;
  NearPairs pairs;
  Penetration penetration;
  OverlapDepth overlap_depth;
};
/// Any question, with a budget for each pose. To continue an unfinished one, ask a Pair of your own.
std::vector<Outcome> run_many(const Model& a, const Model& b, std::span<const Pose> poses_b, const Request& request,
                              const Budget& budget, const BatchOptions& options = {});

}  // namespace tumble
