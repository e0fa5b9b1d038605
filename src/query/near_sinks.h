// SPDX-License-Identifier: Apache-2.0
// What queries about distance do with the pairs of triangles a walk leaves over: measure each by the one routine
// (docs/semantics.md, promise 7), the most promising first.
#pragma once

#include "geometry/distance.h"
#include "geometry/eight_pairs.h"
#include "query/bodies.h"
#include "query/sinks.h"
#include "traverse/near_walk.h"
#include "traverse/relate.h"
#include "traverse/ruler.h"

#include <tumble/budget.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

namespace tumble {

/// Two bodies at rest for as long as a question about them takes, which may be several calls.
struct NearQuestion {
  Pose environment_pose, object_pose;
  Bodies bodies;
  RelativePose pose;
  Ruler ruler;

  NearQuestion(const ModelData& environment, const Pose& at_environment, const ModelData& object, const Pose& at_object,
               bool environment_is_target, const Relation& relation);
  NearQuestion(const NearQuestion&) = delete;
  NearQuestion& operator=(const NearQuestion&) = delete;
};

struct MeasuredPair {
  TrianglePair pair{};
  TriangleDistance measured{std::numeric_limits<double>::infinity(), {}, {}};

  NearPair named() const {
    return {pair.environment, pair.object, std::sqrt(measured.distance_sq), measured.on_a, measured.on_b};
  }
};

class MeasuringSink : public NearSink {
 public:
  /// Pairs farther apart than `distance` are of no interest.
  MeasuringSink(const NearQuestion& question, double distance) : question_(question) {
    limit = question.ruler.limit(distance);
  }

  bool decide(std::uint32_t target_first, std::uint32_t source_first, std::uint32_t pairs, const float* gaps,
              const float* reaches) final;
  /// Returns true to end the walk.
  bool measure(TrianglePair pair);
  /// The same of a pair that the walk may come by again.
  virtual bool begin_with(TrianglePair pair) { return measure(pair); }

  /// Whether there is contact, given what was measured and whether that is all that matters.
  virtual Verdict verdict(bool finished) const {
    if (closest.measured.distance_sq == 0) return Verdict::colliding;
    return finished ? Verdict::free : Verdict::unknown;
  }
  /// Pairs that were neither measured nor noted by the walk as passed over are at least so far apart.
  virtual double lower() const { return std::numeric_limits<double>::infinity(); }
  /// After each walk, ended or interrupted.
  virtual void finish() {}

  MeasuredPair closest;

 protected:
  /// Whether a pair need not be measured now.
  virtual bool postpones(TrianglePair, float /*gap*/, float /*reach*/) { return false; }
  /// begin_with() of sinks that keep every pair they are told of.
  bool only_look_at(TrianglePair pair);
  /// A pair that was measured, and whether it is the closest so far. Returns true to end the walk; sets the limit.
  virtual bool ends_with(const MeasuredPair& here, bool is_closest) = 0;

  const NearQuestion& question_;
};

/// A pair of triangles that is measured only if nothing nearer turns up.
struct PostponedPair {
  TrianglePair pair;
  double low;  // its distance is at least this
};

/// The minimum, or what an error allowance makes of it. Where single precision knows a distance well the limit falls by
/// that, and measuring waits: eight such pairs at a time are bracketed in double precision, and most are out of the
/// race before they would be measured.
class DistanceSink final : public MeasuringSink {
 public:
  DistanceSink(const NearQuestion& question, const DistanceRequest& request, std::vector<PostponedPair>& postponed)
      : MeasuringSink(question, request.upper_bound), request_(request), postponed_(postponed) {
    limit_falls = true;
    postponed_.clear();
  }

  Verdict verdict(bool finished) const override {
    if (closest.measured.distance_sq == 0) return Verdict::colliding;
    return finished && (lower() > 0 || is_farther()) ? Verdict::free : Verdict::unknown;
  }
  double lower() const override { return allowed_below(std::sqrt(closest.measured.distance_sq)); }
  bool is_farther() const { return std::sqrt(closest.measured.distance_sq) > request_.upper_bound; }
  void finish() override;

