// SPDX-License-Identifier: Apache-2.0
// World::State: what a world consists of, and which pairs of bodies a question is to be put to.
#pragma once

#include "world/asking.h"
#include "world/bodies.h"
#include "world/few_bodies.h"
#include "world/live_pairs.h"
#include "world/neighbours.h"

#include <tumble/world.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace tumble {

/// Of a pair, by step().
struct StepAnswer {
  ContactRange contacts;
  bool is_colliding = false, is_near = false;
};

/// Pairs of groups as a step finds them, in order.
struct Standing {
  std::vector<BodyPair> colliding, near, neighbours;
};

struct World::State {
  explicit State(const WorldOptions& how);
  /// The same bodies and events; what pairs keep is not copied.
  State(const State& other);

  WorldOptions options;
  Bodies bodies;
  Step step;                // the last one
  Standing standing;        // at its time
  bool is_working = false;  // for a caller's function, which must not call the world

  std::optional<BodyPair> last_hit;  // found by the last question that one pair answers
  Asking asking;
  std::vector<PairToAsk> pairs;  // of the question at hand, in the order of their ids
  struct Candidate {
    double gap;  // of the boxes
    PairToAsk pair;
  };
  std::vector<Candidate> candidates;  // scratch of closest()
  std::vector<StepAnswer> answers;    // scratch of step(), as are the next two
  Step next_step;
  Standing next_standing;
  std::uint64_t call = 0;  // counts steps

  /// Call after any change of bodies or interest, and after bodies moved.
  void note_change() { is_current_ = false; }
  void note_move() { is_current_ = is_current_ && has_few_; }

  /// Fills `pairs` with those of the subject whose boxes are at most `distance` apart; without a bound, with all.
  /// `for_solids`: throws Error(not_closed), naming the body, if one of the subject's pairs has a mesh that is not.
  void collect(const Subject& subject, double distance, bool for_solids);
  /// All neighbours that are to be tested; with `near_only`, of these only what may be in contact.
  void collect_neighbours(bool for_solids, bool near_only);

  /// None if one of them is not there any more, or they are not to be tested.
  std::optional<PairToAsk> pair_of(BodyPair ids);

  /// Whether it is a world of few bodies; see has_few_.
  bool has_few() const { return has_few_; }

  /// After a question: pairs keep no more than options allow.
  void limit_memory() { live_.limit_memory(options.memory); }

  /// How far to look for a nearest neighbour at first, and then; infinity once that would be everywhere.
  double first_reach(const Subject& subject);
  double next_reach(const Subject& subject, double reach);

  /// What all questions have cost: boxes and pairs looked at. For tests, which have no clock.
  std::uint64_t work() const { return work_ + (neighbours_ ? neighbours_->work() : 0); }

 private:
  /// Does what changes neighbours_. If memory runs out meanwhile they are given up, and made anew next time.
  template <class Work>
  void with_neighbours(const Work& work);
  void place_changes();
  void place_each_change();
  void refresh();
  bool do_overlap(Slot a, Slot b);
  void update_boxes();
  void collect_all(double distance);
  void collect_of(const Member& one, double distance);
  Member visiting(const Visitor& visitor);
  bool are_of_interest(const Member& a, const Member& b) const;
  void add(const Member& a, const Member& b);
  void check_closed() const;

  /// In a world of few bodies all pairs to be tested are live, and their boxes are looked at one by one: that takes
  /// less time than to find neighbours, and pairs keep what they know while they are apart.
  bool has_few_ = true;
  FewBodies few_;

  std::unique_ptr<Neighbours> neighbours_;  // none: of few bodies, or to be made
  /// As what a slot is among the neighbours.
  struct Placed {
    enum class As : std::uint8_t { nothing, standing, moving } as = As::nothing;
    std::uint32_t group = no_group;  // of several members

    friend bool operator==(const Placed&, const Placed&) = default;
  };
  std::vector<Placed> placed_;  // by slot
  LivePairs live_;
  std::uint32_t questions_ = 0;
  bool is_current_ = false;  // the live pairs; of few bodies, whatever their places

  std::optional<Visitor> visitor_;
  std::optional<Member> visiting_;  // and its place
  std::vector<Slot> slots_;         // scratch
  std::vector<BoxEntry> boxes_;     // scratch
  std::vector<SlotPair> found_;     // scratch
  std::vector<double> sizes_;       // scratch
  std::uint64_t work_ = 0;          // see work()
};

/// For rooms above this one.
struct WorldAccess {
  static const World::State& state(const World& world) { return world.state(); }
  static World::State& state(World& world) { return world.state(); }
};

/// While a caller's function runs.
class Working {
 public:
  explicit Working(World::State& world) : world_(world) { world_.is_working = true; }
  ~Working() { world_.is_working = false; }
  Working(const Working&) = delete;
  Working& operator=(const Working&) = delete;

 private:
  World::State& world_;
};

}  // namespace tumble
