// SPDX-License-Identifier: Apache-2.0
// Pair::State: two models, what makes their bounds comparable, and what is kept between queries.
#pragma once

#include "query/bodies.h"
#include "query/near_sinks.h"
#include "query/shells_inside.h"
#include "query/sinks.h"
#include "traverse/near_walk.h"
#include "traverse/relate.h"
#include "traverse/walk.h"

#include <tumble/query.h>

#include <chrono>
#include <cstdint>
#include <limits>
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
  WalkMemory memory;
  std::vector<FoundContact> found;
  std::optional<TrianglePair> last_contact;
  PairSolids solids;
  Front front;
  bool front_has_pose = false;
  int queries_without_front = 0;  // to come
  double source_radius = 0;       // in its tree's units
  NearPairs near_found;
  std::vector<PostponedPair> postponed;
  std::optional<TrianglePair> last_closest;
  /// The last question about distance or with a budget, until another one is asked, and its sink.
  std::optional<NearQuestion> question;
  std::variant<std::monostate, AnyContactSink, AllContactsSink, WithinSink, DistanceSink> unfinished;
  ContactRequest request;  // of the unfinished contacts
  bool of_solids = false;  // whether that question takes the bodies for solids
  NearProgress near_progress;
  Certainty certain;  // of the last query with a budget
  Counters counters;
  bool counts = false;
  bool is_walking = false;

  State(Model env, Model obj, const PairOptions& opts);

  const ModelData& target() const { return (environment_is_target ? environment : object).data(); }
  const ModelData& source() const { return (environment_is_target ? object : environment).data(); }

  Bodies bodies(const Pose& environment_pose, const Pose& object_pose) const {
    return {{environment.data(), environment_pose}, {object.data(), object_pose}, environment_is_target};
  }

  /// Before a question about solids; throws Error(not_closed).
  void prepare_solids() {
    refuse_if_walking();
    solids.prepare(environment, object);
  }

  void count_contacts(std::size_t number) {
    if (counts) counters.contacts += number;
  }

  /// Walks the trees until the sink ends it, or all is seen.
  bool run(const Bodies& bodies, bool one_is_enough, Sink& sink) {
    return alone([&] {
      unfinished = std::monostate{};
      return run_alone(bodies, one_is_enough, sink);
    });
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
    } catch (...) {  // the caller's function threw: half a front is none
      is_walking = false;
      front.drop();
      throw;
    }
  }

  /// The contacts found, sorted, as the request wants them.
  void tell_contacts(const Bodies& bodies, const ContactRequest& wanted, Contacts& into);

  /// Adds the shells inside the other body once all other contacts are known.
  void tell_inside(const Certainty& certainty, Contacts& into);

  /// Poses the question for what follows; what was unfinished is given up. Throws Error(not_closed) for solids.
  const NearQuestion& ask(const Pose& environment_pose, const Pose& object_pose, bool solid = false);
  NearEnd walk_near(MeasuringSink& sink);
  /// From the start, or from where it stopped.
  Certainty hurry(MeasuringSink& sink, const Budget& budget, bool starts);

 private:
  void refuse_if_walking() const;
  bool run_alone(const Bodies& bodies, bool one_is_enough, Sink& sink);
  Front* front_for(const RelativePose& pose);
  bool compare_all(Sink& sink);

  struct NearBudget {
    std::uint64_t node_pairs = std::numeric_limits<std::uint64_t>::max();
    std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
  };
  bool bounds_serve(const RelativePose& pose) const;
  NearEnd run_near(NearSink& sink, const NearBudget& budget, bool starts, bool note_passed);
  NearEnd compare_all(NearSink& sink, const NearBudget& budget);
  Certainty certainty(const MeasuringSink& sink, NearEnd end) const;
  double separation(float gap) const;
  /// Surfaces without contact may still be those of solids that meet.
  void look_inside(const MeasuringSink& sink);
};

}  // namespace tumble
