// SPDX-License-Identifier: Apache-2.0
// Budgets: what a question may cost, and what is certain when it has to stop (docs/semantics.md, promise 5).
#pragma once

#include <tumble/distance.h>

#include <chrono>
#include <cstdint>
#include <limits>

namespace tumble {

/// Whichever is spent first. Time is looked at every few node pairs, so a question overruns by some microseconds. What
/// depends on a model alone, such as whether it is closed, is worked out once, by the first question about solids,
/// outside any budget; check_closed() does so beforehand. A question with a budget must know at any time how far apart
/// volumes are, and, until there is contact, triangles: for contacts it takes about twice as long as one without, for
/// distances hardly longer.
struct Budget {
  /// Pairs of bounding volumes, leaves included. Locating a point or finding what is nearest to it counts as one.
  std::uint64_t node_pairs = std::numeric_limits<std::uint64_t>::max();
  std::chrono::nanoseconds time = std::chrono::nanoseconds::max();
};

enum class Verdict : std::uint8_t {
  free,       // certainly no contact
  colliding,  // certainly in contact
  unknown,
};

/// What is certain about two bodies. It is never wrong.
struct Certainty {
  Verdict verdict = Verdict::unknown;
  double lower = 0;  // the distance is at least this
  Distance closest;  // the nearest pair of triangles that was measured; the distance is at most closest.distance
  /// Each pair of volumes not opened yet, and so each pair of triangles in contact that was not found, could be
  /// separated, by itself, by a translation of at most this; 0 if none is left that may be in contact.
  double separation = 0;
  bool near = false;             // of a WithinRequest: a pair within the distance was found; if finished, the answer
  bool finished = false;         // nothing is left to do: what was asked is answered exactly
  std::uint64_t node_pairs = 0;  // spent on it since the beginning
};

const char* name(Verdict verdict);

}  // namespace tumble