 private:
  /// The least the minimum may be for this distance to do.
  double allowed_below(double distance) const {
    const double least = (distance - request_.abs_error) / (1 + request_.rel_error);
    return std::min(least > 0 ? least : 0, request_.upper_bound);
  }
  bool postpones(TrianglePair pair, float gap, float reach) override;
  bool ends_with(const MeasuredPair& here, bool is_closest) override;
  void note_upper(double distance, TrianglePair pair);
  void bracket_waiting();
  void drop_postponed();

  DistanceRequest request_;
  double upper_ = std::numeric_limits<double>::infinity();  // some pair is not farther apart than this:
  TrianglePair upper_pair_{};
  std::array<TrianglePair, EightPairs::lanes> waiting_;  // to be bracketed
  std::size_t waiting_count_ = 0;
  std::vector<PostponedPair>& postponed_;
  std::size_t postponed_at_most_ = 64;
};

/// Ends at the first pair at most so far apart.
class IsWithinSink final : public MeasuringSink {
 public:
  IsWithinSink(const NearQuestion& question, double distance)
      : MeasuringSink(question, distance), distance_sq_(distance * distance) {}

 private:
  bool ends_with(const MeasuredPair& here, bool) override { return here.measured.distance_sq <= distance_sq_; }

  double distance_sq_;
};

/// All pairs at most so far apart.
class WithinSink final : public MeasuringSink {
 public:
  WithinSink(const NearQuestion& question, double distance, std::vector<NearPair>& found)
      : MeasuringSink(question, distance), distance_sq_(distance * distance), found_(found) {}

  bool begin_with(TrianglePair pair) override { return only_look_at(pair); }

 private:
  bool ends_with(const MeasuredPair& here, bool) override {
    if (here.measured.distance_sq <= distance_sq_) found_.push_back(here.named());
    return false;
  }

  double distance_sq_;
  std::vector<NearPair>& found_;
};

/// Pairs not much farther apart than the nearest so far (Fünzig 2003, section 5: weak approximate minimum distance).
class ClosingSink final : public MeasuringSink {
 public:
  using Each = std::function<bool(const NearPair&)>;
  /// Pairs go to `found`, or to `each` if there is one.
  ClosingSink(const NearQuestion& question, const DistanceRequest& request, std::vector<NearPair>* found,
              const Each* each)
      : MeasuringSink(question, request.upper_bound), request_(request), found_(found), each_(each) {
    limit = question_.ruler.limit(band(request.upper_bound));
    limit_falls = true;
  }

  /// The farthest that counts beside a minimum.
  double band(double minimum) const { return minimum * (1 + request_.rel_error) + request_.abs_error; }

 private:
  bool ends_with(const MeasuredPair& here, bool is_closest) override {
    const double wanted = band(std::min(std::sqrt(closest.measured.distance_sq), request_.upper_bound));
    if (is_closest) limit = std::min(limit, question_.ruler.limit(wanted));
    const NearPair pair = here.named();
    if (!(pair.distance <= wanted)) return false;
    if (each_) return !(*each_)(pair);
    found_->push_back(pair);
    return false;
  }

  DistanceRequest request_;
  std::vector<NearPair>* found_;
  const Each* each_;
};

/// Contacts, up to a number.
class ContactSink : public MeasuringSink {
 public:
  ContactSink(const NearQuestion& question, bool ignore_touch, std::size_t at_most, std::vector<FoundContact>& found)
      : MeasuringSink(question, 0), ignore_touch_(ignore_touch), at_most_(at_most), found_(found) {}

  Verdict verdict(bool finished) const override {
    if (!found_.empty() || (!ignore_touch_ && closest.measured.distance_sq == 0)) return Verdict::colliding;
    return finished ? Verdict::free : Verdict::unknown;
  }

 private:
  bool ends_with(const MeasuredPair& here, bool) override;

  bool ignore_touch_;
  std::size_t at_most_;
  std::vector<FoundContact>& found_;
};

/// The same sink for two questions that cannot be gone on with as each other.
struct AnyContactSink final : ContactSink {
  using ContactSink::ContactSink;
};
struct AllContactsSink final : ContactSink {
  using ContactSink::ContactSink;
  bool begin_with(TrianglePair pair) override { return only_look_at(pair); }
};

}  // namespace tumble
