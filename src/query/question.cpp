// SPDX-License-Identifier: Apache-2.0
// The steps of a question.
#include "query/question.h"

#include "bounds/reach.h"
#include "query/answer_order.h"
#include "query/deadline_of.h"
#include "traverse/all_pairs.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace tumble {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinite = std::numeric_limits<double>::infinity();
/// The gap of volumes of which nothing is known.
constexpr float unknown_gap = std::numeric_limits<float>::quiet_NaN();

/// Shells looked at whatever the budget, so that every call makes progress.
constexpr int shells_in_any_case = 1;

bool is_endless(const Budget& budget) {
  return budget.node_pairs == Budget{}.node_pairs && budget.time == Budget{}.time;
}

bool is_endless(const Deadline& deadline) {
  return deadline.node_pairs == Deadline{}.node_pairs && !deadline.has_time();
}

Distance named(const MeasuredPair& closest, double lower) {
  const auto& [pair, measured] = closest;
  return {closest.distance(), lower, false, pair.a, pair.b, measured.on_a, measured.on_b, false};
}
/// Of a contact that was decided, not measured.
Distance unmeasured(TrianglePair pair) {
  return {0, 0, false, pair.a, pair.b, {nan, nan, nan}, {nan, nan, nan}, false};
}

template <class... Cases>
struct Match : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Match(Cases...) -> Match<Cases...>;  // clang 14 needs to be told

}  // namespace

void Question::place(const PairSetup& setup, PairMemory& memory, Tally& tally, const Pose& pose_a, const Pose& pose_b) {
  setup_ = &setup;
  memory_ = &memory;
  tally_ = &tally;
  if (wanted_.solid) shell_search_.begin(setup.a, setup.b);
  placed_.emplace(setup, pose_a, pose_b);
  if (wanted_.overlap) overlap_search_.begin(placed_->bodies);
  findings_.begin(placed_->bodies, wanted_.geometry, wanted_.at_most);
  gaps_.reset();
  walk_end_ = shells_end_ = WalkEnd::out_of_budget;
  progress_.node_pairs = 0;
  certain_.verdict = Verdict::unknown;
  counted_ = 0;
}

void Question::abandon() {
  state_ = State::none;
  depths_.reset();
  largest_.reset();
  if (overlap_) overlap_->abandon();
}

void Question::finish() {
  is_quick_ = wanted_.finds_contacts;
  work({}, false);
}

void Question::run(const Budget& budget, const Told& told) {
  // The closest pairs are known only in the end.
  const bool tells_late = is_about<ClosestPairsRequest>();
  const Findings::Scope scope(findings_, tells_late && state_ != State::answered ? Told{} : told);
  if (state_ == State::asked) {
    is_quick_ = wanted_.finds_contacts && is_endless(budget);
    certain_ = {};
  } else if (findings_.tell_news()) {  // tells what earlier calls have found
    walk_end_ = shells_end_ = WalkEnd::ended_by_sink;
  }
  if (state_ == State::answered) return;
  work(deadline_of(budget, progress_.node_pairs), true);
  if (!tells_late || state_ != State::answered) return;
  const Findings::Scope late(findings_, told);
  findings_.tell_news();
}

const WorldGaps& Question::gaps() {
  if (!gaps_) {
    const Pose& target = placed_->bodies.target().pose;
    Mat3 to_world{{target.row(0), target.row(1), target.row(2)}};
    const Frame& frame = setup_->target().tree.frame;
    if (frame.is_turned()) to_world = to_world * transpose(frame.rotation);
    const RelativePose& pose = placed_->pose;
    const double radius = setup_->radii.target + setup_->radii.source * pose.scale;
    gaps_.emplace(pose, setup_->relation.to_units(), to_world, bounds_serve(pose) ? radius : infinite);
  }
  return *gaps_;
}

