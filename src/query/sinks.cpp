// SPDX-License-Identifier: Apache-2.0
// Deciding and measuring what a walk left over.
#include "query/sinks.h"

#include "geometry/eight_distances.h"
#include "geometry/pair_filter.h"
#include "geometry/triangle_pair.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

namespace tumble {

MeasuredPair AnswerSink::measured(TrianglePair pair) const {
  return {pair, tumble::distance(bodies_.a.corners(pair.a), bodies_.b.corners(pair.b))};
}

bool AnswerSink::measure(TrianglePair pair) { return note(measured(pair)); }

void AnswerSink::glance_at(TrianglePair pair) { closest = measured(pair); }

bool AnswerSink::note(const MeasuredPair& here) {
  const bool is_closest = here.measured.distance_sq < closest.measured.distance_sq;
  if (is_closest) closest = here;
  return take_in(here, is_closest);
}

Verdict AnswerSink::verdict(bool all_seen) const {
  if (closest.measured.distance_sq == 0) return Verdict::colliding;
  return all_seen ? Verdict::free : Verdict::unknown;
}

bool AnswerSink::measure_by_gap(const LeafPairs& pairs) {
  const float *const gaps = pairs.gaps, *const reaches = pairs.reaches;
  for (std::uint32_t open = pairs.bits.open; open != 0;) {
    if (!measures) return decide({pairs.target_first, pairs.source_first, {.open = open}});
    int nearest = std::countr_zero(open);
    for (std::uint32_t rest = open & (open - 1); rest != 0; rest &= rest - 1)
      if (const int i = std::countr_zero(rest); gaps[i] < gaps[nearest]) nearest = i;
    if (gaps[nearest] > limit) return false;
    open &= ~(1u << nearest);
    const TrianglePair pair = bodies_.first_of(pairs, 1u << nearest);
    if (take_up(pair, gaps[nearest], reaches[nearest])) return true;
  }
  return false;
}

bool ContactSink::add(TrianglePair pair, ContactKind kind) {
  if (overlap_) {
    if (!overlap_->meet(pair, kind)) return false;
  } else if (ignore_touch_ && kind == ContactKind::touch) {
    ignored_touch_ = true;
    return false;
  }
  // Memory that was never touched costs nothing, but contacts are copied when they move: a third as many as if it
  // doubled.
  if (found_.size() == found_.capacity())
    found_.reserve(std::min(at_most_, std::max<std::size_t>(4 * found_.size(), 16)));
  found_.push_back({pair, kind});
  return overlap_ || tell() || found_.size() >= at_most_;
}

bool ContactSink::decide(const LeafPairs& pairs) {
  if (pairs.gaps) return measure_by_gap(pairs);
  for (std::uint32_t crossing = pairs.bits.crossing; crossing != 0; crossing &= crossing - 1)
    if (add(bodies_.first_of(pairs, crossing), ContactKind::cross)) return true;
  std::uint32_t open = pairs.bits.open;
  if (one_is_enough_ && patience_ > 0 && open != 0) {
    // Mostly the first one is a contact, or there is none, here and in the leaves to come.
    --patience_;
    if (decide_one(bodies_.first_of(pairs, open))) return true;
    for (open &= open - 1; open != 0; open &= open - 1)
      if (look_at_one(bodies_.first_of(pairs, open))) return true;
    return doubtful_.count > 0 && decide_doubtful();
  }
  for (; open != 0; open &= open - 1)
    if (open_.put(bodies_.first_of(pairs, open)) && look_at_open()) return true;
  return false;
}

bool ContactSink::look_at_one(TrianglePair pair) {
  switch (first_look(bodies_.a.corners(pair.a), bodies_.b.corners(pair.b))) {
    case FirstLook::apart: return false;
    case FirstLook::cross: return add(pair, ContactKind::cross);
    case FirstLook::unsure: break;
  }
  return doubtful_.put(pair) && take_second_look();
}

bool ContactSink::decide_doubtful() {
  constexpr std::size_t few = 2;  // as quick one by one
  if (doubtful_.count > few) return take_second_look();
  const std::size_t count = std::exchange(doubtful_.count, 0);
  for (std::size_t i = 0; i < count; ++i)
    if (decide_one(doubtful_.pairs[i])) return true;
  return false;
}

bool ContactSink::decide_one(TrianglePair pair) {
  const Corners a = bodies_.a.corners(pair.a), b = bodies_.b.corners(pair.b);
  // Nobody asks for the kind where one is enough, and it takes longer to find.
  if (one_is_enough_ && !ignore_touch_) return intersects(a, b) && add(pair, ContactKind::touch);
  const std::optional<ContactKind> kind = classify(a, b);
  return kind && add(pair, *kind);
}

bool ContactSink::look_at(Waiting& waiting, Look* look) {
  const std::size_t count = std::exchange(waiting.count, 0);
  const EightPairs pairs = bodies_.side_by_side({waiting.pairs.data(), count});
  const EightLooks looks = look(pairs, bodies_.pose_a, bodies_.pose_b);
  const bool is_first = look == static_cast<Look*>(first_look);
  if (&waiting == &open_) {
    constexpr int most = 6, eights = 15;
    const bool settles_little = looks.unsure != 0 && std::popcount(looks.unsure) >= most;
    straight_to_second_ = !is_first ? straight_to_second_ - 1 : settles_little ? eights : 0;
  }
  for (std::uint32_t open = (looks.cross | looks.touch | looks.coplanar | looks.unsure) & ((1u << count) - 1);
       open != 0; open &= open - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(open));
    const TrianglePair& pair = waiting.pairs[lane];
    const auto is = [lane](std::uint32_t lanes) { return (lanes >> lane & 1) != 0; };
    if (!is(looks.unsure)) {
      const ContactKind kind = is(looks.cross)      ? ContactKind::cross
                               : is(looks.coplanar) ? ContactKind::coplanar
                                                    : ContactKind::touch;
      if (add(pair, kind)) return true;
    } else if (is_first) {
      if (doubtful_.put(pair) && take_second_look()) return true;
    } else {
      const auto kind = classify_exactly(bodies_.a.corners(pair.a), bodies_.b.corners(pair.b));
      if (kind && add(pair, *kind)) return true;
    }
  }
  return false;
}

