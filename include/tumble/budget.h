// SPDX-License-Identifier: Apache-2.0
// Budgets: what a query may cost, and what is certain when it has to stop (docs/semantics.md, promise 5).
#pragma once

#include <tumble/distance.h>

#include <chrono>
#include <cstdint>
#include <limits>

namespace tumble {

/// Whichever is used up first. Time is looked at every few node pairs, so a query overruns by some microseconds, and by
/// what it takes to hand over what was found so far. Every call gets on a little, by one look at a shell of a solid at
/// least. What depends on a model alone, as whether it is closed and its shells, is worked out once, by the first
/// question about solids, outside any budget: check_closed() does so beforehand. A query that may be asked what is
/// certain at any time has to know how far apart volumes are, and, until there is contact, triangles: collide and
/// contacts take about twice as long as without a budget, the others hardly longer.
struct Budget {
  /// Of bounding volumes, leaves included. Of solids, looking where a point is or what is nearest to it counts as one.
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
  Distance closest;  // the nearest pair of triangles seen, one at least: the distance is at most closest.distance
  /// Each pair of volumes not yet looked into, and so each pair of triangles in contact that was not found, could be
  /// separated, by itself, by a translation of at most this; 0 if none is left that may be in contact.
  double separation = 0;
  bool near = false;             // is_within and within: a pair at most so far apart was found; if finished, the answer
  bool finished = false;         // nothing is left to do: what was asked is answered exactly
  std::uint64_t node_pairs = 0;  // taken up for it, from the beginning
};

const char* name(Verdict verdict);

}  // namespace tumble