void Question::open_sink() {
  progress_.waiting.clear();
  progress_.postponed.clear();
  progress_.least_passed = known(unknown_gap);  // until a walk knows better
  const PlacedPair& bodies = placed_->bodies;
  if (wanted_.finds_contacts) {
    auto& contacts = sinks_.emplace<ContactSink>(bodies, wanted_.ignore_touch, wanted_.one_is_enough, wanted_.at_most,
                                                 findings_.contacts);
    if (wanted_.overlap) contacts.hand_to(overlap_search_);
    if (!is_quick_) contacts.measure_until_contact(gaps());
    sink_ = &contacts;
  } else if (const auto* within = std::get_if<WithinRequest>(&request_)) {
    sink_ = &sinks_.emplace<BandSink>(bodies, gaps(), *within, findings_.pairs);
  } else if (const auto* closest = std::get_if<ClosestPairsRequest>(&request_)) {
    sink_ = &sinks_.emplace<BandSink>(bodies, gaps(), *closest, findings_.pairs);
  } else if (const auto* closing = std::get_if<ClosingPairsRequest>(&request_)) {
    const ClosestPairsRequest band{closing->rel_error, closing->abs_error, closing->upper_bound, closing->solid};
    sink_ = &sinks_.emplace<BandSink>(bodies, gaps(), band, findings_.pairs);
  } else {
    sink_ = &sinks_.emplace<NearestSink>(bodies, gaps(), std::get<DistanceRequest>(request_), scratch_.postponed);
  }
}

/// Takes the steps in turn, as far as the deadline lets it.
void Question::work(const Deadline& deadline, bool wants_interval) {
  const bool starts = state_ == State::asked;
  if (starts) open_sink();
  state_ = State::in_progress;
  sink_->listener = findings_.has_listener() ? &findings_ : nullptr;
  if (walk_end_ == WalkEnd::out_of_budget) walk_end_ = walk_surfaces(deadline, starts, wants_interval);
  // The walk may have seen all while the sink has not yet measured all that it put off.
  WalkEnd end = sink_->finish(walk_end_, deadline);
  // One pair is measured in any case, so that there is an upper bound of the distance.
  if (wants_interval && !is_quick_ && std::isinf(sink_->closest.measured.distance_sq) &&
      begins_with(placed_->bodies.first_of({}, 1)))
    end = WalkEnd::ended_by_sink;
  sink_->listener = nullptr;
  if (end == WalkEnd::ended_by_sink || walk_end_ == WalkEnd::ended_by_sink) end = walk_end_ = WalkEnd::ended_by_sink;
  if (wants_interval && !is_quick_) {
    certain_ = certainty(end);
  } else {
    certain_.finished = end != WalkEnd::out_of_budget;
    certain_.verdict = sink_->verdict(end == WalkEnd::all_seen);
    if (wants_interval && !findings_.contacts.empty()) certain_.closest = unmeasured(findings_.contacts.front().pair);
  }
  if (wanted_.solid) look_at_shells(deadline, wants_interval);
  if (depths_ || largest_) search_depths(deadline);
  certain_.near = is_about<WithinRequest>() && is_near();
  if (certain_.finished && is_about<ClosestPairsRequest>()) {
    const auto& band = std::get<BandSink>(sinks_);
    std::erase_if(findings_.pairs, [&](const NearPair& pair) { return !band.holds(pair); });
  }
  if (certain_.finished) {
    const auto* distance = std::get_if<NearestSink>(&sinks_);
    if (distance && !is_colliding() && distance->is_farther())
      certain_.closest = {.lower = certain_.lower, .farther = true};
    remember();
    state_ = State::answered;
  }
  count();
}

WalkEnd Question::walk_surfaces(const Deadline& deadline, bool starts, bool wants_interval) {
  if (is_quick_) return find_quickly() ? WalkEnd::ended_by_sink : WalkEnd::all_seen;
  auto* const nearest = std::get_if<NearestSink>(&sinks_);
  if (!nearest || !is_endless(deadline) || !bounds_serve(placed_->pose))
    return walk_by_gaps(deadline, starts, wants_interval);
  nearest->leave_contacts_to_others(true);
  const WalkEnd end = walk_by_gaps(deadline, starts, wants_interval);
  if (nearest->has_left_contacts()) return look_for_contact(*nearest);
  nearest->leave_contacts_to_others(false);  // those it has put off are its own
  return end;
}

