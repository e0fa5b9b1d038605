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
#include <tumble/solid.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <vector>

namespace tumble {

struct CollideRequest {
  bool ignore_touch = false;  // only kinds cross and coplanar count, and vertices strictly inside
  bool solid = false;         // a body inside the other is in contact with it (docs/semantics.md, promise 6)
};

struct ContactRequest {
  bool ignore_touch = false;                                      // only kinds cross and coplanar count
  std::size_t at_most = std::numeric_limits<std::size_t>::max();  // stop after so many; which ones is not promised
  bool geometry = true;  // fill in outline, point, normal and depth; ids and kinds are always there
  bool solid = false;    // also a contact of kind inside for each shell of one body inside the other
};

/// Two models that are asked again and again: owns the scratch memory, so that a query like an earlier one allocates
/// nothing, and starts from where the last one ended. One thread at a time; models may be shared between pairs.
class Pair {
 public:
  /// The roles matter to the papers' descents only; answers are the same.
  Pair(Model environment, Model object, const PairOptions& options = {});
  ~Pair();
  Pair(Pair&&) noexcept;
  Pair& operator=(Pair&&) noexcept;

  const Model& environment() const;
  const Model& object() const;
  const PairOptions& options() const;

  /// Is there any contact? Touching counts unless asked otherwise; being inside does if solids are asked for, which
  /// throws Error(not_closed) if a mesh is not closed.
  bool collide(const Pose& environment_pose, const Pose& object_pose, const CollideRequest& request = {});

  /// All contacts, sorted by triangle of the environment, then of the object.
  Contacts contacts(const Pose& environment_pose, const Pose& object_pose, const ContactRequest& request = {});
  /// The same into memory of yours, which is emptied first.
  void contacts(const Pose& environment_pose, const Pose& object_pose, const ContactRequest& request, Contacts& into);
  /// The same one by one, in no promised order, until the function returns false. It must not ask this pair, which
  /// would throw Error(invalid_argument).
  void contacts(const Pose& environment_pose, const Pose& object_pose, const ContactRequest& request,
                const std::function<bool(const Contact&)>& each);

  /// The least distance, 0 with a common point when in contact. Starts from the pair of triangles the last such query
  /// found, unless options().coherent is off.
  Distance distance(const Pose& environment_pose, const Pose& object_pose, const DistanceRequest& request = {});

  /// All pairs of triangles at most `distance` apart, sorted by triangle of the environment, then of the object;
  /// within(0) is the contacts.
  NearPairs within(const Pose& environment_pose, const Pose& object_pose, double distance);
  /// The same into memory of yours, which is emptied first.
  void within(const Pose& environment_pose, const Pose& object_pose, double distance, NearPairs& into);
  /// Are any two triangles at most `distance` apart? Stops at the first. The papers' epsilon.
  bool is_within(const Pose& environment_pose, const Pose& object_pose, double distance);

  /// All pairs of triangles whose distance is at most m·(1 + rel_error) + abs_error, m being the minimum: the
  /// approximate minimum distance of Fünzig 2003, section 5. Sorted as above; none if m exceeds the upper bound.
  NearPairs closest_pairs(const Pose& environment_pose, const Pose& object_pose, const DistanceRequest& request = {});
  void closest_pairs(const Pose& environment_pose, const Pose& object_pose, const DistanceRequest& request,
                     NearPairs& into);
  /// Its weak form: pairs in the order in which they are met, each at most that much farther than the nearest before
  /// it; the nearest of all is among them. Ends early where the function returns false.
  void closing_pairs(const Pose& environment_pose, const Pose& object_pose, const DistanceRequest& request,
                     const std::function<bool(const NearPair&)>& each);

  /// How deep the bodies are in each other, as solids (solid.h).
  Penetration penetration(const Pose& environment_pose, const Pose& object_pose,
                          const PenetrationRequest& request = {});

