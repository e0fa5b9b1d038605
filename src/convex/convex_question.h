// SPDX-License-Identifier: Apache-2.0
// ConvexQuestion: one question about two placed hulls, from last time's features to an answer, and the certificates
// without which none is given. Apart: a gap along some direction, larger than any rounding. Overlapping: no translation
// as short as a rounding separates the hulls. What neither proves is for the Models of the hulls to decide.
#pragma once

#include "convex/expanding_polytope.h"
#include "convex/first_steps.h"
#include "convex/placed_hull.h"
#include "convex/voronoi_walk.h"

#include <tumble/convex.h>
#include <tumble/distance.h>

#include <cstdint>
#include <functional>
#include <optional>

namespace tumble {

/// What two hulls keep from one question to the next. It changes speed, and which of several ties is named.
struct ConvexMemory {
  enum class Last : std::uint8_t { nothing, features, overlap };

  FeaturePair features;
  Simplex simplex;
  Vec3 direction{};  // that separated them last
  Last last = Last::nothing;
};

/// Allocates nothing, but for separating_translation().
class ConvexQuestion {
 public:
  ConvexQuestion(const ConvexModel& a, const Pose& pose_a, const ConvexModel& b, const Pose& pose_b,
                 ConvexMemory& memory, ConvexCounters& counters);

  /// None: too close to call.
  std::optional<bool> collide();
  std::optional<ConvexDistance> distance();
  /// The answer of the hulls' Models, solids, where distance() has none.
  ConvexDistance take(const Distance& exact);
  /// Of bodies in contact. `exact` asks the Models, where the bodies hardly overlap.
  SeparatingTranslation separating_translation(const std::function<Distance()>& exact);

 private:
  bool separates(Vec3 direction);
  FirstSteps start_cold();
  bool remember_overlap();
  bool still_overlap();
  std::optional<ConvexDistance> walk_and_measure(int steps);
  ConvexDistance common_point() const;
  void look_between(Depth& found, const Distance& exact) const;

  ConvexMemory& memory_;
  ConvexCounters& counters_;
  double scale_;  // of all lengths in here but those of poses and answers
  PlacedHull a_, b_;
  double slack_;
};

}  // namespace tumble