WalkEnd Question::walk_by_gaps(const Deadline& deadline, bool starts, bool wants_interval) {
  // Where bodies were nearest they are likely still near.
  if (starts && memory_->closest && (wanted_.starts_near || wants_interval) && begins_with(*memory_->closest))
    return WalkEnd::ended_by_sink;
  if (!bounds_serve(placed_->pose)) return walk_all(deadline);
  const FarLine* const far = gaps().far();
  const GapTask task{.trees = trees(far ? far->pose : placed_->pose),
                     .progress = progress_,
                     .sink = *sink_,
                     .note_passed = wants_interval,
                     .far = far,
                     .deadline = deadline};
  return starts ? gap_walk(task) : go_on(task);
}

/// Looks for the contact that the nearest pair so far leaves to be found, as `collide` does.
WalkEnd Question::look_for_contact(NearestSink& nearest) {
  scratch_.contacts.clear();
  ContactSink contacts(placed_->bodies, false, true, 1, scratch_.contacts);
  const bool ended =
      overlap_walk({.trees = trees(placed_->pose), .stack = scratch_.stack, .sink = contacts, .nearest_first = true});
  contacts.finish(ended ? WalkEnd::ended_by_sink : WalkEnd::all_seen, {});
  if (scratch_.contacts.empty()) {
    nearest.note_no_contact();
    return WalkEnd::all_seen;
  }
  nearest.measure(scratch_.contacts.front().pair);
  return WalkEnd::ended_by_sink;
}

/// Measures a pair before the walk comes to it. Returns true if nothing more needs to be done.
bool Question::begins_with(TrianglePair pair) {
  tally_->add_triangle_pair();
  return sink_->begin_with(pair);
}

WalkEnd Question::walk_all(const Deadline& deadline) {
  return walk_all_pairs(setup_->target().tree, setup_->source().tree, *sink_, deadline, progress_.node_pairs,
                        tally_->in_use());
}

/// Finds contacts by overlap alone, starting from where the last such walk ended. Returns whether enough were found.
bool Question::find_quickly() {
  auto& contacts = std::get<ContactSink>(sinks_);
  if (wanted_.one_is_enough) {
    // Where the last question found a contact, or a shell inside, there is likely one still.
    if (memory_->contact) {
      tally_->add_triangle_pair();
      if (contacts.decide_one(*memory_->contact)) return true;
    }
    if (wanted_.solid && memory_->shell && is_still_inside(*memory_->shell)) {
      findings_.shells.push_back({*memory_->shell, {}});
      shells_end_ = WalkEnd::ended_by_sink;
      return true;
    }
  }
  const RelativePose& pose = placed_->pose;
  if (are_far_apart(pose)) {
    memory_->front.drop();
    return false;
  }
  if (!bounds_serve(pose)) return walk_all({}) == WalkEnd::ended_by_sink;
  const PairOptions& options = setup_->options;
  // A walk that restarts at the root drops pairs, so it has no front to keep.
  const bool has_front = options.coherent != Coherent::off && options.descend != Descend::restart &&
                         memory_->front.prepare(pose, setup_->radii, options.coherent);
  return overlap_walk({.trees = trees(pose),
                       .stack = scratch_.stack,
                       .sink = contacts,
                       .nearest_first = wanted_.one_is_enough,
                       .test_roots = std::exchange(memory_->is_new, false),
                       .front = has_front ? &memory_->front : nullptr});
}

/// For an overlap, with some volume beside it.
bool Question::is_still_inside(const ShellInside& shell) {
  return wanted_.overlap ? overlap_search_.is_beside(shell.is_of_a, shell.triangle)
                         : tumble::is_still_inside(shell, placed_->bodies);
}

