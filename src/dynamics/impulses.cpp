// SPDX-License-Identifier: Apache-2.0
// Sweeps over the meetings in their order. Each sums up its own impulses: the sum along the normal stays positive, and
// that of friction within the cone.
#include "dynamics/impulses.h"

#include <algorithm>
#include <cmath>

namespace tumble {
namespace {

Vec3 relative_velocity(const Moving& a, const Moving& b, const Meeting& m) { return a.at(m.arm_a) - b.at(m.arm_b); }

/// By how much a unit impulse along the direction changes the relative velocity along it.
double yielding(const Moving& a, const Moving& b, const Meeting& m, Vec3 direction) {
  const Vec3 turn_a = cross(m.arm_a, direction), turn_b = cross(m.arm_b, direction);
  return (a.inverse_mass + b.inverse_mass) +
         (dot(turn_a, a.inverse_inertia * turn_a) + dot(turn_b, b.inverse_inertia * turn_b));
}

void push(Moving& a, Moving& b, const Meeting& m, Vec3 impulse) {
  a.push(impulse, m.arm_a);
  b.push(-impulse, m.arm_b);
}

}  // namespace

void Impulses::stop(std::vector<Moving>& moving, const std::vector<Meeting>& meetings, const ImpulseRules& rules) {
  for (int sweep = 0; sweep < rules.iterations; ++sweep)
    for (std::size_t i = 0; i < meetings.size(); ++i) {
      const Meeting& m = meetings[i];
      Moving &a = moving[m.a], &b = moving[m.b];
      Sum& sum = sums_[i];
      if (!(sum.along > 0)) continue;  // neither gives way
      const double approach = rules.parting_speed - dot(relative_velocity(a, b, m), m.normal);
      const double normal = std::max(0.0, sum.normal + approach / sum.along);
      if (normal != sum.normal) push(a, b, m, m.normal * (normal - sum.normal));
      sum.normal = normal;

      if (m.friction == 0 || (normal == 0 && sum.friction == Vec3{})) continue;
      const Vec3 velocity = relative_velocity(a, b, m);
      const Vec3 slip = velocity - m.normal * dot(velocity, m.normal);
      const double speed = length(slip);
      Vec3 friction = sum.friction;
      if (speed > 0) friction -= slip / yielding(a, b, m, slip / speed);
      const double most = m.friction * normal, size = length(friction);
      if (size > most) friction *= most / size;
      push(a, b, m, friction - sum.friction);
      sum.friction = friction;
    }
}

void Impulses::apply(std::vector<Moving>& moving, const std::vector<Meeting>& meetings, const ImpulseRules& rules) {
  sums_.assign(meetings.size(), {});
  for (std::size_t i = 0; i < meetings.size(); ++i) {
    const Meeting& m = meetings[i];
    sums_[i].along = yielding(moving[m.a], moving[m.b], m, m.normal);
    sums_[i].approach = -dot(relative_velocity(moving[m.a], moving[m.b], m), m.normal);
  }
  stop(moving, meetings, rules);
  bool bounced = false;
  for (std::size_t i = 0; i < meetings.size(); ++i) {
    const Meeting& m = meetings[i];
    if (!(sums_[i].approach > rules.resting_speed) || m.restitution == 0) continue;
    push(moving[m.a], moving[m.b], m, m.normal * (m.restitution * sums_[i].normal));
    bounced = true;
  }
  if (!bounced) return;
  for (Sum& sum : sums_) sum.normal = 0, sum.friction = {};
  stop(moving, meetings, rules);
}

}  // namespace tumble
