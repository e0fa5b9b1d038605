// SPDX-License-Identifier: Apache-2.0
// Leg: one unit of time of a motion. A point of the body goes straight ahead while the body turns about it.
#pragma once

#include "math/mat3.h"

#include <tumble/motion.h>
#include <tumble/pose.h>

#include <cstddef>
#include <vector>

namespace tumble {

/// world = turn * body + way, before it is checked as a Pose.
struct Placement {
  Mat3 turn;
  Vec3 way{};

  /// In the order of operations of Pose (docs/semantics.md, promise 2).
  Vec3 operator*(const Vec3& p) const { return turn * p + way; }
};

/// At time s, from 0 to 1, a point x of the body is at
///
///     origin + s·velocity + Rot(axis, s·angle)·(start + s·drift)·(x − center).
///
/// The drift is 0 but for roundings if both ends are rigid: poses are used as given, so it takes one end's matrix to
/// the other's.
struct Leg {
  Pose from;
  Mat3 start, drift{{Vec3{}, Vec3{}, Vec3{}}};
  double drift_size = 0;  // at least the drift's norm
  Vec3 center{};          // in the body's coordinates
  Vec3 origin{};          // where the center is at first
  Vec3 velocity{};
  Vec3 axis{0, 0, 1};  // of unit length
  double angle = 0;    // not negative
  Pose to;             // the end, if it was given; else computed

  bool stands() const { return angle == 0 && velocity == Vec3{} && drift_size == 0; }
  Placement at(double s) const;
};

struct MotionLegs {
  std::vector<Leg> legs;  // none: it stands
  Leg end;                // where it stands afterwards

  const Leg& leg(std::size_t i) const { return i < legs.size() ? legs[i] : end; }
};

/// At a time of at least 0.
Pose pose_at(const MotionLegs& legs, double time);

struct MotionAccess {
  static const MotionLegs& legs(const Motion& motion) { return *motion.legs_; }
};

}  // namespace tumble
