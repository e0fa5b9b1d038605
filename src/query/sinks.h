// SPDX-License-Identifier: Apache-2.0
// What questions do with the pairs of triangles a walk leaves over. One sink for each kind of answer: contacts, the
// nearest pair, and all pairs in a band of distances.
#pragma once

#include "geometry/distance.h"
#include "geometry/eight_pairs.h"
#include "query/overlap.h"
#include "traverse/deadline.h"
#include "traverse/placed_pair.h"
#include "traverse/sink.h"
#include "traverse/walk_end.h"
#include "traverse/world_gaps.h"

#include <tumble/budget.h>
#include <tumble/contact.h>
#include <tumble/requests.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace tumble {

struct MeasuredPair {
  TrianglePair pair{};
  TriangleDistance measured{std::numeric_limits<double>::infinity(), {}, {}};

  double distance() const { return std::sqrt(measured.distance_sq); }
  NearPair named() const { return {pair.a, pair.b, distance(), measured.on_a, measured.on_b, false}; }
};

/// Told that a sink has found something, while somebody listens.
class Listener {
 public:
  /// Returns true to end the walk.
  virtual bool tell_news() = 0;

 protected:
  ~Listener() = default;
};

/// A sink as a question sees it. It measures pairs by the one distance routine (docs/semantics.md, promise 7), the most
/// promising first, and says what is certain from what it measured.
class AnswerSink : public Sink {
 public:
  /// Measures a pair that a walk left over. Returns true to end the walk.
  bool measure(TrianglePair pair);
  /// Before a walk: looks at a pair that it may meet again. Returns true if that is enough.
  virtual bool begin_with(TrianglePair pair) = 0;
  /// Makes the pair `closest`; it still counts as not seen.
  void glance_at(TrianglePair pair);

  /// Whether there is contact, given what was seen and whether that is all there is.
  virtual Verdict verdict(bool all_seen) const;
  /// Pairs that were neither measured nor noted as passed over are at least this far apart.
  virtual double lower() const { return std::numeric_limits<double>::infinity(); }
  /// Pairs yet to be measured are at least this far apart.
  virtual double least_postponed() const { return std::numeric_limits<double>::infinity(); }
  /// After each walk: decides what waits, and, if the walk is over, measures what was postponed. Returns how it ended.
  virtual WalkEnd finish(WalkEnd end, const Deadline&) { return end; }

  MeasuredPair closest;
  Listener* listener = nullptr;  // during a call

 protected:
  explicit AnswerSink(const PlacedPair& bodies) : bodies_(bodies) {}

  /// Measures open pairs, the nearest first; decides the rest once `measures` is off.
  bool measure_by_gap(const LeafPairs& pairs);
  /// Takes in a measured pair: lists it if it is asked for, lowers the limit. Returns true to end the walk.
  virtual bool take_in(const MeasuredPair& here, bool is_closest) = 0;
  /// Takes a pair that a walk left over, with what single precision knows of its distance. Returns true to end the
  /// walk.
  virtual bool take_up(TrianglePair pair, float /*gap*/, float /*reach*/) { return measure(pair); }
  bool note(const MeasuredPair& here);
  MeasuredPair measured(TrianglePair pair) const;
  /// Distances of pairs are rounded by less, and so are those of the same two planes.
  static double roundings_of(const PlacedPair& bodies) { return 1e-14 * (bodies.a.reach() + bodies.b.reach()); }
  /// Whether pairs that are at least so far apart are measured as farther than `limit`.
  static bool is_certainly_beyond(double distance, double limit, double roundings) {
    return distance * (1 - 1e-11) - 10 * roundings - WorldGaps::lost_squares > limit;
  }
  bool tell() const { return listener && listener->tell_news(); }

  const PlacedPair& bodies_;
};

struct FoundContact {
  TrianglePair pair;
  ContactKind kind;
};

