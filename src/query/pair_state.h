// SPDX-License-Identifier: Apache-2.0
// Pair::State: two models, what makes their bounds comparable, and what is kept between queries.
#pragma once

#include "query/bodies.h"
#include "query/shells_inside.h"
#include "query/sinks.h"
#include "traverse/relate.h"
#include "traverse/walk.h"

#include <tumble/query.h>

#include <memory>
#include <optional>
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

  /// Walks the trees until the sink ends it, or all is seen; bodies at most `near` apart count as near.
  bool run(const Bodies& bodies, double near, bool one_is_enough, Sink& sink) {
    return alone([&] { return run_alone(bodies, near, one_is_enough, sink); });
  }

  /// Does what may call a function of the caller's, which must not ask this pair meanwhile.
  template <class Work>
  bool alone(const Work& work) {
    refuse_if_walking();
    is_walking = true;
    try {
      const bool ended = work();
      is_walking = false;
      return ended;
    } catch (...) {  // the caller's function threw: half a front is none
      is_walking = false;
      front.drop();
      throw;
    }
  }

 private:
  void refuse_if_walking() const;
  bool run_alone(const Bodies& bodies, double near, bool one_is_enough, Sink& sink);
  Front* front_for(const RelativePose& pose);
  bool compare_all(Sink& sink);
};

}  // namespace tumble
