// SPDX-License-Identifier: Apache-2.0
// Asking: one question to many pairs of bodies, on all cores. Each thread has a Question of its own, so that pairs need
// no scratch; what a pair keeps goes with the pair. So answers do not depend on which thread asked.
#pragma once

#include "core/parallel.h"
#include "core/sort_by_key.h"
#include "math/sum_norm.h"
#include "query/question.h"
#include "world/hull_stage.h"
#include "world/live_pairs.h"

#include <tumble/world.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace tumble {

/// Two bodies to be asked about. The members must not move meanwhile.
struct PairToAsk {
  const Member *a, *b;
  LivePair* live;  // none: nothing is kept

  BodyPair ids() const { return {a->id, b->id}; }
  bool are_convex() const { return tumble::are_convex(*a, *b); }
};

/// Where the contacts of a pair are.
struct ContactRange {
  const Contacts* list = nullptr;
  std::size_t first = 0, count = 0;

  std::span<const Contact> all() const {
    return list ? std::span(*list).subspan(first, count) : std::span<const Contact>();
  }
};

/// What one thread asks with.
class Asker {
 public:
  // What two convex bodies prove about themselves saves the question to their Models.

  bool collide(const PairToAsk& pair, const WorldOptions& options, const CollideRequest& request) {
    const bool do_collide = find_collision(pair, options, request);
    if (pair.live) pair.live->collided = do_collide;
    return do_collide;
  }

  Distance distance(const PairToAsk& pair, const PairOptions& options, const DistanceRequest& request) {
    if (!pair.are_convex() || request.last_bit) return answer(pair, options, request).distance();
    ConvexQuestion asked = convex(pair, options, &ConvexMemories::distance);
    const std::optional<ConvexDistance> found = asked.distance();
    if (found && found->distance > 0)
      if (const std::optional<bool> within = is_within(pair, *found, request.upper_bound)) {
        const double lower = std::min(found->lower, found->distance);
        if (!*within) return {.lower = lower, .farther = true};
        return {found->distance,   lower,          false,          found->triangle_a,
                found->triangle_b, found->point_a, found->point_b, /*inside=*/false};
      }
    const Distance exact = answer(pair, options, request).distance();
    if (!found && !exact.farther) asked.take(exact);
    return exact;
  }

  bool is_near(const PairToAsk& pair, const PairOptions& options, const WithinRequest& request) {
    if (pair.are_convex())
      if (const auto found = convex(pair, options, &ConvexMemories::distance).distance())
        if (const auto within = is_within(pair, *found, request.distance)) return *within;
    return answer(pair, options, request).is_near();
  }

  /// Whether two convex bodies, or two hulls, are farther apart than this, with certainty. Hulls are asked about
  /// contact alone.
  bool are_apart(const PairToAsk& pair, const WorldOptions& options, double distance) {
    if (!pair.are_convex())
      return distance == 0 && hulls_.look(*pair.a, *pair.b, pair.live, options, RedContacts::none).are_apart;
    if (distance == 0) return convex(pair, options.pair, &ConvexMemories::contact).collide() == false;
    const auto found = convex(pair, options.pair, &ConvexMemories::distance).distance();
    return found && is_within(pair, *found, distance) == false;
  }

  /// Finds contacts and keeps them until the next call with another number.
  ContactRange list(const PairToAsk& pair, const WorldOptions& options, const ContactRequest& request,
                    std::uint64_t call) {
    if (call_ != call) contacts_.clear();
    call_ = call;
    if (are_apart(pair, options, 0)) return {};
    const std::size_t before = contacts_.size();
    Question& question = answer(pair, options.pair, request);
    guarded([&] {
      const Contacts& found = question.contacts();
      contacts_.insert(contacts_.end(), found.begin(), found.end());
    });
    return {&contacts_, before, contacts_.size() - before};
  }

  const HullCounters& hull_counters() const { return hulls_.counters(); }

  /// Counts operations of questions from now on.
  void count() { tally_ = {.is_on = true, .counters = {}}; }
  const Counters& counters() const { return tally_.counters; }

