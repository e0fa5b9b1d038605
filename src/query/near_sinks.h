// SPDX-License-Identifier: Apache-2.0
// What queries about distance do with the pairs of triangles a walk leaves over: measure each by the one routine
// (docs/semantics.md, promise 7), the most promising first.
#pragma once

#include "geometry/distance.h"
#include "geometry/eight_pairs.h"
#include "query/deadline.h"
#include "query/sinks.h"
#include "traverse/gap_walk.h"
#include "traverse/placed_pair.h"
#include "traverse/relate.h"
#include "traverse/world_gaps.h"

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
  PlacedPair bodies;
  RelativePose pose;
  WorldGaps ruler;

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

  /// Whether there is contact, given what was measured and whether that is all there is.
  virtual Verdict verdict(bool all_seen) const {
    if (closest.measured.distance_sq == 0) return Verdict::colliding;
    return all_seen ? Verdict::free : Verdict::unknown;
  }
  /// Pairs that were neither measured nor noted by the walk as passed over are at least so far apart.
  virtual double lower() const { return std::numeric_limits<double>::infinity(); }
  /// Pairs that are yet to be measured are at least so far apart.
  virtual double least_postponed() const { return std::numeric_limits<double>::infinity(); }
  /// After each walk: decides what waits, and measures what was postponed if the walk is over. Returns how that ended.
  virtual NearEnd finish(NearEnd end, const Deadline&) { return end; }

  MeasuredPair closest;

 protected:
  /// Whether a pair need not be measured now.
  virtual bool postpones(TrianglePair, float /*gap*/, float /*reach*/) { return false; }
  /// begin_with() of sinks that keep every pair they are told of.
  bool only_look_at(TrianglePair pair);
  /// A pair that was measured, and whether it is the closest so far. Returns true to end the walk; sets the limit.
  virtual bool ends_with(const MeasuredPair& here, bool is_closest) = 0;
  bool measured(const MeasuredPair& here);

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

  Verdict verdict(bool all_seen) const override {
    if (closest.measured.distance_sq == 0) return Verdict::colliding;
    return all_seen && (lower() > 0 || is_farther()) ? Verdict::free : Verdict::unknown;
  }
  double lower() const override { return allowed_below(std::sqrt(closest.measured.distance_sq)); }
  double least_postponed() const override;
  bool is_farther() const { return std::sqrt(closest.measured.distance_sq) > request_.upper_bound; }
  NearEnd finish(NearEnd end, const Deadline& allowed) override;

 private:
  /// The least the minimum may be for this distance to do; beyond the bound none does.
  double allowed_below(double distance) const {
    if (distance > request_.upper_bound) return request_.upper_bound;
    const double least = (distance - request_.abs_error) / (1 + request_.rel_error);
    return std::min(least > 0 ? least : 0, request_.upper_bound);
  }
  bool postpones(TrianglePair pair, float gap, float reach) override;
  bool ends_with(const MeasuredPair& here, bool is_closest) override;
  void note_upper(double distance, TrianglePair pair);
  void bracket_waiting();
  void drop_postponed();
  void measure_postponed();

  DistanceRequest request_;
  double upper_ = std::numeric_limits<double>::infinity();  // some pair is not farther apart than this:
  TrianglePair upper_pair_{};
  std::array<TrianglePair, EightPairs::lanes> waiting_;  // to be bracketed
  std::size_t waiting_count_ = 0;
  std::vector<PostponedPair>& postponed_;
  bool postponed_is_sorted_ = false;
  std::size_t postponed_at_most_ = 64;
};

/// Ends at the first pair at most so far apart.
class IsWithinSink final : public MeasuringSink {
 public:
  IsWithinSink(const NearQuestion& question, double distance)
      : MeasuringSink(question, distance), distance_sq_(distance * distance) {}

  bool is_near() const { return closest.measured.distance_sq <= distance_sq_; }

 private:
  bool ends_with(const MeasuredPair&, bool) override { return is_near(); }

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
class ClosingSink : public MeasuringSink {
 public:
  ClosingSink(const NearQuestion& question, const DistanceRequest& request)
      : MeasuringSink(question, request.upper_bound), request_(request) {
    limit = question_.ruler.limit(band(request.upper_bound));
    limit_falls = true;
  }