/// Contacts, up to a number. Pairs that come without gaps are decided exactly, eight at a time; where one contact is
/// enough, those of the first few leaves one by one. Pairs that come with gaps are measured until there is contact, for
/// an interval that holds the distance; from then on that is zero, and no more gaps are asked for.
class ContactSink final : public AnswerSink {
 public:
  /// Where one is enough its kind is of no interest.
  ContactSink(const PlacedPair& bodies, bool ignore_touch, bool one_is_enough, std::size_t at_most,
              std::vector<FoundContact>& found)
      : AnswerSink(bodies),
        ignore_touch_(ignore_touch),
        one_is_enough_(one_is_enough),
        at_most_(std::max<std::size_t>(at_most, 1)),  // one decides whether there is any
        found_(found) {}
  /// Asks for an overlap: the search takes in all contacts, and one that proves it is enough.
  void hand_to(OverlapSearch& overlap) { overlap_ = &overlap; }
  /// Asks for gaps, until there is contact.
  void measure_until_contact(const WorldGaps& gaps) {
    measures = true;
    limit = gaps.limit(0);
  }

  bool decide(const LeafPairs& pairs) override;
  bool is_too_far(double distance) override { return distance > 0; }
  double farthest() const override { return 0; }
  bool begin_with(TrianglePair pair) override;
  /// Decides one pair exactly. Returns true if nothing more needs to be found.
  bool decide_one(TrianglePair pair);
  Verdict verdict(bool all_seen) const override;
  WalkEnd finish(WalkEnd end, const Deadline&) override;
  /// Whether there may have been a touch that does not count.
  bool ignored_touch() const { return ignored_touch_; }

 private:
  bool take_in(const MeasuredPair& here, bool is_closest) override;
  /// Pairs that wait until there are eight of them.
  struct Waiting {
    std::size_t count = 0;
    std::array<TrianglePair, EightPairs::lanes> pairs;

    /// Returns true if there are as many as fit.
    bool put(TrianglePair pair) {
      pairs[count++] = pair;
      return count == pairs.size();
    }
  };
  using Look = EightLooks(const EightPairs&, const Pose&, const Pose&);

  // These return true to end the walk.
  bool add(TrianglePair pair, ContactKind kind);
  bool look_at(Waiting& waiting, Look* look);
  /// Where faces lie on each other a first look settles next to nothing, and a second one comes at once.
  bool look_at_open() { return look_at(open_, straight_to_second_ > 0 ? second_look : first_look); }
  bool take_second_look() { return look_at(doubtful_, second_look); }
  bool look_at_one(TrianglePair pair);
  bool decide_doubtful();

  bool ignore_touch_, one_is_enough_;
  std::size_t at_most_;
  std::vector<FoundContact>& found_;
  OverlapSearch* overlap_ = nullptr;
  bool ignored_touch_ = false;
  int patience_ = 4;            // where one is enough: so many more leaves are decided at once
  Waiting open_, doubtful_;     // for a first and a second look
  int straight_to_second_ = 0;  // so many more eights
};

/// A pair of triangles that is measured only if nothing nearer turns up.
struct PostponedPair {
  TrianglePair pair;
  double low;  // its distance is at least this
};

/// Finds the nearest pair, to within the error allowed. Pairs wait until there are eight: these are bracketed in double
/// precision, and most drop out before they are measured. Where single precision knows a distance well, the limit falls
/// to it at once; where it cannot exclude contact, the first few pairs are measured at once. Once a pair is so near
/// that only a contact would still matter, the sink can end the walk: contacts are found faster by overlap.
class NearestSink final : public AnswerSink {
 public:
  NearestSink(const PlacedPair& bodies, const WorldGaps& gaps, const DistanceRequest& request,
              std::vector<PostponedPair>& postponed)
      : AnswerSink(bodies), gaps_(gaps), request_(request), postponed_(postponed) {
    measures = limit_falls = true;
    limit = gaps.limit(request.upper_bound);
    postponed_.clear();
    roundings_ = roundings_of(bodies);
    // Few ties are measured quickly, and nobody wonders about the last digit.
    const std::size_t pairs = bodies.a.model.triangles.size() * bodies.b.model.triangles.size();
    request_.last_bit |= pairs <= few_pairs;
  }

  bool decide(const LeafPairs& pairs) override { return measure_by_gap(pairs); }
  bool begin_with(TrianglePair pair) override { return measure(pair); }
  Verdict verdict(bool all_seen) const override;
  double lower() const override;
  bool is_too_far(double distance) override;
  double farthest() const override;
  double least_postponed() const override;
  WalkEnd finish(WalkEnd end, const Deadline& deadline) override;
  bool is_farther() const { return closest.distance() > request_.upper_bound; }

