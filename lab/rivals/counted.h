// SPDX-License-Identifier: Apache-2.0
// Counted: those who take part in a contest and count their own work. They are ours; others have no such counters.
#pragma once

#include <tumble/counters.h>

#include <cstdint>
#include <optional>

namespace tumble::lab {

/// Exact on one instruction set, as no clock is involved.
struct Work {
  Counters trees;           // of the walks of pairs of models
  std::uint64_t looks = 0;  // boxes and pairs that the search for neighbours looked at, and steps of its sorting
};

class Counted {
 public:
  virtual ~Counted() = default;

  /// Forgets what it remembers of earlier questions, and counts those that follow.
  virtual void count() = 0;
  /// Since then.
  virtual Work work() const = 0;
};

/// What a rival does for the questions that `ask` puts to it; none if it does not count.
template <class AnyRival, class Ask>
std::optional<Work> work_of(AnyRival& rival, const Ask& ask) {
  auto* const counted = dynamic_cast<Counted*>(&rival);
  if (!counted) return std::nullopt;
  counted->count();
  ask(rival);
  return counted->work();
}

}  // namespace tumble::lab
