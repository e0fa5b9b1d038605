// SPDX-License-Identifier: Apache-2.0
// Sink: receives the pairs of triangles a walk could not rule out, decides them, and steers the walk.
#pragma once

#include "traverse/leaf_pairs.h"

#include <limits>

namespace tumble {

class Sink {
 public:
  virtual ~Sink() = default;

  /// Returns true to end the walk.
  virtual bool decide(const LeafPairs& pairs) = 0;

  /// Whether pairs of triangles whose distance in the world is certainly at least `distance` do not matter. Asked where
  /// gaps do not tell: they are single precision, and as near the limit as that is exact.
  virtual bool is_too_far(double /*distance*/) { return false; }
  /// A distance in the world from which on pairs are too far.
  virtual double farthest() const { return std::numeric_limits<double>::infinity(); }

  /// Whether pairs come with gaps. A sink that no longer needs them, because only contact matters from here on, clears
  /// this at any time.
  bool measures = false;
  /// What has a greater gap than this is passed over. It may be lowered at any time and is never raised.
  float limit = std::numeric_limits<float>::infinity();
  /// Whether it will be lowered. It then pays to look at what is much nearer first.
  bool limit_falls = false;
};

}  // namespace tumble
