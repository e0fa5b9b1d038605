// SPDX-License-Identifier: Apache-2.0
// LivePairs: the neighbours of a world that are to be tested, in the order of their ids, with what each pair keeps from
// one question to the next.
#pragma once

#include "convex/convex_question.h"
#include "convex/hull_look.h"
#include "query/pair_memory.h"
#include "query/pair_setup.h"
#include "world/bodies.h"
#include "world/neighbours.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace tumble {

/// Of questions that one pair may answer, and of others: so distances do not depend on which thread was first.
struct ConvexMemories {
  ConvexMemory contact, distance;
};

/// What a pair keeps.
struct Kept {
  PairSetup setup;
  PairMemory memory{};
  std::unique_ptr<ConvexMemories> convex{};  // of two convex bodies
  float cost = 0;                            // of the last question that was shared out, in microseconds
  std::size_t bytes = 0;                     // of all this, after the last question

  void count_bytes();
};

/// When a pair is looked at along lines (SupportMap): not before some questions, as few are not worth making the maps,
/// and the less often the more looks in a row were in vain.
struct LineLooks {
  std::uint8_t in_vain = 0, to_leave_out = 16;

  bool is_due() {
    if (to_leave_out == 0) return true;
    --to_leave_out;
    return false;
  }
  void note(bool are_apart) {
    constexpr int patience = 3, longest = 6;
    in_vain = are_apart ? 0 : static_cast<std::uint8_t>(std::min(in_vain + 1, patience + longest));
    to_leave_out = in_vain > patience ? static_cast<std::uint8_t>(1 << (in_vain - patience)) : 0;
  }
};

struct LivePair {
  Slot a, b;  // the one with the smaller id first
  BodyPair ids;
  std::unique_ptr<Kept> kept{};         // made by the first question
  std::unique_ptr<HullMemory> hulls{};  // made by the first look at hulls
  float asked = 0, hits = 0;            // by questions that one pair answers, and how often it did
  LineLooks lines{};
  bool collided = false;  // when it was last asked

  /// Of what it keeps.
  std::size_t bytes() const { return (kept ? kept->bytes : 0) + (hulls ? sizeof(HullMemory) : 0); }
  void forget() {
    kept.reset();
    hulls.reset();
  }

  /// More than 1: it collided last time.
  float likely_hit() const { return hits / (asked + 1) + (collided ? 1.0F : 0.0F); }
  void note(bool is_hit) {
    asked += 1;
    hits += is_hit ? 1.0F : 0.0F;
  }
};

class LivePairs {
 public:
  /// Pairs that are no longer neighbours, or no longer of interest, lose what they kept.
  void update(std::span<const SlotPair> neighbours, const Bodies& bodies);

  std::span<LivePair> all() { return pairs_; }
  /// None if the two are not live.
  LivePair* find(BodyPair ids);

  /// Drops what pairs keep, the largest first, until it is at most `bytes`.
  void limit_memory(std::size_t bytes);

 private:
  struct Found {
    std::uint64_t key;  // both ids
    Slot a, b;
  };

  std::vector<LivePair> pairs_, before_;
  std::vector<Found> found_, sorting_;
};

}  // namespace tumble