  /// Makes ready for begin(), so that one question may follow another.
  template <class T>
  Question& start(const PairToAsk& pair, const PairOptions& options, T request) {
    if constexpr (requires { request.solid; }) request.solid = request.solid || pair.are_convex();
    kept_ = &made(pair, options);
    guarded([&] { question_.begin(kept_->setup, kept_->memory, tally_, pair.a->pose, pair.b->pose, request); });
    return question_;
  }
  /// To the end.
  template <class T>
  Question& answer(const PairToAsk& pair, const PairOptions& options, const T& request) {
    start(pair, options, request);
    guarded([&] { question_.finish(); });
    return question_;
  }

  /// If it throws, a half-made front or walk is of no use.
  template <class Work>
  void guarded(const Work& work) {
    try {
      work();
    } catch (...) {
      kept_->memory.forget();
      question_.abandon();
      throw;
    }
    kept_->count_bytes();  // now, as its realigner is in the cache
  }

 private:
  bool find_collision(const PairToAsk& pair, const WorldOptions& options, const CollideRequest& request) {
    if (pair.are_convex()) {
      const std::optional<bool> meet = convex(pair, options.pair, &ConvexMemories::contact).collide();
      if (meet && !(*meet && request.ignore_touch)) return *meet;
    } else if (options.hulls != HullStage::off && !has_evidence(pair, request)) {
      const RedContacts contacts = !request.ignore_touch ? RedContacts::all
                                   : request.solid       ? RedContacts::none  // no contact decides an overlap
                                                         : RedContacts::no_touches;
      const SeenByHulls seen = hulls_.look(*pair.a, *pair.b, pair.live, options, contacts);
      if (seen.are_apart) return false;
      if (seen.contact) {
        // The next question begins with it.
        if (pair.live && options.pair.coherent != Coherent::off) made(pair, options.pair).memory.contact = seen.contact;
        return true;
      }
    } else if (are_apart_along_lines(pair, request)) {
      return false;
    }
    return answer(pair, options.pair, request).is_colliding();
  }

  /// Whether a line certainly tells them apart. It is not looked for if they were in contact, or in vain lately.
  static bool are_apart_along_lines(const PairToAsk& pair, const CollideRequest& request) {
    if (!pair.live || has_evidence(pair, request) || !pair.live->lines.is_due()) return false;
    const auto map_of = [](const Member& body) -> const SupportMap& {
      const SupportMap* const map = body.shape->supports.if_there();
      return map ? *map : body.shape->supports.get([&] { return SupportMap(body.body.model().vertices()); });
    };
    const bool are_apart = tumble::are_apart(map_of(*pair.a), pair.a->pose, map_of(*pair.b), pair.b->pose);
    pair.live->lines.note(are_apart);
    return are_apart;
  }

  /// A contact or shell of last time, which a question tries first.
  static bool has_evidence(const PairToAsk& pair, const CollideRequest& request) {
    if (!pair.live || !pair.live->kept) return false;
    const PairMemory& memory = pair.live->kept->memory;
    return memory.contact || (request.solid && memory.shell);
  }

  Kept& made(const PairToAsk& pair, const PairOptions& options) {
    const auto make = [&] { return Kept{PairSetup(pair.a->body.model(), pair.b->body.model(), options)}; };
    if (!pair.live) return guest_.emplace(make());
    if (!pair.live->kept) {
      pair.live->kept = std::make_unique<Kept>(make());
      pair.live->kept->count_bytes();
    }
    return *pair.live->kept;
  }

  ConvexQuestion convex(const PairToAsk& pair, const PairOptions& options, ConvexMemory ConvexMemories::*memory) {
    ConvexMemories* memories = &guests_;
    if (pair.live) {
      Kept& kept = made(pair, options);
      if (!kept.convex) {
        kept.convex = std::make_unique<ConvexMemories>();
        kept.count_bytes();
      }
      memories = kept.convex.get();
    } else {
      guests_ = {};
    }
    return {*pair.a->body.convex(), pair.a->pose, *pair.b->body.convex(), pair.b->pose, memories->*memory, counters_};
  }

