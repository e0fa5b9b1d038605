// SPDX-License-Identifier: Apache-2.0
// The steps of a question.
#include "query/question.h"

#include "bounds/reach.h"
#include "core/sort_by_key.h"
#include "geometry/contact.h"
#include "query/check_requests.h"
#include "traverse/all_pairs.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

namespace tumble {
namespace {

bool is_endless(const Budget& budget) {
  return budget.node_pairs == Budget{}.node_pairs && budget.time == Budget{}.time;
}

/// Starts now, after `used` node pairs.
Deadline deadline_of(const Budget& budget, std::uint64_t used) {
  Deadline deadline;
  if (budget.node_pairs <= deadline.node_pairs - used) deadline.node_pairs = used + budget.node_pairs;
  if (budget.time < std::chrono::hours(24 * 365)) deadline.time = std::chrono::steady_clock::now() + budget.time;
  return deadline;
}

/// Shells looked at whatever the budget, so that every call makes progress.
constexpr int shells_in_any_case = 1;

/// Forgets the caller's function when a call ends.
class TellingScope {
 public:
  TellingScope(Told& told, const Told& now) : told_(told) { told_ = now; }
  ~TellingScope() { told_ = {}; }
  TellingScope(const TellingScope&) = delete;
  TellingScope& operator=(const TellingScope&) = delete;