bool ContactSink::begin_with(TrianglePair pair) {
  if (one_is_enough_) return measure(pair);
  glance_at(pair);  // the walk will find it again
  measures = measures && closest.measured.distance_sq > 0;
  return false;
}

bool ContactSink::take_in(const MeasuredPair& here, bool) {
  if (here.measured.distance_sq > 0) return false;
  measures = false;
  return decide_one(here.pair);
}

Verdict ContactSink::verdict(bool all_seen) const {
  if (!found_.empty() || (!ignore_touch_ && closest.measured.distance_sq == 0)) return Verdict::colliding;
  return all_seen ? Verdict::free : Verdict::unknown;
}

WalkEnd ContactSink::finish(WalkEnd end, const Deadline&) {
  if (end == WalkEnd::ended_by_sink) return end;
  const bool ends = (open_.count > 0 && look_at_open()) || (doubtful_.count > 0 && decide_doubtful());
  return ends ? WalkEnd::ended_by_sink : end;
}

double NearestSink::allowed_below(double distance) const {
  if (distance > request_.upper_bound) return request_.upper_bound;
  const double least = (distance - request_.abs_error) / (1 + request_.rel_error);
  return std::min(least > 0 ? least : 0, request_.upper_bound);
}

double NearestSink::matters_below(double distance) const {
  const double allowed = allowed_below(distance);
  if (request_.last_bit || distance > request_.upper_bound) return allowed;
  return std::clamp(distance * (1 - 1e-12) - roundings_, 0.0, allowed);
}

double NearestSink::farthest() const {
  return request_.last_bit ? (allowed_below(upper_) + 10 * roundings_) * (1 + 2e-11) : matters_below(upper_);
}

bool NearestSink::is_too_far(double distance) {
  if (upper_ < closest.distance()) measure(upper_pair_);  // a bound would not tell ties apart
  if (is_certainly_beyond(distance, allowed_below(upper_), roundings_)) return true;
  if (request_.last_bit || upper_ > request_.upper_bound || !(distance > matters_below(upper_))) return false;
  left_out_ = std::min(left_out_, distance);
  return true;
}

double NearestSink::lower() const { return std::min(allowed_below(closest.distance()), left_out_); }

Verdict NearestSink::verdict(bool all_seen) const {
  if (closest.measured.distance_sq == 0) return Verdict::colliding;
  return all_seen && (allowed_below(closest.distance()) > 0 || is_farther()) ? Verdict::free : Verdict::unknown;
}

bool NearestSink::take_in(const MeasuredPair& here, bool is_closest) {
  if (!is_closest) return false;
  note_upper(here.distance(), here.pair);
  return has_enough();
}

void NearestSink::note_upper(double distance, TrianglePair pair) {
  if (!(distance < upper_)) return;
  upper_ = distance;
  upper_pair_ = pair;
  limit = std::min(limit, gaps_.limit(allowed_below(distance)));
}

bool NearestSink::take_up(TrianglePair pair, float gap, float reach) {
  if (gaps_.know_well(gap, reach))  // not for NaN
    note_upper(gaps_.at_most(reach), pair);
  else if (patience_ > 0)
    return --patience_, measure(pair);
  waiting_[waiting_count_++] = pair;
  return waiting_count_ == EightPairs::lanes && bracket_waiting();
}