TreePair Question::trees(const RelativePose& pose) {
  return {.target = setup_->target().tree,
          .source = setup_->source().tree,
          .pose = pose,
          .bodies = placed_->bodies,
          .realigner = *setup_->realigner,
          .realigned = scratch_.realigned,
          .counters = tally_->in_use(),
          .descend = setup_->options.descend,
          .environment_is_target = setup_->a_is_target,
          .remember = setup_->options.paper.remember,
          .all_box_axes = setup_->options.paper.all_box_axes};
}

/// What the walk over the surfaces, ended or interrupted, makes certain.
Certainty Question::certainty(WalkEnd end) {
  const MeasuredPair& closest = sink_->closest;
  const double nearest = closest.distance();
  const bool all_seen = end == WalkEnd::all_seen;
  Certainty now;
  now.finished = end != WalkEnd::out_of_budget;
  now.node_pairs = progress_.node_pairs;
  if (bounds_serve(placed_->pose)) {
    float least = progress_.least_passed;
    for (const auto* list : {&progress_.waiting, &progress_.postponed})
      for (const GapPair& pair : *list) {
        least = std::min(least, known(pair.gap));
        if (!now.finished) now.separation = std::max(now.separation, separation(pair.gap));
      }
    now.lower = std::min({nearest, gaps().at_least(least), progress_.least_apart, sink_->least_postponed()});
  } else {
    now.lower = all_seen ? nearest : 0;
    if (!now.finished) now.separation = separation(unknown_gap);
  }
  now.lower = std::min(now.lower, sink_->lower());
  if (all_seen && std::isfinite(sink_->lower())) now.lower = sink_->lower();
  now.verdict = sink_->verdict(all_seen);
  if (now.verdict == Verdict::unknown && now.lower > 0) now.verdict = Verdict::free;
  now.closest = named(closest, now.lower);
  return now;
}

/// Of a pair of volumes; where its gap is unknown, what separates any two points of the bodies.
double Question::separation(float gap) {
  if (!std::isnan(gap)) return gaps().separation(gap);
  const auto diameter = [](const ModelData& model) { return std::ldexp(2 * vertex_reach, model.tree.frame.exponent); };
  return (diameter(setup_->target()) + diameter(setup_->source())) * 1.001;
}

/// Surfaces without contact may still be those of solids that meet.
void Question::look_at_shells(const Deadline& deadline, bool wants_interval) {
  const bool has_enough =
      is_about<DistanceRequest>()
          ? sink_->closest.measured.distance_sq == 0  // it may end the walk above 0, with an error allowed
          : walk_end_ == WalkEnd::ended_by_sink || (is_colliding() && findings_.contacts.size() >= wanted_.at_most);
  const bool is_early = !certain_.finished && certain_.verdict != Verdict::free;
  if (findings_.shells.empty() && (has_enough || is_early)) {
    if (certain_.verdict != Verdict::free || shells_end_ == WalkEnd::all_seen) return;
    certain_.verdict = Verdict::unknown;  // the walk stopped early, so nobody looked inside
    certain_.lower = certain_.closest.lower = 0;
    return;
  }
  if (!has_enough && !is_early && shells_end_ == WalkEnd::out_of_budget) search_shells(deadline);
  certain_.node_pairs = progress_.node_pairs;
  if (wanted_.overlap && overlap_search_.has_common_point()) certain_.lower = certain_.closest.lower = 0;
  if (!findings_.shells.empty() && !is_colliding()) {
    certain_.verdict = Verdict::colliding;
    certain_.lower = 0;
    if (wants_interval) certain_.closest = inside_distance();
  }
  if (shells_end_ == WalkEnd::ended_by_sink) {
    if (wanted_.overlap && !is_colliding()) {  // seen at faces with contact
      certain_.verdict = Verdict::colliding;
      if (wants_interval && is_quick_) certain_.closest = unmeasured(overlap_search_.met().front());
    }
    certain_.finished = true;
    certain_.separation = 0;
  } else if (shells_end_ == WalkEnd::out_of_budget && !has_enough) {
    if (certain_.verdict == Verdict::free) certain_.verdict = Verdict::unknown;
    certain_.lower = certain_.closest.lower = 0;
    certain_.separation = separation(unknown_gap);
    certain_.finished = false;
  }
}