  bool begin_with(TrianglePair pair) final {
    only_look_at(pair);
    limit = std::min(limit, question_.ruler.limit(widest()));
    return false;
  }
  double lower() const final { return least(); }

  /// What counts beside the nearest so far.
  bool is_close(const NearPair& pair) const { return pair.distance <= widest(); }
  bool is_farther() const { return std::sqrt(closest.measured.distance_sq) > request_.upper_bound; }

 private:
  double band(double minimum) const { return minimum * (1 + request_.rel_error) + request_.abs_error; }
  double least() const { return std::min(std::sqrt(closest.measured.distance_sq), request_.upper_bound); }
  double widest() const { return band(least()); }
  bool ends_with(const MeasuredPair& here, bool is_closest) final {
    if (is_closest) limit = std::min(limit, question_.ruler.limit(widest()));
    const NearPair pair = here.named();
    return is_close(pair) && ends_after(pair);
  }
  virtual bool ends_after(const NearPair& pair) = 0;

  DistanceRequest request_;
};

/// Collects them; those that no longer count in the end are to be left out.
class ClosestPairsSink final : public ClosingSink {
 public:
  ClosestPairsSink(const NearQuestion& question, const DistanceRequest& request, NearPairs& found)
      : ClosingSink(question, request), found_(found) {}

 private:
  bool ends_after(const NearPair& pair) override { return found_.push_back(pair), false; }

  NearPairs& found_;
};

/// Hands them on until told to end.
class ClosingPairsSink final : public ClosingSink {
 public:
  using ClosingSink::ClosingSink;

  const std::function<bool(const NearPair&)>* each = nullptr;
  std::size_t count = 0;

 private:
  bool ends_after(const NearPair& pair) override { return ++count, !(*each)(pair); }
};

/// Contacts, up to a number. Until there is one pairs are measured, for an interval that holds the distance; from then
/// on that is zero, and pairs are decided as without a budget.
class ContactSink : public MeasuringSink, private Sink {
 public:
  ContactSink(const NearQuestion& question, bool ignore_touch, std::size_t at_most, std::vector<FoundContact>& found)
      : MeasuringSink(question, 0),
        ignore_touch_(ignore_touch),
        at_most_(at_most),
        found_(found),
        others_(question.bodies, ignore_touch, at_most, found) {}

  using MeasuringSink::decide;
  Verdict verdict(bool all_seen) const override {
    if (!found_.empty() || (!ignore_touch_ && closest.measured.distance_sq == 0)) return Verdict::colliding;
    return all_seen ? Verdict::free : Verdict::unknown;
  }
  NearEnd finish(NearEnd end, const Deadline&) final;

 protected:
  void look_out_for_contacts() {
    if (closest.measured.distance_sq == 0) contacts = this;
  }

 private:
  bool ends_with(const MeasuredPair& here, bool) final;
  bool decide(std::uint32_t target_first, std::uint32_t source_first, LeafPairs pairs) final {
    const bool is_full = others_.decide(target_first, source_first, pairs);
    return ends_after_new() || is_full;
  }
  bool ends_after_new();
  /// Of one that counts. Returns true to end the walk.
  virtual bool ends_after(const FoundContact&) { return false; }

  bool ignore_touch_;
  std::size_t at_most_, told_ = 0;
  std::vector<FoundContact>& found_;
  AllSink others_;
};

/// The same sink for questions that cannot be gone on with as each other.
struct AnyContactSink final : ContactSink {
  using ContactSink::ContactSink;
};
struct AllContactsSink : ContactSink {
  using ContactSink::ContactSink;
  bool begin_with(TrianglePair pair) final {
    only_look_at(pair);
    look_out_for_contacts();
    return false;
  }
};
class EachContactSink final : public AllContactsSink {
 public:
  using AllContactsSink::AllContactsSink;

  const std::function<bool(const FoundContact&)>* each = nullptr;

 private:
  bool ends_after(const FoundContact& contact) override { return !(*each)(contact); }
};

}  // namespace tumble