  /// As the Models of the hulls would say; none where roundings decide: distances differ by them (docs/semantics.md,
  /// promise 7).
  static std::optional<bool> is_within(const PairToAsk& pair, const ConvexDistance& found, double bound) {
    if (found.distance == 0 || bound == 0) return found.distance == 0;
    const auto reach = [](const Member& body) {
      return body.shape->reach + body.shape->radius + sum_norm(body.pose.translation());
    };
    const double unsure = 1e-11 * found.distance + 1e-13 * (reach(*pair.a) + reach(*pair.b)) + 1e-150;
    if (std::abs(found.distance - bound) <= unsure) return std::nullopt;
    return found.distance < bound;
  }

  Contacts contacts_;
  std::uint64_t call_ = 0;
  Question question_;
  Tally tally_;
  HullLooks hulls_;
  Kept* kept_ = nullptr;
  std::optional<Kept> guest_;  // of a pair that keeps nothing, as is the next
  ConvexMemories guests_;
  ConvexCounters counters_;
};

/// Less work is not worth waking threads for. Tests lower it, so that small worlds use several threads.
inline float least_microseconds_to_share = 700;

class Asking {
 public:
  explicit Asking(int threads) : threads_(threads), askers_([] { return Asker(); }) {}

  /// Asks one pair, here and now.
  bool collide(const PairToAsk& pair, const WorldOptions& options, const CollideRequest& request) {
    return alone_.collide(pair, options, request);
  }

  /// Counts what is asked on this thread from now on: all there is if there are no others. For the lab.
  void count() { alone_.count(); }
  const Counters& counters() const { return alone_.counters(); }

  /// Calls ask(asker, i) for every pair i, in any order.
  template <class Ask>
  void each(std::span<const PairToAsk> pairs, const Ask& ask) {
    if (threads_ == 1 || pairs.empty()) {
      for (std::size_t i = 0; i < pairs.size(); ++i) ask(alone_, i);
      return;
    }
    if (static_cast<float>(pairs.size()) * usual_cost_ < least_microseconds_to_share) {
      const auto begin = std::chrono::steady_clock::now();
      for (std::size_t i = 0; i < pairs.size(); ++i) ask(alone_, i);
      usual_cost_ = microseconds_since(begin) / static_cast<float>(pairs.size());
      return;
    }
    deal(pairs);
    const std::size_t hands = std::min(most_hands, pairs.size());
    with_threads(threads_, [&] {
      parallel_for(hands, 1, [&](std::size_t hand) {
        Asker& asker = askers_.local();
        for (std::size_t card = hand; card < order_.size(); card += hands) {
          const PairToAsk& pair = pairs[order_[card].pair];
          const auto begin = std::chrono::steady_clock::now();
          ask(asker, order_[card].pair);
          if (pair.live && pair.live->kept) pair.live->kept->cost = microseconds_since(begin);
        }
      });
    });
    float sum = 0;
    for (const PairToAsk& pair : pairs) sum += cost_of(pair);
    usual_cost_ = sum / static_cast<float>(pairs.size());
  }

  /// Of all threads.
  HullCounters hull_counters() const {
    HullCounters sum = alone_.hull_counters();
    askers_.each([&](const Asker& asker) {
      const HullCounters& one = asker.hull_counters();
      sum.asked += one.asked;
      sum.apart += one.apart;
      sum.red += one.red;
      sum.to_trees += one.to_trees;
    });
    return sum;
  }

 private:
  static constexpr std::size_t most_hands = 64;
  static constexpr float unknown_cost = 5;  // microseconds

  static float microseconds_since(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<float, std::micro>(std::chrono::steady_clock::now() - begin).count();
  }
  static float cost_of(const PairToAsk& pair) {
    return pair.live && pair.live->kept ? pair.live->kept->cost : unknown_cost;
  }

  struct Card {
    std::uint32_t pair, cost;
  };

  /// Orders pairs by what they cost last time, the dearest first. Dealt out in turn, all hands cost about the same.
  void deal(std::span<const PairToAsk> pairs) {
    order_.clear();
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      order_.push_back({static_cast<std::uint32_t>(i), ~std::bit_cast<std::uint32_t>(cost_of(pairs[i]))});
    }
    sort_by_key(order_, sorting_, [](const Card& card) { return std::uint64_t{card.cost}; });
  }

  int threads_;
  float usual_cost_ = unknown_cost;  // of a pair
  Asker alone_;
  PerThread<Asker> askers_;
  std::vector<Card> order_, sorting_;
};

}  // namespace tumble