  /// Whether it may end a walk as soon as only contacts matter. Then somebody else must look for them.
  void leave_contacts_to_others(bool leaves) { leaves_contacts_ = leaves; }
  bool has_left_contacts() const { return leaves_contacts_ && only_contacts_matter(); }
  /// Those left to others: there is none.
  void note_no_contact() { left_out_ = 0; }

 private:
  /// The nearest pair ties with all that are apart.
  bool only_contacts_matter() const {
    const double nearest = closest.distance();
    return nearest > 0 && !is_farther() && allowed_below(nearest) > 0 && matters_below(nearest) == 0;
  }
  /// It will do if no pair is nearer than the result; beyond the bound none does.
  double allowed_below(double distance) const;
  /// Given a pair at this distance, others that are at least so far apart do not matter. Never below 0, so that a
  /// contact always does.
  double matters_below(double distance) const;
  bool take_up(TrianglePair pair, float gap, float reach) override;
  bool take_in(const MeasuredPair& here, bool is_closest) override;
  bool has_enough() const { return (allowed_below(closest.distance()) == 0 && !is_farther()) || has_left_contacts(); }
  void note_upper(double distance, TrianglePair pair);
  /// Returns true to end the walk.
  bool bracket_waiting();
  void drop_postponed();
  void leave_out_ties();
  void measure_postponed();

  const WorldGaps& gaps_;
  DistanceRequest request_;
  static constexpr std::size_t few_pairs = 10'000;
  double roundings_;  // within which pairs tie
  bool leaves_contacts_ = false;
  /// Pairs that tie and were left out are at least this far apart.
  double left_out_ = std::numeric_limits<double>::infinity();
  double upper_ = std::numeric_limits<double>::infinity();  // some pair is not farther apart than this:
  TrianglePair upper_pair_{};
  std::array<TrianglePair, EightPairs::lanes> waiting_;  // to be bracketed
  std::size_t waiting_count_ = 0;
  int patience_ = 4;  // so many more pairs that may be in contact are measured at once
  std::vector<PostponedPair>& postponed_;
  bool postponed_is_sorted_ = false;
  std::size_t postponed_at_most_ = 64;
};

/// All pairs in a band of distances: up to a fixed one, or up to a little more than the least (Fünzig 2003, section 5).
/// The second kind collects pairs that were in the band when they were met; the minimum may fall afterwards.
class BandSink final : public AnswerSink {
 public:
  BandSink(const PlacedPair& bodies, const WorldGaps& gaps, const WithinRequest& request, NearPairs& found);
  BandSink(const PlacedPair& bodies, const WorldGaps& gaps, const ClosestPairsRequest& request, NearPairs& found);

  bool decide(const LeafPairs& pairs) override { return measure_by_gap(pairs); }
  bool begin_with(TrianglePair pair) override;
  double lower() const override { return follows_least_ ? least() : AnswerSink::lower(); }
  bool is_too_far(double distance) override { return is_certainly_beyond(distance, band_end(), roundings_); }
  double farthest() const override { return (band_end() + 10 * roundings_) * (1 + 2e-11); }

  /// One body is found inside the other: their distance is 0.
  void note_inside() { has_inside_ = true; }
  /// Whether a pair that was found is still in the band.
  bool holds(const NearPair& pair) const { return !follows_least_ || (!is_farther() && pair.distance <= widest()); }

 private:
  double band(double minimum) const { return minimum * (1 + request_.rel_error) + request_.abs_error; }
  double least() const { return has_inside_ ? 0 : std::min(closest.distance(), request_.upper_bound); }
  double widest() const { return band(least()); }
  double band_end() const { return follows_least_ ? widest() : distance_; }
  bool is_farther() const { return !has_inside_ && closest.distance() > request_.upper_bound; }
  bool take_in(const MeasuredPair& here, bool is_closest) override;
  void lower_limit() { limit = std::min(limit, gaps_.limit(widest())); }

  const WorldGaps& gaps_;
  bool follows_least_, has_inside_ = false;
  ClosestPairsRequest request_{};  // of a band that follows the least
  double distance_ = 0;            // of a fixed one
  double roundings_;
  std::size_t at_most_ = std::numeric_limits<std::size_t>::max();
  NearPairs& found_;
};

}  // namespace tumble
