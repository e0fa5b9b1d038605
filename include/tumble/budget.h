// SPDX-License-Identifier: Apache-2.0
// Budgets: what a question may cost, and what is certain when it has to stop (docs/semantics.md, promise 5).
#pragma once

#include <tumble/distance.h>

#include <chrono>
#include <cstdint>
#include <limits>

namespace tumble {

/// The question stops when either limit is reached. The clock is read every few node pairs, so a question overruns by
/// some microseconds; for the overlap of solids by as long as it takes to cut one face with all it meets. Facts about a
/// model alone, such as whether it is closed, are computed once, by the first question about solids, outside any
/// budget; check_closed() computes them beforehand. A question with a budget keeps track of the gaps between volumes
/// and, until there is contact, between triangles. For contacts it takes about twice as long as one without a budget,
/// for distances hardly longer.
struct Budget {
  /// Pairs of bounding volumes, leaves included. Locating a point or finding what is nearest to it counts as one, and
  /// so does a look at one cell of a face, for the overlap of solids.
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
  /// A translation of at most this separates any one pair of volumes not opened yet, and so any one contact not found
  /// yet; a different pair may need a different translation. 0 if no remaining pair may be in contact.
  double separation = 0;
  bool near = false;             // WithinRequest: something within the distance was found; once finished, the answer
  bool finished = false;         // nothing is left to do; the answer is exact, or as near as was asked for
  std::uint64_t node_pairs = 0;  // spent on the question since its start; those of the quick way are not counted
};

const char* name(Verdict verdict);

}  // namespace tumble