  /// The same questions with a budget. What was found so far goes to `so_far`, sorted. Where the answer is not
  /// finished, resume() of the same kind goes on from where it stopped, until another question is asked of this pair.
  /// Functions are told only what is new; where one returns false the question is finished.
  Certainty collide(const Pose& environment_pose, const Pose& object_pose, const CollideRequest& request,
                    const Budget& budget);
  Certainty contacts(const Pose& environment_pose, const Pose& object_pose, const ContactRequest& request,
                     const Budget& budget, Contacts& so_far);
  Certainty contacts(const Pose& environment_pose, const Pose& object_pose, const ContactRequest& request,
                     const Budget& budget, const std::function<bool(const Contact&)>& each);
  Certainty within(const Pose& environment_pose, const Pose& object_pose, double distance, const Budget& budget,
                   NearPairs& so_far);
  Certainty is_within(const Pose& environment_pose, const Pose& object_pose, double distance, const Budget& budget);
  Certainty distance(const Pose& environment_pose, const Pose& object_pose, const DistanceRequest& request,
                     const Budget& budget);
  Certainty closest_pairs(const Pose& environment_pose, const Pose& object_pose, const DistanceRequest& request,
                          const Budget& budget, NearPairs& so_far);
  Certainty closing_pairs(const Pose& environment_pose, const Pose& object_pose, const DistanceRequest& request,
                          const Budget& budget, const std::function<bool(const NearPair&)>& each);
  /// Both depths lie between the bounds in `so_far`, which come closer to each other from call to call.
  Certainty penetration(const Pose& environment_pose, const Pose& object_pose, const PenetrationRequest& request,
                        const Budget& budget, Penetration& so_far);
  /// Throws Error(invalid_argument) if there is nothing of this kind to go on with.
  Certainty resume(const Budget& budget);
  Certainty resume(const Budget& budget, Contacts& so_far);
  Certainty resume(const Budget& budget, NearPairs& so_far);
  Certainty resume(const Budget& budget, Penetration& so_far);
  Certainty resume(const Budget& budget, const std::function<bool(const Contact&)>& each);
  Certainty resume(const Budget& budget, const std::function<bool(const NearPair&)>& each);

  /// Counts operations from here on (or not), at some cost in speed.
  void count(bool on);
  /// Of all queries since counting began or reset_stats().
  const Counters& stats() const;
  void reset_stats();

  /// Forgets what earlier queries left for the next one to start from; keeps the memory.
  void forget();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// One question without a Pair of your own.
bool collide(const Model& a, const Pose& pose_a, const Model& b, const Pose& pose_b,
             const CollideRequest& request = {});
Contacts contacts(const Model& a, const Pose& pose_a, const Model& b, const Pose& pose_b,
                  const ContactRequest& request = {});

Distance distance(const Model& a, const Pose& pose_a, const Model& b, const Pose& pose_b,
                  const DistanceRequest& request = {});
NearPairs within(const Model& a, const Pose& pose_a, const Model& b, const Pose& pose_b, double distance);
bool is_within(const Model& a, const Pose& pose_a, const Model& b, const Pose& pose_b, double distance);

/// collide() for every pose of the object, the environment at `environment_pose`; 1 where there is contact. On all
/// cores, the same for any number of threads (0: all). If it throws, nothing is left behind.
std::vector<std::uint8_t> collide_many(const Model& environment, const Model& object, std::span<const Pose> poses,
                                       const Pose& environment_pose = {}, const PairOptions& options = {},
                                       int threads = 0, const CollideRequest& request = {});

/// contacts() for every pose likewise, in the order of the poses. With at_most, which contacts are found may differ
/// between numbers of threads.
std::vector<Contacts> contacts_many(const Model& environment, const Model& object, std::span<const Pose> poses,
                                    const Pose& environment_pose = {}, const ContactRequest& request = {},
                                    const PairOptions& options = {}, int threads = 0);

/// distance() for every pose likewise; values are the same for any number of threads.
std::vector<Distance> distance_many(const Model& environment, const Model& object, std::span<const Pose> poses,
                                    const Pose& environment_pose = {}, const DistanceRequest& request = {},
                                    const PairOptions& options = {}, int threads = 0);

/// The same with a budget for each pose; to go on with what is not finished, ask a Pair of your own. What was found
/// so far goes to `so_far`, in the order of the poses.
std::vector<Certainty> collide_many(const Model& environment, const Model& object, std::span<const Pose> poses,
                                    const Pose& environment_pose, const CollideRequest& request, const Budget& budget,
                                    const PairOptions& options = {}, int threads = 0);
std::vector<Certainty> contacts_many(const Model& environment, const Model& object, std::span<const Pose> poses,
                                     const Pose& environment_pose, const ContactRequest& request, const Budget& budget,
                                     std::vector<Contacts>& so_far, const PairOptions& options = {}, int threads = 0);
std::vector<Certainty> distance_many(const Model& environment, const Model& object, std::span<const Pose> poses,
                                     const Pose& environment_pose, const DistanceRequest& request, const Budget& budget,
                                     const PairOptions& options = {}, int threads = 0);

}  // namespace tumble