void Question::search_shells(const Deadline& deadline) {
  if (!shell_search_.has_begun()) {
    for (const FoundContact& contact : findings_.contacts) shell_search_.mark(contact.pair);
    for (const NearPair& pair : findings_.pairs)
      if (pair.distance == 0) shell_search_.mark({pair.triangle_a, pair.triangle_b});
    if (wanted_.overlap)
      for (const TrianglePair& pair : overlap_search_.met()) shell_search_.mark(pair);
  }
  // Shells with touches that do not count may be on both sides.
  const auto* contacts = std::get_if<ContactSink>(&sinks_);
  const bool thoroughly = contacts && contacts->ignored_touch();
  int in_any_case = shells_in_any_case;
  const auto stop = [&] {
    if (in_any_case-- <= 0 && deadline.has_passed(progress_.node_pairs)) return true;
    ++progress_.node_pairs;
    return false;
  };
  shells_end_ = shell_search_.run(placed_->bodies, thoroughly, stop, [&](const ShellInside& shell) {
    if (!wanted_.overlap || overlap_search_.is_beside(shell.is_of_a, shell.triangle)) return take_in(shell);
    overlap_search_.look_at_loose(shell.is_of_a);
    return false;
  });
  if (!wanted_.overlap || shells_end_ != WalkEnd::all_seen) return;
  shells_end_ = overlap_search_.run(stop);
  if (shells_end_ == WalkEnd::ended_by_sink && !overlap_search_.has_contact())
    findings_.shells.push_back({overlap_search_.found(), {}});
}

/// Returns true if nothing more needs to be found.
bool Question::take_in(const ShellInside& shell) {
  findings_.shells.push_back({shell, {}});
  std::size_t found = findings_.contacts.size() + findings_.shells.size();
  if (lists_pairs(request_)) {
    findings_.list_shell_as_pair();
    std::get<BandSink>(sinks_).note_inside();
    found = findings_.pairs.size();
  }
  return findings_.tell_news() || found >= wanted_.at_most;
}

void Question::search_depths(const Deadline& deadline) {
  if (certain_.verdict == Verdict::free) {
    certain_.finished = true;
  } else if (is_colliding()) {
    certain_.finished =
        depths_ ? depths_->run(deadline, progress_.node_pairs) : largest_->run(deadline, progress_.node_pairs);
    if (certain_.finished && found_no_depth()) certain_.finished = decide_overlap(deadline);
    certain_.node_pairs = progress_.node_pairs;
  }
}

bool Question::found_no_depth() const {
  if (depths_) return depths_->a_in_b().lower == 0 || depths_->b_in_a().lower == 0;
  return largest_->so_far().lower == 0;
}

/// A search for depths cannot tell a touch from an overlap less deep than its precision. True once that is decided.
bool Question::decide_overlap(const Deadline& deadline) {
  if (!overlap_) overlap_ = std::make_unique<Question>();
  if (!overlap_->is_in_progress()) {
    const PlacedPair& bodies = placed_->bodies;
    overlap_->begin(*setup_, *memory_, *tally_, bodies.a.pose, bodies.b.pose,
                    CollideRequest{.ignore_touch = true, .solid = true});
    overlap_->certain_ = {};
    overlap_->is_quick_ = is_endless(deadline);
  }
  if (overlap_->state_ == State::answered) return true;
  const std::uint64_t contacts = tally_->counters.contacts;  // nobody asked for these
  overlap_->progress_.node_pairs = progress_.node_pairs;
  overlap_->work(deadline, true);
  progress_.node_pairs = overlap_->progress_.node_pairs;
  tally_->counters.contacts = contacts;
  if (overlap_->state_ != State::answered) return false;
  if (depths_ && only_touches()) {
    a_may_reach_inside_ = overlap_->overlap_search_.may_reach_inside(true);
    b_may_reach_inside_ = overlap_->overlap_search_.may_reach_inside(false);
  }
  return true;
}

