// SPDX-License-Identifier: Apache-2.0
// Question: one question about two bodies, from asking to the answer. It can stop at any point and go on later.
#pragma once

#include "query/check_requests.h"
#include "query/findings.h"
#include "query/overlap.h"
#include "query/overlap_depth.h"
#include "query/pair_memory.h"
#include "query/pair_setup.h"
#include "query/penetration.h"
#include "query/sinks.h"
#include "traverse/gap_walk.h"
#include "traverse/overlap_walk.h"
#include "traverse/realigned_nodes.h"

#include <tumble/budget.h>
#include <tumble/counters.h>
#include <tumble/requests.h>
#include <tumble/solid.h>

#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <type_traits>
#include <variant>
#include <vector>

namespace tumble {

/// Memory that walks write on, kept for its capacity. Nothing in it outlives a question.
struct Scratch {
  RealignedNodes realigned;
  std::vector<VolumePair> stack;
  std::vector<PostponedPair> postponed;
  std::vector<FoundContact> contacts;  // of a walk that looks for one
};

/// Counts operations while it is on.
struct Tally {
  bool is_on = false;
  Counters counters;

  Counters* in_use() { return is_on ? &counters : nullptr; }
  void add_triangle_pair() { counters.np += is_on; }
};

/// Its steps: it walks the surfaces and measures what the sink put off. For solids it then looks for shells of one body
/// inside the other, and for an overlap at the faces that have contact; for depths it searches the deepest points, and
/// where it finds none it asks whether the solids overlap. It makes lists when it is asked for them.
class Question {
 public:
  /// Starts a new question and gives up the old one. Throws for requests out of range or meshes not closed; nothing is
  /// in progress then. `setup`, `memory` and `tally` must live until the next begin().
  template <class T>
  void begin(const PairSetup& setup, PairMemory& memory, Tally& tally, const Pose& pose_a, const Pose& pose_b,
             const T& request) {
    abandon();
    check(request);
    wanted_ = wanted_of(request);
    place(setup, memory, tally, pose_a, pose_b);
    request_ = request;
    if constexpr (std::is_same_v<T, PenetrationRequest>) depths_.emplace(placed_->bodies.a, placed_->bodies.b, request);
    if constexpr (std::is_same_v<T, OverlapDepthRequest>)
      largest_.emplace(placed_->bodies.a, placed_->bodies.b, request);
    state_ = State::asked;
  }
  /// Gives up what is in progress.
  void abandon();
  bool is_in_progress() const { return state_ != State::none; }

  /// Runs to the end, as plain questions do. Computes no interval for the distance.
  void finish();
  /// Until the budget is spent. certain() then says what is certain.
  void run(const Budget& budget, const Told& told = {});

  // What was found so far.
  const Certainty& certain() const { return certain_; }
  bool is_colliding() const { return certain_.verdict == Verdict::colliding; }
  bool is_near() const { return !findings_.pairs.empty(); }
  Distance distance();
  Penetration penetration() const;
  OverlapDepth overlap_depth() const;
  /// Adds the contacts that were not listed before, and keeps the order.
  void list_new(Contacts& into) { findings_.list_new(into, state_ == State::answered); }
  void list(NearPairs& into) const;
  const Contacts& contacts();
  const NearPairs& pairs();

  const Request& request() const { return request_; }
  template <class T>
  bool is_about() const {
    return std::holds_alternative<T>(request_);
  }

 private:
  enum class State : std::uint8_t { none, asked, in_progress, answered };

