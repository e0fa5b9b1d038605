// SPDX-License-Identifier: Apache-2.0
// Asking: one question to many pairs of bodies, on all cores. Each thread has a Question of its own, so that pairs need
// no scratch; what a pair keeps goes with the pair. So answers do not depend on which thread asked.
#pragma once

#include "core/parallel.h"
#include "core/sort_by_key.h"
#include "query/question.h"
#include "world/live_pairs.h"

#include <tumble/world.h>

#include <bit>
#include <chrono>
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
  /// Finds contacts and keeps them until the next call with another number.
  ContactRange list(const PairToAsk& pair, const PairOptions& options, const ContactRequest& request,
                    std::uint64_t call) {
    if (call_ != call) contacts_.clear();
    call_ = call;
    const std::size_t before = contacts_.size();
    Question& question = answer(pair, options, request);
    guarded([&] {
      const Contacts& found = question.contacts();
      contacts_.insert(contacts_.end(), found.begin(), found.end());
    });
    return {&contacts_, before, contacts_.size() - before};
  }

  /// Makes ready for begin(), so that one question may follow another.
  template <class T>
  Question& start(const PairToAsk& pair, const PairOptions& options, const T& request) {
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
  }

 private:
  Kept& made(const PairToAsk& pair, const PairOptions& options) {
    if (!pair.live) return guest_.emplace(Kept{PairSetup(pair.a->model, pair.b->model, options)});
    if (!pair.live->kept)
      pair.live->kept = std::make_unique<Kept>(Kept{PairSetup(pair.a->model, pair.b->model, options)});
    return *pair.live->kept;
  }

  Contacts contacts_;
  std::uint64_t call_ = 0;
  Question question_;
  Tally tally_;
  Kept* kept_ = nullptr;
  std::optional<Kept> guest_;  // of a pair that keeps nothing
};

/// Less work is not worth waking threads for. Tests lower it, so that small worlds use several threads.
inline float least_microseconds_to_share = 700;

class Asking {
 public:
  explicit Asking(int threads) : threads_(threads), askers_([] { return Asker(); }) {}

  /// Asks one pair, here and now.
  template <class T>
  Question& one(const PairToAsk& pair, const PairOptions& options, const T& request) {
    return alone_.answer(pair, options, request);
  }

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