bool Question::only_touches() const {
  return overlap_ && overlap_->state_ == State::answered && overlap_->certain_.verdict == Verdict::free;
}

/// For the next question of this pair to start from.
void Question::remember() {
  if (setup_->options.coherent == Coherent::off) return;
  if (!is_quick_) {
    if (!std::isinf(sink_->closest.measured.distance_sq)) memory_->closest = sink_->closest.pair;
    return;
  }
  if (!wanted_.one_is_enough) return;
  if (!findings_.contacts.empty()) {
    memory_->contact = findings_.contacts.front().pair;
    return;
  }
  memory_->contact.reset();
  if (!wanted_.solid) return;
  memory_->shell.reset();
  if (!findings_.shells.empty())
    memory_->shell = findings_.shells.front().shell;
  else if (wanted_.overlap && is_colliding())
    memory_->shell = overlap_search_.found();
}

/// Counts what was found since the last call.
void Question::count() {
  if (!tally_->is_on) return;
  const std::size_t contacts = findings_.contacts.size() + findings_.shells.size(), near = findings_.pairs.size();
  const std::size_t now =
      std::visit(Match{
                     [&](const CollideRequest&) -> std::size_t { return is_colliding(); },
                     [&](const ContactRequest& r) { return std::min(contacts, r.at_most); },
                     [&](const DistanceRequest&) -> std::size_t { return certain_.finished && is_colliding(); },
                     [&](const WithinRequest& r) { return std::min(near, r.at_most); },
                     [&](const ClosestPairsRequest&) { return certain_.finished ? near : 0; },
                     [&](const ClosingPairsRequest&) { return near; },
                     [&](const PenetrationRequest&) -> std::size_t { return 0; },
                     [&](const OverlapDepthRequest&) -> std::size_t { return 0; },
                 },
                 request_);
  tally_->counters.contacts += now - counted_;
  counted_ = now;
}

Distance Question::inside_distance() {
  const Contact& contact = findings_.contact_of_shell(0);
  return {0, 0, false, contact.triangle_a, contact.triangle_b, contact.point, contact.point, true};
}

Distance Question::distance() {
  if (!findings_.shells.empty()) return inside_distance();
  const auto& nearest = std::get<NearestSink>(sinks_);
  if (nearest.is_farther()) return {.lower = nearest.lower(), .farther = true};
  return named(nearest.closest, nearest.lower());
}

Penetration Question::penetration() const {
  Penetration so_far;
  so_far.in_contact = is_colliding();
  if (depths_ && certain_.verdict != Verdict::free) {
    so_far.a_in_b = depths_->a_in_b();
    so_far.b_in_a = depths_->b_in_a();
  }
  if (only_touches()) {
    if (so_far.a_in_b.lower == 0 && !a_may_reach_inside_) so_far.a_in_b.upper = 0;
    if (so_far.b_in_a.lower == 0 && !b_may_reach_inside_) so_far.b_in_a.upper = 0;
  }
  return so_far;
}

OverlapDepth Question::overlap_depth() const {
  OverlapDepth so_far;
  const bool is_none = certain_.verdict == Verdict::free || only_touches();
  if (!is_none) so_far = largest_->so_far();
  if (state_ == State::answered && is_none) so_far.precise = true;
  so_far.in_contact = is_colliding();
  return so_far;
}

const Contacts& Question::contacts() {
  list_new(listed_);
  return listed_;
}

void Question::list(NearPairs& into) const {
  into.clear();
  if (state_ == State::asked) return;
  // Of the closest pairs, those beside the nearest so far.
  const auto* band = is_about<ClosestPairsRequest>() ? &std::get<BandSink>(sinks_) : nullptr;
  for (const NearPair& pair : findings_.pairs)
    if (into.size() < wanted_.at_most && (!band || band->holds(pair))) into.push_back(pair);
  std::ranges::sort(into, near_before);
}

const NearPairs& Question::pairs() {
  list(listed_pairs_);
  return listed_pairs_;
}

}  // namespace tumble