  /// What a request asks of the steps.
  struct Wanted {
    bool finds_contacts = false;  // with a ContactSink
    bool ignore_touch = false;
    bool one_is_enough = false;
    bool geometry = true;  // of contacts
    bool solid = false;
    bool overlap = false;     // of solids, instead of contact
    bool starts_near = true;  // measure the last closest pair first: the walk is then shorter
    std::size_t at_most = std::numeric_limits<std::size_t>::max();
  };
  static Wanted wanted_of(const CollideRequest& r) {
    return {.finds_contacts = true,
            .ignore_touch = r.ignore_touch,
            .one_is_enough = true,
            .solid = r.solid,
            .overlap = r.solid && r.ignore_touch,
            .at_most = 1};
  }
  static Wanted wanted_of(const ContactRequest& r) {
    return {.finds_contacts = true,
            .ignore_touch = r.ignore_touch,
            .geometry = r.geometry,
            .solid = r.solid,
            .at_most = r.at_most};
  }
  static Wanted wanted_of(const PenetrationRequest&) {
    return {.finds_contacts = true, .one_is_enough = true, .solid = true, .at_most = 1};
  }
  static Wanted wanted_of(const OverlapDepthRequest&) { return wanted_of(PenetrationRequest{}); }
  static Wanted wanted_of(const DistanceRequest& r) { return {.solid = r.solid, .at_most = 1}; }
  static Wanted wanted_of(const WithinRequest& r) {
    return {.solid = r.solid, .starts_near = r.at_most <= 1, .at_most = r.at_most};
  }
  static Wanted wanted_of(const ClosestPairsRequest& r) { return {.solid = r.solid}; }
  static Wanted wanted_of(const ClosingPairsRequest& r) { return {.solid = r.solid}; }

  /// The two bodies in the world, and the pose of the source's tree relative to the target's.
  struct Placement {
    RelativePose pose;
    PlacedPair bodies;

    Placement(const PairSetup& setup, const Pose& pose_a, const Pose& pose_b)
        : pose(setup.a_is_target ? setup.relation.at(pose_a, pose_b) : setup.relation.at(pose_b, pose_a)),
          bodies(data_of(setup.a), pose_a, data_of(setup.b), pose_b, setup.a_is_target) {}
  };

  // The steps.
  void place(const PairSetup& setup, PairMemory& memory, Tally& tally, const Pose& pose_a, const Pose& pose_b);
  void open_sink();
  void work(const Deadline& deadline, bool wants_interval);
  WalkEnd walk_surfaces(const Deadline& deadline, bool starts, bool wants_interval);
  WalkEnd walk_by_gaps(const Deadline& deadline, bool starts, bool wants_interval);
  WalkEnd look_for_contact(NearestSink& nearest);
  bool begins_with(TrianglePair pair);
  WalkEnd walk_all(const Deadline& deadline);
  bool find_quickly();
  void look_at_shells(const Deadline& deadline, bool wants_interval);
  void search_shells(const Deadline& deadline);
  bool take_in(const ShellInside& shell);
  bool is_still_inside(const ShellInside& shell);
  void search_depths(const Deadline& deadline);
  bool found_no_depth() const;
  bool decide_overlap(const Deadline& deadline);
  bool only_touches() const;
  void remember();
  void count();

  TreePair trees(const RelativePose& pose);
  const WorldGaps& gaps();
  Certainty certainty(WalkEnd end);
  double separation(float gap);
  Distance inside_distance();

  // Who is asked what.
  const PairSetup* setup_ = nullptr;
  PairMemory* memory_ = nullptr;
  Tally* tally_ = nullptr;
  Request request_;
  Wanted wanted_;
  std::optional<Placement> placed_;
  std::optional<WorldGaps> gaps_;  // where distances matter

  // How far it has come.
  State state_ = State::none;
  bool is_quick_ = false;  // contacts by overlap alone, to the end
  std::variant<std::monostate, ContactSink, NearestSink, BandSink> sinks_;
  AnswerSink* sink_ = nullptr;  // the one of them in use
  GapProgress progress_;
  WalkEnd walk_end_ = WalkEnd::out_of_budget, shells_end_ = WalkEnd::out_of_budget;
  ShellSearch shell_search_;
  OverlapSearch overlap_search_;
  std::optional<PenetrationSearch> depths_;
  std::optional<OverlapDepthSearch> largest_;
  std::unique_ptr<Question> overlap_;                           // asked where a search for depths has found none
  bool a_may_reach_inside_ = true, b_may_reach_inside_ = true;  // of surfaces of solids that only touch

  // What it has found.
  Certainty certain_;
  Findings findings_;
  std::size_t counted_ = 0;
  Contacts listed_;
  NearPairs listed_pairs_;

  Scratch scratch_;
};

}  // namespace tumble
