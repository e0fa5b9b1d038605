// SPDX-License-Identifier: Apache-2.0
// Questions about two models: do they touch, and where; how far apart are they; how sure are we in the time given.
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

// One question, one plain answer. requests.h says what each may ask for; lists are sorted by triangle of a, then of b.

bool collide(const Model& a, const Pose& pose_a, const Model& b, const Pose& pose_b,
             const CollideRequest& request = {});
Contacts contacts(const Model& a, const Pose& pose_a, const Model& b, const Pose& pose_b,
                  const ContactRequest& request = {});
/// 0 with a common point when in contact.
Distance distance(const Model& a, const Pose& pose_a, const Model& b, const Pose& pose_b,
                  const DistanceRequest& request = {});
NearPairs within(const Model& a, const Pose& pose_a, const Model& b, const Pose& pose_b, const WithinRequest& request);
/// Is any pair of triangles within the distance? Stops at the first.
bool is_within(const Model& a, const Pose& pose_a, const Model& b, const Pose& pose_b, const WithinRequest& request);
NearPairs closest_pairs(const Model& a, const Pose& pose_a, const Model& b, const Pose& pose_b,
                        const ClosestPairsRequest& request = {});
/// Goes on until the tolerance is reached. Surfaces that nearly coincide take long; a Query takes a budget.
Penetration penetration(const Model& a, const Pose& pose_a, const Model& b, const Pose& pose_b,
                        const PenetrationRequest& request = {});

struct PairState;

/// A question in progress: everything that is not one plain answer. It may have a budget and go on later, tell of what
/// it finds as it comes, and keep its lists in memory that the next question to the same Pair uses again.
///
/// Another question to its Pair makes it stale: every call then throws Error(invalid_argument). So does a call from
/// within a function it calls. It may outlive its Pair.
class Query {
 public:
  /// Works on the question until it is answered or the budget is spent. Called again, it goes on from there; what is
  /// finished stays so. Returns what is certain (docs/semantics.md, promise 5). Every call makes progress, however
  /// small its budget of time. Contacts asked for without a budget from the start are found the quick way, which
  /// measures nothing: of bodies that are free it says no more than that, of others it names a contact without points.
  Certainty run(const Budget& budget = {});
  /// The same; calls `each` for everything found that it was not told before, in no promised order. Where it returns
  /// false the question is finished.
  Certainty run(const Budget& budget, const std::function<bool(const Contact&)>& each);
  Certainty run(const Budget& budget, const std::function<bool(const NearPair&)>& each);

  /// All contacts that are certain so far, sorted; of a ContactRequest. Valid until the next call or question.
  const Contacts& contacts();
  /// All pairs that are certain so far, sorted; of a WithinRequest, ClosestPairsRequest or ClosingPairsRequest. Where
  /// the minimum is not known yet, the closest pairs are those of the nearest pair so far.
  const NearPairs& pairs();
  /// Both depths lie between these bounds, which come closer to each other from call to call; of a PenetrationRequest.
  Penetration penetration();

 private:
  friend class Pair;
  Query(std::shared_ptr<PairState> state, std::uint64_t number) : state_(std::move(state)), number_(number) {}
  PairState& state() const;

  std::shared_ptr<PairState> state_;
  std::uint64_t number_;
};

/// Two models that are asked again and again: each question starts from where the last one ended, and one like an
/// earlier one allocates no memory but for the list it returns. One thread at a time; models may be shared.
class Pair {
 public:
  /// Which is a and which is b matters to the papers' descents only, where a is the environment; answers are the same.
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

  /// Any of them with a budget, to be gone on with, told as it comes, or without allocating. Nothing is worked out
  /// before Query::run().
  Query start(const Pose& pose_a, const Pose& pose_b, const Request& request);

  /// Counts operations from here on (or not), at some cost in speed.
  void count(bool on);
  /// Of all questions since counting began or reset_stats().
  const Counters& stats() const;
  void reset_stats();

  /// Forgets what earlier questions left for the next one to start from; keeps the memory.
  void forget();

 private:
  PairState& state() const;

  std::shared_ptr<PairState> state_;
};

/// How a batch is worked out.
struct BatchOptions {
  int threads = 0;  // 0: all cores. Answers are the same for any number
  Pose pose_a{};    // where a stands while b takes every pose
  PairOptions pair{};
};

// One question for every pose of b, on all cores; answers in the order of the poses. If one throws, nothing is left
// behind. Which contacts are found by a request for at most so many may differ between numbers of threads.

/// 1 where there is contact.
std::vector<std::uint8_t> collide_many(const Model& a, const Model& b, std::span<const Pose> poses_b,
                                       const CollideRequest& request = {}, const BatchOptions& options = {});
std::vector<Contacts> contacts_many(const Model& a, const Model& b, std::span<const Pose> poses_b,
                                    const ContactRequest& request = {}, const BatchOptions& options = {});
std::vector<Distance> distance_many(const Model& a, const Model& b, std::span<const Pose> poses_b,
                                    const DistanceRequest& request = {}, const BatchOptions& options = {});

/// What one pose of run_many() came to. Lists and depths are filled in where the request is about them.
struct Outcome {
  Certainty certainty;
  Contacts contacts;
  NearPairs pairs;
  Penetration penetration;
};
/// Any question, with a budget for each pose. To go on with what is not finished, ask a Pair of your own.
std::vector<Outcome> run_many(const Model& a, const Model& b, std::span<const Pose> poses_b, const Request& request,
                              const Budget& budget, const BatchOptions& options = {});

}  // namespace tumble