 private:
  Told& told_;
};

/// Merges sorted news into a sorted list, in place.
template <class Values, class Key>
void merge_into(Values& sorted, const Values& news, const Key& key) {
  std::size_t i = sorted.size(), j = news.size();
  sorted.resize(i + j);
  for (std::size_t to = i + j; j > 0;)
    sorted[--to] = i > 0 && key(news[j - 1]) < key(sorted[i - 1]) ? sorted[--i] : news[--j];
}

template <class... Cases>
struct Match : Cases... {
  using Cases::operator()...;
};

}  // namespace

Question::Wanted Question::wanted_of(const Request& request) {
  return std::visit(
      Match{
          [](const CollideRequest& r) {
            return Wanted{.contacts = true, .one_is_enough = true, .ignore_touch = r.ignore_touch, .solid = r.solid};
          },
          [](const ContactRequest& r) {
            return Wanted{.contacts = true,
                          .ignore_touch = r.ignore_touch,
                          .solid = r.solid,
                          .at_most = std::max<std::size_t>(r.at_most, 1)};
          },
          [](const DistanceRequest& r) { return Wanted{.solid = r.solid}; },
          [](const PenetrationRequest&) { return Wanted{.contacts = true, .one_is_enough = true, .solid = true}; },
          [](const auto&) { return Wanted{}; },
      },
      request);
}

void Question::begin(const PairSetup& setup, PairMemory& memory, Tally& tally, const Pose& pose_a, const Pose& pose_b,
                     const Request& request) {
  abandon();
  check(request);
  setup_ = &setup;
  memory_ = &memory;
  tally_ = &tally;
  request_ = request;
  wanted_ = wanted_of(request);
  if (wanted_.solid) shell_search_.begin(setup.a, setup.b);
  bodies_.emplace(data_of(setup.a), pose_a, data_of(setup.b), pose_b, setup.a_is_target);
  pose_ = setup.relation.at(bodies_->target().pose, bodies_->source().pose, 0);
  const Tree &target = setup.target().tree, &source = setup.source().tree;
  scratch_.realigned.fit(source.node_count, static_cast<std::size_t>(target.rows()) * Tree::lanes);
  gaps_.reset();
  walk_end_ = shells_end_ = WalkEnd::out_of_budget;
  progress_.node_pairs = 0;
  certain_ = {};
  found_.clear();
  shells_.clear();
  near_.clear();
  listed_.clear();
  listed_so_far_ = told_so_far_ = {};
  counted_ = 0;
  phase_ = Phase::asked;
}

void Question::abandon() {
  phase_ = Phase::none;
  depths_.reset();
}

void Question::finish() {
  is_quick_ = wanted_.contacts;
  work({}, false);
}

void Question::run(const Budget& budget, const Told& told) {
  if (phase_ == Phase::answered) return;
  const TellingScope scope(told_, told);
  if (phase_ == Phase::asked) {
    is_quick_ = wanted_.contacts && is_endless(budget);
  } else if (ends_with_news()) {  // tells what earlier calls have found
    walk_end_ = shells_end_ = WalkEnd::ended_by_sink;
  }
  work(deadline_of(budget, progress_.node_pairs), true);
  if (phase_ == Phase::answered) tell_closest();
}

const WorldGaps& Question::gaps() {
  if (!gaps_) {
    const Pose& target = bodies_->target().pose;
    gaps_.emplace(pose_, setup_->relation.to_units(),
                  departure_from_orthogonality({{target.row(0), target.row(1), target.row(2)}}));
  }
  return *gaps_;
}

void Question::open_sink() {
  progress_.waiting.clear();
  progress_.postponed.clear();
  progress_.least_passed = 0;  // until a walk knows better
  if (wanted_.contacts) {
    auto& contacts = sinks_.emplace<ContactSink>(
        *bodies_,
        ContactSink::Wanted{
            .ignore_touch = wanted_.ignore_touch, .one_is_enough = wanted_.one_is_enough, .at_most = wanted_.at_most},
        found_);
    if (!is_quick_) contacts.measure_until_contact(gaps());
    sink_ = &contacts;
  } else if (const auto* within = std::get_if<WithinRequest>(&request_)) {
    sink_ = &sinks_.emplace<BandSink>(*bodies_, gaps(), *within, near_);
  } else if (const auto* closest = std::get_if<ClosestPairsRequest>(&request_)) {
    sink_ = &sinks_.emplace<BandSink>(*bodies_, gaps(), *closest, near_);
  } else if (const auto* closing = std::get_if<ClosingPairsRequest>(&request_)) {
    const ClosestPairsRequest band{closing->rel_error, closing->abs_error, closing->upper_bound};
    sink_ = &sinks_.emplace<BandSink>(*bodies_, gaps(), band, near_);
  } else {
    sink_ = &sinks_.emplace<NearestSink>(*bodies_, gaps(), std::get<DistanceRequest>(request_), postponed_);
  }
  if (const auto* penetration = std::get_if<PenetrationRequest>(&request_))
    depths_.emplace(bodies_->a, bodies_->b, *penetration);
}

/// Goes through the steps until the deadline.
void Question::work(const Deadline& deadline, bool wants_interval) {
  const bool starts = phase_ == Phase::asked;
  if (starts) open_sink();
  phase_ = Phase::in_progress;
  sink_->listener = is_heard() ? this : nullptr;
  if (walk_end_ == WalkEnd::out_of_budget) walk_end_ = walk_surfaces(deadline, starts, wants_interval);
  WalkEnd end = sink_->finish(walk_end_, deadline);
  sink_->listener = nullptr;
  if (end == WalkEnd::ended_by_sink) walk_end_ = end;
  if (walk_end_ == WalkEnd::ended_by_sink) end = walk_end_;
  if (wants_interval && !is_quick_) {
    // One pair is measured in any case, so that there is an upper bound of the distance.
    if (std::isinf(sink_->closest.measured.distance_sq)) sink_->glance_at(bodies_->first_of({}, 1));
    certain_ = certainty(end);
  } else {
    certain_.finished = end != WalkEnd::out_of_budget;
    certain_.verdict = sink_->verdict(end == WalkEnd::all_seen);
    if (wants_interval && !found_.empty()) {
      sink_->glance_at(found_.front().pair);
      certain_.closest = named(sink_->closest, 0);
    }
  }
  if (wanted_.solid) look_at_shells(deadline, wants_interval);
  if (depths_) search_depths(deadline);
  certain_.near = is_about<WithinRequest>() && !near_.empty();
  if (certain_.finished) {
    remember();
    phase_ = Phase::answered;
  }
  count();
}

WalkEnd Question::walk_surfaces(const Deadline& deadline, bool starts, bool wants_interval) {
  if (is_quick_) return find_quickly() ? WalkEnd::ended_by_sink : WalkEnd::all_seen;
  // Where bodies were nearest they are likely still near.
  if (starts && memory_->closest) {
    tally_->add_triangle_pair();
    if (sink_->begin_with(*memory_->closest)) return WalkEnd::ended_by_sink;
  }
  if (!bounds_serve(pose_)) return walk_all(deadline);
  const GapTask task{.trees = trees_at(pose_),
                     .progress = progress_,
                     .sink = *sink_,
                     .note_passed = wants_interval,
                     .deadline = deadline};
  return starts ? gap_walk(task) : go_on(task);
}

WalkEnd Question::walk_all(const Deadline& deadline) {
  return walk_all_pairs(setup_->target().tree, setup_->source().tree, *sink_, deadline, progress_.node_pairs,
                        tally_->in_use());
}

/// Contacts by overlap alone, starting from where the last such walk ended. Returns whether enough were found.
bool Question::find_quickly() {
  auto& contacts = std::get<ContactSink>(sinks_);
  if (wanted_.one_is_enough) {
    // Where the last question found a contact, or a shell inside, there is likely one still.
    if (memory_->contact) {
      tally_->add_triangle_pair();
      if (contacts.settles(*memory_->contact)) return true;
    }
    if (wanted_.solid && memory_->shell && is_still_inside(*memory_->shell, *bodies_)) {
      shells_.push_back(*memory_->shell);
      shells_end_ = WalkEnd::ended_by_sink;
      return true;
    }
  }
  if (are_far_apart(pose_)) {
    memory_->front.drop();
    return false;
  }
  if (!bounds_serve(pose_)) return walk_all({}) == WalkEnd::ended_by_sink;
  const PairOptions& options = setup_->options;
  // Descend::restart gives up pairs that a front would count on.
  const bool has_front = options.coherent != Coherent::off && options.descend != Descend::restart &&
                         memory_->front.prepare(pose_, setup_->source_radius, options.coherent);
  return overlap_walk({.trees = trees_at(pose_),
                       .stack = scratch_.stack,
                       .sink = contacts,
                       .nearest_first = wanted_.one_is_enough,
                       .front = has_front ? &memory_->front : nullptr});
}

TreePair Question::trees_at(const RelativePose& pose) {
  return {.target = setup_->target().tree,
          .source = setup_->source().tree,
          .pose = pose,
          .realigner = *setup_->realigner,
          .realigned = scratch_.realigned,
          .counters = tally_->in_use(),
          .descend = setup_->options.descend,
          .environment_is_target = setup_->a_is_target,
          .remember = setup_->options.paper.remember};
}

/// What the walk over the surfaces, ended or interrupted, makes certain.
Certainty Question::certainty(WalkEnd end) {
  const MeasuredPair& closest = sink_->closest;
  const double nearest = closest.distance();
  Certainty now;
  now.finished = end != WalkEnd::out_of_budget;
  now.node_pairs = progress_.node_pairs;
  if (bounds_serve(pose_)) {
    float least = progress_.least_passed;
    for (const auto* list : {&progress_.waiting, &progress_.postponed})
      for (const GapPair& pair : *list) {
        least = pair.gap >= least ? least : std::isnan(pair.gap) ? 0 : pair.gap;
        if (end == WalkEnd::out_of_budget) now.separation = std::max(now.separation, separation(pair.gap));
      }
    now.lower = std::min({nearest, gaps().at_least(least), sink_->least_postponed()});
  } else {
    now.lower = end == WalkEnd::all_seen ? nearest : 0;
    if (end == WalkEnd::out_of_budget) now.separation = separation(std::numeric_limits<float>::quiet_NaN());
  }
  now.lower = std::min(now.lower, sink_->lower());
  if (end == WalkEnd::all_seen && std::isfinite(sink_->lower())) now.lower = sink_->lower();
  now.verdict = sink_->verdict(end == WalkEnd::all_seen);
  if (now.verdict == Verdict::unknown && now.lower > 0) now.verdict = Verdict::free;
  now.closest = named(closest, now.lower);
  if (const auto* distance = std::get_if<NearestSink>(&sinks_);
      distance && now.finished && now.verdict != Verdict::colliding && distance->is_farther())
    now.closest = {.lower = now.lower, .farther = true};
  return now;
}

/// What separates a pair of volumes; if its gap is unknown, any two points of the bodies.
double Question::separation(float gap) {
  if (!std::isnan(gap)) return gaps().separation(gap);
  const auto diameter = [](const ModelData& model) { return std::ldexp(2 * vertex_reach, model.tree.frame.exponent); };
  return (diameter(setup_->target()) + diameter(setup_->source())) * 1.001;
}

/// Surfaces without contact may still be those of solids that meet.
void Question::look_at_shells(const Deadline& deadline, bool wants_interval) {
  const bool has_enough =
      walk_end_ == WalkEnd::ended_by_sink || (is_colliding() && (found_.empty() || found_.size() >= wanted_.at_most));
  const bool is_early = !certain_.finished && certain_.verdict != Verdict::free;
  if (shells_.empty() && (has_enough || is_early)) return;
  if (!has_enough && !is_early && shells_end_ == WalkEnd::out_of_budget) search_shells(deadline);
  certain_.node_pairs = progress_.node_pairs;
  if (!shells_.empty() && !is_colliding()) {
    certain_.verdict = Verdict::colliding;
    certain_.lower = 0;
    if (wants_interval) certain_.closest = inside_distance();
  }
  if (shells_end_ == WalkEnd::ended_by_sink) {
    certain_.finished = true;
    certain_.separation = 0;
  } else if (shells_end_ == WalkEnd::out_of_budget) {
    if (certain_.verdict == Verdict::free) certain_.verdict = Verdict::unknown;
    certain_.lower = certain_.closest.lower = 0;
    certain_.separation = separation(std::numeric_limits<float>::quiet_NaN());
    certain_.finished = false;
  }
}

void Question::search_shells(const Deadline& deadline) {
  if (!shell_search_.has_begun())
    for (const FoundContact& contact : found_) shell_search_.mark(contact.pair);
  // A shell with ignored touches may be on both sides.
  const auto* contacts = std::get_if<ContactSink>(&sinks_);
  const bool thoroughly = contacts && contacts->ignored_touch();
  int in_any_case = shells_in_any_case;
  shells_end_ = shell_search_.run(
      *bodies_, thoroughly,
      [&] {
        if (in_any_case-- <= 0 && deadline.has_passed(progress_.node_pairs)) return true;
        ++progress_.node_pairs;
        return false;
      },
      [&](const ShellInside& shell) {
        shells_.push_back(shell);
        return (is_heard() && ends_with_news()) || found_.size() + shells_.size() >= wanted_.at_most;
      });
}

void Question::search_depths(const Deadline& deadline) {
  if (certain_.verdict == Verdict::free) {
    certain_.finished = true;
  } else if (is_colliding()) {
    certain_.finished = depths_->run(deadline, progress_.node_pairs);
    certain_.node_pairs = progress_.node_pairs;
  }
}

/// Keeps what the next question can start from.
void Question::remember() {
  if (setup_->options.coherent == Coherent::off) return;
  if (!is_quick_) {
    if (!std::isinf(sink_->closest.measured.distance_sq)) memory_->closest = sink_->closest.pair;
    return;
  }
  if (!wanted_.one_is_enough) return;
  if (!found_.empty()) {
    memory_->contact = found_.front().pair;
    return;
  }
  memory_->contact.reset();
  if (!wanted_.solid) return;
  memory_->shell.reset();
  if (!shells_.empty()) memory_->shell = shells_.front();
}

/// Counts what was found since the last call.
void Question::count() {
  const std::size_t now =
      std::visit(Match{
                     [&](const CollideRequest&) -> std::size_t { return is_colliding(); },
                     [&](const ContactRequest& r) { return std::min(found_.size() + shells_.size(), r.at_most); },
                     [&](const DistanceRequest&) -> std::size_t { return certain_.finished && is_colliding(); },
                     [&](const WithinRequest& r) { return std::min(near_.size(), r.at_most); },
                     [&](const ClosestPairsRequest&) { return certain_.finished ? count_close() : 0; },
                     [&](const ClosingPairsRequest&) { return near_.size(); },
                     [&](const PenetrationRequest&) -> std::size_t { return 0; },
                 },
                 request_);
  tally_->add_contacts(now - counted_);
  counted_ = now;
}

std::size_t Question::count_close() const {
  const auto& band = std::get<BandSink>(sinks_);
  return static_cast<std::size_t>(std::ranges::count_if(near_, [&](const NearPair& pair) { return band.holds(pair); }));
}

/// Tells what was found and not told yet. Returns true if that ends the question.
bool Question::ends_with_news() {
  if (told_.contact) {
    const auto& request = std::get<ContactRequest>(request_);
    const auto has_room = [&] { return told_so_far_.contacts + told_so_far_.shells < request.at_most; };
    while (told_so_far_.contacts < found_.size() && has_room()) {
      Contact contact;
      fill_in(contact, found_[told_so_far_.contacts++]);
      if (!(*told_.contact)(contact)) return true;
    }
    while (told_so_far_.shells < shells_.size() && has_room())
      if (!(*told_.contact)(make_inside_contact(shells_[told_so_far_.shells++], *bodies_))) return true;
  }
  if (told_.pair && !is_about<ClosestPairsRequest>())
    while (told_so_far_.pairs < near_.size())
      if (!(*told_.pair)(near_[told_so_far_.pairs++])) return true;
  return false;
}

/// The closest pairs are known only in the end.
void Question::tell_closest() {
  if (!told_.pair || !is_about<ClosestPairsRequest>()) return;
  for (const NearPair& pair : pairs())
    if (!(*told_.pair)(pair)) return;
}

/// `contact` is blank.
void Question::fill_in(Contact& contact, const FoundContact& found) const {
  const auto [pair, kind] = found;
  if (std::get<ContactRequest>(request_).geometry)
    contact = make_contact(bodies_->a.corners(pair.a), bodies_->b.corners(pair.b), kind);
  contact.triangle_a = pair.a;
  contact.triangle_b = pair.b;
  contact.kind = kind;
}

Distance Question::named(const MeasuredPair& closest, double lower) {
  return {closest.distance(),    lower, false, closest.pair.a, closest.pair.b, closest.measured.on_a,
          closest.measured.on_b, false};
}

Distance Question::inside_distance() const {
  const Contact contact = make_inside_contact(shells_.front(), *bodies_);
  return {0, 0, false, contact.triangle_a, contact.triangle_b, contact.point, contact.point, true};
}

Distance Question::distance() const {
  if (!shells_.empty()) return inside_distance();
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
  return so_far;
}

/// Works out only what is new. If memory runs out, the list is as it was.
void Question::list_new(Contacts& into) {
  const auto& request = std::get<ContactRequest>(request_);
  Seen& listed = listed_so_far_;
  const bool is_first = listed.contacts + listed.shells == 0;
  if (is_first) into.clear();
  if (is_first && phase_ == Phase::answered) {  // nothing depends on their order any more
    const auto bits = std::bit_width(bodies_->b.model.triangles.size());
    sort_by_key(found_, scratch_.sorting,
                [bits](const FoundContact& f) { return std::uint64_t{f.pair.a} << bits | f.pair.b; });
  }
  const std::size_t room = request.at_most - into.size();
  const std::size_t contacts = std::min(found_.size() - listed.contacts, room),
                    shells = std::min(shells_.size() - listed.shells, room - contacts);
  if (contacts + shells == 0) return;
  Contacts& news = is_first ? into : scratch_.merging;
  news.clear();
  news.resize(contacts + shells);  // contacts are large: each is written once, in place
  for (std::size_t i = 0; i < contacts; ++i) fill_in(news[i], found_[listed.contacts + i]);
  for (std::size_t i = 0; i < shells; ++i)
    news[contacts + i] = make_inside_contact(shells_[listed.shells + i], *bodies_);
  if (!is_first || shells > 0 || phase_ != Phase::answered) std::ranges::sort(news, {}, contact_order);
  if (!is_first) merge_into(into, news, contact_order);
  listed.contacts += contacts;
  listed.shells += shells;
}

const Contacts& Question::contacts() {
  list_new(listed_);
  return listed_;
}

void Question::list(NearPairs& into) const {
  const auto& band = std::get<BandSink>(sinks_);
  into.clear();
  for (const NearPair& pair : near_)
    if (band.holds(pair)) into.push_back(pair);
  std::ranges::sort(into, {}, contact_order);
}

const NearPairs& Question::pairs() {
  list(listed_pairs_);
  return listed_pairs_;
}

}  // namespace tumble
