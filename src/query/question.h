// SPDX-License-Identifier: Apache-2.0
// Question: one question about two bodies, from asking to the answer. It can stop at any point and go on later.
#pragma once

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
#include <functional>
#include <optional>
#include <variant>
#include <vector>

namespace tumble {

/// Memory that walks and lists write on. Nothing in it outlives a question.
struct Scratch {
  RealignedNodes realigned;
  std::vector<VolumePair> stack;
  std::vector<FoundContact> sorting;
  Contacts merging;
};

/// Counts operations while it is on.
struct Tally {
  bool is_on = false;
  Counters counters;

  Counters* in_use() { return is_on ? &counters : nullptr; }
  void add_triangle_pair() { counters.np += is_on; }
  void add_contacts(std::size_t number) { counters.contacts += is_on ? number : 0; }
};

/// The caller's function to tell of finds during a call: one of the two, or none.
struct Told {
  const std::function<bool(const Contact&)>* contact = nullptr;
  const std::function<bool(const NearPair&)>* pair = nullptr;
};

/// It walks the surfaces and measures what the sink postponed. For solids it then looks for shells of one body inside
/// the other; for depths it searches the deepest points. It makes lists when it is asked for them.
class Question : private Listener {
 public:
  /// Starts a new question and gives up the old one. Throws for requests out of range or meshes not closed; nothing is
  /// in progress then. `setup`, `memory` and `tally` must live until the next begin().
  void begin(const PairSetup& setup, PairMemory& memory, Tally& tally, const Pose& pose_a, const Pose& pose_b,
             const Request& request);
  /// Gives up what is in progress.
  void abandon();
  bool is_in_progress() const { return phase_ != Phase::none; }

  /// For plain questions: to the end, without an interval for the distance.
  void finish();
  /// Works until the budget is spent; see certain().
  void run(const Budget& budget, const Told& told = {});

  // What was found so far.
  const Certainty& certain() const { return certain_; }
  bool is_colliding() const { return certain_.verdict == Verdict::colliding; }
  bool is_near() const { return !near_.empty(); }
  Distance distance() const;
  Penetration penetration() const;
  /// Adds the contacts not listed before, in sorted order.
  void list_new(Contacts& into);
  void list(NearPairs& into) const;
  const Contacts& contacts();
  const NearPairs& pairs();

  template <class T>
  bool is_about() const {
    return std::holds_alternative<T>(request_);
  }

 private:
  enum class Phase : std::uint8_t { none, asked, in_progress, answered };

  /// What a request asks of contacts and solids, whatever else it asks.
  struct Wanted {
    bool contacts = false;  // found by a ContactSink
    bool one_is_enough = false;
    bool ignore_touch = false, solid = false;
    std::size_t at_most = 1;
  };
  static Wanted wanted_of(const Request& request);

  // The steps.
  void open_sink();
  void work(const Deadline& deadline, bool wants_interval);
  WalkEnd walk_surfaces(const Deadline& deadline, bool starts, bool wants_interval);
  WalkEnd walk_all(const Deadline& deadline);
  bool find_quickly();
  void look_at_shells(const Deadline& deadline, bool wants_interval);
  void search_shells(const Deadline& deadline);
  void search_depths(const Deadline& deadline);
  void remember();
  void count();

  TreePair trees_at(const RelativePose& pose);
  const WorldGaps& gaps();
  Certainty certainty(WalkEnd end);
  double separation(float gap);
  static Distance named(const MeasuredPair& closest, double lower);
  Distance inside_distance() const;
  std::size_t count_close() const;
  void fill_in(Contact& contact, const FoundContact& found) const;

  bool is_heard() const { return told_.contact || told_.pair; }
  bool ends_with_news() override;
  void tell_closest();

  // Who is asked what.
  const PairSetup* setup_ = nullptr;
  PairMemory* memory_ = nullptr;
  Tally* tally_ = nullptr;
  Request request_;
  Wanted wanted_;
  std::optional<PlacedPair> bodies_;
  RelativePose pose_;              // of the source's tree beside the target's
  std::optional<WorldGaps> gaps_;  // where distances matter

  // How far it has come.
  Phase phase_ = Phase::none;
  bool is_quick_ = false;  // contacts without measuring, to the end
  std::variant<std::monostate, ContactSink, NearestSink, BandSink> sinks_;
  AnswerSink* sink_ = nullptr;  // the one of them in use
  GapProgress progress_;
  WalkEnd walk_end_ = WalkEnd::out_of_budget, shells_end_ = WalkEnd::out_of_budget;
  ShellSearch shell_search_;
  std::optional<PenetrationSearch> depths_;
  Certainty certain_;

  // What it has found, and how much of that was listed, told and counted.
  std::vector<FoundContact> found_;
  std::vector<ShellInside> shells_;
  NearPairs near_;
  std::vector<PostponedPair> postponed_;
  Contacts listed_;
  NearPairs listed_pairs_;
  struct Seen {
    std::size_t contacts = 0, shells = 0, pairs = 0;
  } listed_so_far_, told_so_far_;
  std::size_t counted_ = 0;
  Told told_;

  Scratch scratch_;
};

}  // namespace tumble
