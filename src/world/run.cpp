// SPDX-License-Identifier: Apache-2.0
// A question to a world with a budget, or with a function to call. Under a budget pairs are asked in rounds, each with
// a larger share than the last, so that a few hard pairs do not keep the easy ones from being answered. However small
// the budget, one pair is asked.
#include "core/plain_arithmetic.h"
#include "query/check_requests.h"
#include "query/outcome.h"
#include "world/world_state.h"

#include <tumble/error.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <variant>

namespace tumble {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t first_share = 64;  // node pairs
constexpr std::uint64_t next_share = 8;    // times the last: what a round does again is an eighth of what it does
constexpr std::uint64_t most_share = std::uint64_t{1} << 40;

/// How far apart bodies may be for a request to be about them.
struct Reach {
  double operator()(const CollideRequest&) const { return 0; }
  double operator()(const ContactRequest&) const { return 0; }
  double operator()(const PenetrationRequest&) const { return 0; }
  double operator()(const OverlapDepthRequest&) const { return 0; }
  double operator()(const WithinRequest& request) const { return request.distance; }
  double operator()(const auto& request) const { return request.upper_bound; }
};

struct IsSolid {
  bool operator()(const PenetrationRequest&) const { return true; }
  bool operator()(const OverlapDepthRequest&) const { return true; }
  bool operator()(const auto& request) const { return request.solid; }
};

/// Whether there is something to list of a pair.
bool is_worth_telling(const Request& request, const Outcome& outcome) {
  const Certainty& certain = outcome.certainty;
  if (!certain.finished || certain.verdict == Verdict::colliding) return true;
  if (std::holds_alternative<DistanceRequest>(request)) return !certain.closest.farther;
  return certain.near || !outcome.pairs.empty();
}

class Rounds {
 public:
  Rounds(World::State& world, const Request& request, const Budget& budget)
      : world_(world),
        request_(request),
        left_(budget.node_pairs),
        has_limit_(budget.node_pairs != Budget{}.node_pairs) {
    if (budget.time < std::chrono::hours(24 * 365)) deadline_ = Clock::now() + budget.time;
  }

  bool is_endless() const { return !has_limit_ && !deadline_; }

  /// Asks some pairs until they are answered or the budget is spent.
  void run(std::span<const PairToAsk> pairs, std::span<Outcome> outcomes) {
    std::vector<std::uint32_t> open(pairs.size());
    for (std::size_t i = 0; i < open.size(); ++i) open[i] = static_cast<std::uint32_t>(i);
    std::vector<PairToAsk> asked;
    std::vector<std::uint64_t> spent;
    std::uint64_t last_share = 0;
    for (std::uint64_t share = first_share; !open.empty() && (share == first_share || !is_spent());
         share = std::min(share * next_share, most_share)) {
      Budget each;
      std::size_t some = open.size();
      if (!is_endless()) each.node_pairs = share;
      if (has_limit_) {
        const std::uint64_t left = std::max<std::uint64_t>(left_, 1);
        some = std::min<std::uint64_t>(open.size(), left);
        each.node_pairs = std::clamp<std::uint64_t>(left / open.size(), 1, share);
        // A share no larger than the last would tell nothing new. A few get a larger one instead.
        if (each.node_pairs <= last_share) {
          some = std::clamp<std::uint64_t>(left / share, 1, open.size());
          each.node_pairs = std::min(share, left);
        }
        last_share = each.node_pairs;
      }
      asked.clear();
      for (std::size_t i = 0; i < some; ++i) asked.push_back(pairs[open[i]]);
      spent.assign(some, 0);
      world_.asking.each(asked, [&](Asker& asker, std::size_t i) {
        Budget own = each;
        if (deadline_) {
          own.time = std::max(*deadline_ - Clock::now(), Clock::duration::zero());
          if (own.time.count() == 0 && i > 0) return;
        }
        Question& question = std::visit(
            [&](const auto& request) -> Question& { return asker.start(asked[i], world_.options.pair, request); },
            request_);
        asker.guarded([&] {
          question.run(own);
          spent[i] = question.certain().node_pairs;
          // A round that was cut short may know less than the one before.
          Outcome& known = outcomes[open[i]];
          if (question.certain().finished || spent[i] > known.certainty.node_pairs)
            known = outcome_of(question, request_, question.certain());
        });
      });
      for (const std::uint64_t node_pairs : spent) left_ -= std::min(left_, node_pairs);
      std::erase_if(open, [&](std::uint32_t i) { return outcomes[i].certainty.finished; });
    }
  }

 private:
  bool is_spent() const { return left_ == 0 || (deadline_ && Clock::now() >= *deadline_); }

  World::State& world_;
  const Request& request_;
  std::uint64_t left_;
  bool has_limit_;
  std::optional<Clock::time_point> deadline_;
};

}  // namespace

WorldOutcome World::run(const Request& request, const RunOptions& options, const Subject& subject) {
  const PlainArithmetic plain;
  State& at = state();
  Rounds rounds(at, request, options.budget);  // its time begins now
  std::visit([](const auto& asked) { check(asked); }, request);
  at.collect(subject, std::visit(Reach{}, request), std::visit(IsSolid{}, request));
  // With a function to call and no budget, a few at a time: it may end the question.
  constexpr std::size_t few = 256;
  const std::size_t at_once = options.each && rounds.is_endless() ? few : std::max<std::size_t>(at.pairs.size(), 1);
  WorldOutcome all{.verdict = Verdict::free, .finished = true, .pairs = {}};
  for (std::size_t first = 0; first < at.pairs.size(); first += at_once) {
    const auto some = std::span(at.pairs).subspan(first, std::min(at_once, at.pairs.size() - first));
    Outcome unasked;
    unasked.certainty.separation = std::numeric_limits<double>::infinity();
    std::vector<Outcome> outcomes(some.size(), unasked);
    rounds.run(some, outcomes);
    for (std::size_t i = 0; i < some.size(); ++i) {
      Outcome& outcome = outcomes[i];
      all.finished = all.finished && outcome.certainty.finished;
      if (outcome.certainty.verdict == Verdict::colliding)
        all.verdict = Verdict::colliding;
      else if (outcome.certainty.verdict == Verdict::unknown && all.verdict == Verdict::free)
        all.verdict = Verdict::unknown;
      if (!is_worth_telling(request, outcome)) continue;
      all.pairs.push_back({some[i].a->id, some[i].b->id, std::move(outcome)});
      if (!options.each) continue;
      const Working working(at);
      if (options.each(all.pairs.back())) continue;
      // The rest is not told, and nobody knows of it.
      const bool is_last = first + at_once >= at.pairs.size() && i + 1 == some.size();
      if (!is_last && all.verdict == Verdict::free) all.verdict = Verdict::unknown;
      all.finished = true;
      return all;
    }
  }
  return all;
}

}  // namespace tumble
