// SPDX-License-Identifier: Apache-2.0
// RigidBody: the mass, place and motion of one body, and how it flies without contact.
#pragma once

#include "math/mat3.h"
#include "math/quaternion.h"

#include <tumble/dynamics.h>

namespace tumble {

/// Where a body is and how it moves.
struct RigidMotion {
  Vec3 place{};  // of the centre of mass, or of the origin of a body that does not fall
  Quaternion turn{1, 0, 0, 0};
  Vec3 velocity{};
  Vec3 angular_momentum{};  // 0 unless it falls
};

class RigidBody {
 public:
  /// Throws as Dynamics::add does.
  RigidBody(const Model& its_model, const Pose& at, const RigidOptions& options);

  bool falls() const { return kind == RigidKind::falling; }
  bool moves() const { return kind != RigidKind::standing; }

  Pose pose_at(const RigidMotion& motion) const;
  Vec3 spin(const RigidMotion& motion) const;
  /// Throws Error(invalid_argument) if a number is not finite, or the body stands and they are not 0.
  void set_velocity(Vec3 velocity, Vec3 spin);
  /// From the centre to a point of the body, half way between where the point was before and where it is now: its
  /// velocity times the step is then how far it moved, for a turn by Cayley's transform.
  Vec3 arm_to(Vec3 point) const;
  /// The inverse of its inertia in the world; 0 unless it falls.
  Mat3 inverse_inertia_at(const RigidMotion& motion) const;
  double kinetic_energy(const RigidMotion& motion) const;
  double energy(const RigidMotion& motion, const Gravity& gravity) const;

  /// A step without contact, which keeps the energy.
  RigidMotion flown(const Gravity& gravity, double step) const;
  /// A step from where it was before, with the velocities it has now.
  RigidMotion carried(double step) const;

  Model model;
  RigidKind kind;
  double restitution, friction;
  MassProperties mass{};  // with the density
  double inverse_mass = 0;
  double outward = 1;           // -1 if the fronts of the triangles look inward
  RigidMotion now{}, before{};  // before: when the step began
  Pose pose{}, tried{};

 private:
  Vec3 spin(const Quaternion& turn, Vec3 angular_momentum) const;
  Quaternion spun(Vec3 angular_momentum, double step) const;

  Mat3 inertia_, inverse_inertia_;  // in the body's coordinates
  Vec3 driven_spin_{};
};

Vec3 acceleration(const Gravity& gravity, Vec3 place);

}  // namespace tumble
