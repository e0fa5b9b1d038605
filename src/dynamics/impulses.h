// SPDX-License-Identifier: Apache-2.0
// Impulses: what contacts do to velocities, one contact after the other, again and again (sequential impulses).
#pragma once

#include <tumble/vec.h>

#include "math/mat3.h"

#include <cstddef>
#include <vector>

namespace tumble {

/// The velocities of a body while impulses act on it. A body that does not give way has zero inverses.
struct Moving {
  Vec3 velocity{}, spin{};
  double inverse_mass = 0;
  Mat3 inverse_inertia{{Vec3{}, Vec3{}, Vec3{}}};

  Vec3 at(Vec3 arm) const { return velocity + cross(spin, arm); }
  void push(Vec3 impulse, Vec3 arm) {
    velocity += impulse * inverse_mass;
    spin += inverse_inertia * cross(arm, impulse);
  }
};

/// One point at which two bodies meet.
struct Meeting {
  std::size_t a = 0, b = 0;  // which of the moving
  Vec3 arm_a, arm_b;         // from the centres to the point
  Vec3 normal;               // unit, from b to a
  double restitution = 0, friction = 0;
};

struct ImpulseRules {
  int iterations = 20;
  /// Where bodies approach no faster than this, they do not bounce.
  double resting_speed = 0;
  /// Where they touch, they part at least at this speed, so that roundings do not keep them in contact.
  double parting_speed = 0;
};

/// Changes the velocities so that no meeting approaches, as far as the iterations go. First all approach is stopped,
/// with friction; then each normal impulse is given again, times the restitution (Poisson's hypothesis), which for
/// exact sums returns at most the share restitution² of the energy taken; then what approaches again is stopped.
class Impulses {
 public:
  void apply(std::vector<Moving>& moving, const std::vector<Meeting>& meetings, const ImpulseRules& rules);

 private:
  struct Sum {
    double normal = 0;
    Vec3 friction{};
    double along = 0;     // how much the bodies yield along the normal
    double approach = 0;  // before any impulse
  };
  void stop(std::vector<Moving>& moving, const std::vector<Meeting>& meetings, const ImpulseRules& rules);

  std::vector<Sum> sums_;  // by meeting
};

}  // namespace tumble
