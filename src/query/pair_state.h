// SPDX-License-Identifier: Apache-2.0
// Pair::State: two models, what makes their bounds comparable, and what is kept between queries.
#pragma once

#include "query/near_sinks.h"
#include "query/penetration.h"
#include "query/shells_inside.h"
#include "query/sinks.h"
#include "traverse/gap_walk.h"
#include "traverse/overlap_walk.h"
#include "traverse/placed_pair.h"
#include "traverse/relate.h"

#include <tumble/query.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>
#include <variant>
#include <vector>

namespace tumble {

struct Pair::State {
  Model environment, object;
  PairOptions options;
  bool environment_is_target = true;
  std::optional<Relation> relation;  // of the trees' frames
  std::unique_ptr<Realigner> realigner;
  RealignedNodes realigned;
  std::vector<VolumePair> stack;
  std::vector<FoundContact> found, found_scratch;
  std::optional<TrianglePair> last_contact;
  PairSolids solids;
  Front front;
  bool front_has_pose = false;
  int queries_without_front = 0;  // to come
  double source_radius = 0;       // in its tree's units
  NearPairs near_found, near_told;
  std::vector<PostponedPair> postponed;
  std::optional<TrianglePair> last_closest;
  /// The last question about distance or with a budget, until another one is asked, and its sink.
  std::optional<NearQuestion> question;
  std::variant<std::monostate, AnyContactSink, AllContactsSink, EachContactSink, WithinSink, IsWithinSink, DistanceSink,
               ClosestPairsSink, ClosingPairsSink>
      unfinished;
  ContactRequest request;  // of that question, as far as it is about contacts
  GapProgress near_progress;
  NearEnd near_end = NearEnd::out_of_budget;  // of the walk over the surfaces
  ShellsSeen shells_seen;                     // where bodies are solids, after the surfaces
  NearEnd shells_end = NearEnd::out_of_budget;
  Contacts inside_found;
  Contacts contacts_told, contacts_new;
  std::size_t told_inside = 0;
  std::optional<PenetrationSearch> penetrating;
  Certainty certain;        // of the last query with a budget
  std::size_t counted = 0;  // of what it found
  Counters counters;
  bool counts = false;
  bool is_walking = false;

  State(Model env, Model obj, const PairOptions& opts);

  const ModelData& target() const { return data_of(environment_is_target ? environment : object); }
  const ModelData& source() const { return data_of(environment_is_target ? object : environment); }

  PlacedPair bodies(const Pose& environment_pose, const Pose& object_pose) const {
    return {{data_of(environment), environment_pose}, {data_of(object), object_pose}, environment_is_target};
  }

  /// Before a question about solids; throws Error(not_closed).
  void prepare_solids() { solids.prepare(environment, object); }

  void count_contacts(std::size_t number) {
    if (counts) counters.contacts += number;
  }
  /// Of a question that may have been counted in part.
  void count_so_far(std::size_t number) {
    count_contacts(number - counted);
    counted = number;
  }

  void refuse_if_walking() const;

  /// Another question: what was unfinished is given up.
  void begin() {
    refuse_if_walking();
    unfinished = std::monostate{};
    penetrating.reset();
  }

  /// Walks the trees until the sink ends it, or all is seen.
  bool run(const PlacedPair& bodies, bool one_is_enough, Sink& sink) {
    return alone([&] { return run_alone(bodies, one_is_enough, sink); });
  }

  /// Does what may call a function of the caller's, which must not ask this pair meanwhile.
  template <class Work>
  std::invoke_result_t<Work> alone(const Work& work) {
    refuse_if_walking();
    is_walking = true;
    try {
      const auto ended = work();
      is_walking = false;
      return ended;
    } catch (...) {  // the caller's function threw, or memory ran out: half a front is none, nor is half a walk
      is_walking = false;
      front.drop();
      unfinished = std::monostate{};
      penetrating.reset();
      throw;
    }
  }

  /// The contacts found, sorted, as the request wants them.
  void tell_contacts(const PlacedPair& bodies, const ContactRequest& wanted, Contacts& into);

  /// Poses the question for what follows; what was unfinished is given up. Throws Error(not_closed) for solids.
  const NearQuestion& ask(const Pose& environment_pose, const Pose& object_pose, const ContactRequest& about = {});
  NearEnd walk_near(MeasuringSink& sink);

  /// With a budget, from the start or from where it stopped.
  Certainty hurry(MeasuringSink& sink, const Budget& budget, bool starts);
  Certainty hurry_collide(AnyContactSink& sink, const Budget& budget, bool starts);
  Certainty hurry_contacts(AllContactsSink& sink, const Budget& budget, bool starts, Contacts& so_far);
  Certainty hurry_contacts(EachContactSink& sink, const Budget& budget, bool starts,
                           const std::function<bool(const Contact&)>& each);
  Certainty hurry_distance(DistanceSink& sink, const Budget& budget, bool starts);
  Certainty hurry_within(WithinSink& sink, const Budget& budget, bool starts, NearPairs& so_far);
  Certainty hurry_is_within(IsWithinSink& sink, const Budget& budget, bool starts);
  Certainty hurry_closest(ClosestPairsSink& sink, const Budget& budget, bool starts, NearPairs& so_far);
  Certainty hurry_closing(ClosingPairsSink& sink, const Budget& budget, bool starts,
                          const std::function<bool(const NearPair&)>& each);
  Certainty hurry_penetration(AnyContactSink& sink, const Budget& budget, bool starts, Penetration& so_far);

 private:
  TreePair trees_at(const RelativePose& pose);
  bool run_alone(const PlacedPair& bodies, bool one_is_enough, Sink& sink);
  Front* front_for(const RelativePose& pose);
  bool compare_all(Sink& sink);

  bool bounds_serve(const RelativePose& pose) const;
  NearEnd run_near(NearSink& sink, const Deadline& allowed, bool starts, bool note_passed);
  NearEnd compare_all(NearSink& sink, const Deadline& allowed);
  Certainty certainty(const MeasuringSink& sink, NearEnd end) const;
  double separation(float gap) const;
  /// Surfaces without contact may still be those of solids that meet.
  void look_inside(const MeasuringSink& sink, const Deadline& allowed);
};

/// A contact that was found, as a request wants it, into one that is blank.
void fill_in(Contact& contact, const FoundContact& found, const PlacedPair& bodies, bool geometry);
void sort(NearPairs& pairs);

}  // namespace tumble