bool NearestSink::bracket_waiting() {
  const EightPairs pairs = bodies_.side_by_side({waiting_.data(), waiting_count_});
  const EightBrackets brackets = bracket_distances(pairs, bodies_.pose_a, bodies_.pose_b);
  std::size_t nearest = 0;
  for (std::size_t lane = 0; lane < waiting_count_; ++lane) {
    note_upper(brackets.high[lane], waiting_[lane]);
    if (brackets.low[lane] < brackets.low[nearest]) nearest = lane;
  }
  // Where a corner is nearest to a face, `high` is loose: measuring one pair makes up for it.
  const bool measures_nearest = brackets.low[nearest] < gaps_.much_nearer() * allowed_below(upper_);
  if (measures_nearest) measure(waiting_[nearest]);
  for (std::size_t lane = 0; lane < waiting_count_; ++lane) {
    const double low = brackets.low[lane] > 0 ? brackets.low[lane] : 0;  // also for NaN
    if (!(measures_nearest && lane == nearest) && low <= allowed_below(upper_))
      postponed_.push_back({waiting_[lane], low});
  }
  waiting_count_ = 0;
  if (postponed_.size() > postponed_at_most_) {
    drop_postponed();
    if (!request_.last_bit && postponed_.size() > postponed_at_most_) leave_out_ties();
    postponed_at_most_ = std::max(postponed_at_most_, 2 * postponed_.size());
  }
  return has_enough();
}

void NearestSink::drop_postponed() {
  const double allowed = allowed_below(upper_);
  std::erase_if(postponed_, [allowed](const PostponedPair& p) { return p.low > allowed; });
}

void NearestSink::leave_out_ties() {
  const double matters = matters_below(upper_);
  std::erase_if(postponed_, [&](const PostponedPair& p) {
    if (!(p.low > matters)) return false;
    left_out_ = std::min(left_out_, p.low);
    return true;
  });
}

WalkEnd NearestSink::finish(WalkEnd end, const Deadline& deadline) {
  if (waiting_count_ > 0 && !has_enough()) bracket_waiting();
  if (upper_ < closest.distance()) measure(upper_pair_);
  drop_postponed();
  if (end == WalkEnd::out_of_budget) return end;
  if (!std::exchange(postponed_is_sorted_, true))
    std::sort(postponed_.begin(), postponed_.end(),
              [](const PostponedPair& a, const PostponedPair& b) { return a.low > b.low; });
  while (!postponed_.empty() && !has_enough() && postponed_.back().low <= allowed_below(closest.distance())) {
    measure_postponed();  // some in any case, so that every call makes progress
    if (deadline.is_late()) return WalkEnd::out_of_budget;
  }
  postponed_.clear();
  return end;
}

double NearestSink::least_postponed() const {
  double least = std::numeric_limits<double>::infinity();
  for (const PostponedPair& p : postponed_) least = std::min(least, p.low);
  return least;
}

/// Up to eight from the end, as long as they matter.
void NearestSink::measure_postponed() {
  std::array<TrianglePair, EightPairs::lanes> pairs;
  std::size_t count = 0;
  bool are_apart = true;
  for (; count < pairs.size() && !postponed_.empty() && postponed_.back().low <= allowed_below(closest.distance());
       postponed_.pop_back()) {
    are_apart = are_apart && postponed_.back().low > 0;
    pairs[count++] = postponed_.back().pair;
  }
  if (!are_apart || count <= 2) {  // for two, one at a time is as quick
    for (std::size_t i = 0; i < count; ++i) measure(pairs[i]);
    return;
  }
  EightCorners of_a, of_b;
  for (std::size_t lane = 0; lane < pairs.size(); ++lane) {
    const TrianglePair& pair = pairs[lane < count ? lane : 0];
    of_a[lane] = bodies_.a.corners(pair.a);
    of_b[lane] = bodies_.b.corners(pair.b);
  }
  const auto distances = distances_apart(of_a, of_b);
  for (std::size_t lane = 0; lane < count; ++lane) note({pairs[lane], distances[lane]});
}

BandSink::BandSink(const PlacedPair& bodies, const WorldGaps& gaps, const WithinRequest& request, NearPairs& found)
    : AnswerSink(bodies),
      gaps_(gaps),
      follows_least_(false),
      distance_(request.distance),
      roundings_(roundings_of(bodies)),
      at_most_(request.at_most),
      found_(found) {
  measures = true;
  limit = gaps.limit(request.distance);
}

BandSink::BandSink(const PlacedPair& bodies, const WorldGaps& gaps, const ClosestPairsRequest& request,
                   NearPairs& found)
    : AnswerSink(bodies),
      gaps_(gaps),
      follows_least_(true),
      request_(request),
      roundings_(roundings_of(bodies)),
      found_(found) {
  measures = limit_falls = true;
  limit = gaps.limit(band(request.upper_bound));
}

bool BandSink::begin_with(TrianglePair pair) {
  if (at_most_ <= 1) return measure(pair);
  glance_at(pair);  // the walk will find it again
  if (follows_least_) lower_limit();
  return false;
}

bool BandSink::take_in(const MeasuredPair& here, bool is_closest) {
  if (follows_least_ && is_closest) lower_limit();
  const NearPair pair = here.named();
  const bool is_near = follows_least_ ? pair.distance <= widest() : here.measured.distance_sq <= distance_ * distance_;
  if (!is_near) return false;
  found_.push_back(pair);
  return tell() || found_.size() >= at_most_;
}

}  // namespace tumble
