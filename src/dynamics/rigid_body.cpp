// SPDX-License-Identifier: Apache-2.0
// Flight: positions by the mean of two velocities, orientations by the spin half way, both corrected so that no energy
// comes or goes.
#include "dynamics/rigid_body.h"

#include "mesh/summarize.h"

#include <tumble/error.h>

#include <cmath>

namespace tumble {
namespace {

void require(bool good, const char* what) {
  if (!good) throw Error(ErrorCode::invalid_argument, what);
}

Quaternion product(const Quaternion& a, const Quaternion& b) {
  return {(a[0] * b[0] - a[1] * b[1]) - (a[2] * b[2] + a[3] * b[3]),
          (a[0] * b[1] + a[1] * b[0]) + (a[2] * b[3] - a[3] * b[2]),
          (a[0] * b[2] + a[2] * b[0]) + (a[3] * b[1] - a[1] * b[3]),
          (a[0] * b[3] + a[3] * b[0]) + (a[1] * b[2] - a[2] * b[1])};
}

/// Turned in the world about a small rotation vector, by Cayley's transform: half its length is the tangent of half the
/// angle, which is too small by a twelfth of its cube. The axis is right, and no trigonometry is needed.
Quaternion turned(const Quaternion& turn, Vec3 rotation) {
  return normalized(product({1, rotation.x / 2, rotation.y / 2, rotation.z / 2}, turn));
}

Mat3 rotation_of(const Quaternion& turn) {
  const Pose pose = pose_of(turn, {});
  return {{pose.row(0), pose.row(1), pose.row(2)}};
}

/// The potential of a unit mass.
double potential(const Gravity& gravity, Vec3 place) {
  return gravity.toward_centre * length(place - gravity.centre) - dot(gravity.uniform, place);
}

/// Six times the volume, with its sign.
double signed_volume(const Model& model) {
  const Vec3 origin = model.vertices()[0];
  double sum = 0;
  for (const Triangle& t : model.triangles())
    sum +=
        dot(model.vertices()[t[0]] - origin, cross(model.vertices()[t[1]] - origin, model.vertices()[t[2]] - origin));
  return sum;
}

}  // namespace

Vec3 acceleration(const Gravity& gravity, Vec3 place) {
  const Vec3 way = gravity.centre - place;
  const double distance = length(way);
  return distance > 0 ? gravity.uniform + way * (gravity.toward_centre / distance) : gravity.uniform;
}

RigidBody::RigidBody(const Model& its_model, const Pose& at, const RigidOptions& options)
    : model(its_model),
      kind(options.kind),
      restitution(options.restitution),
      friction(options.friction),
      pose(at),
      tried(at) {
  require(options.density >= 1e-50 && options.density <= 1e50, "a density must be from 1e-50 to 1e50");
  require(options.restitution >= 0 && options.restitution <= 1, "a restitution must be from 0 to 1");
  require(options.friction >= 0 && options.friction <= 1e6, "a friction must be from 0 to 1e6");
  if (falls()) {
    mass = mass_properties(
        {{model.vertices().begin(), model.vertices().end()}, {model.triangles().begin(), model.triangles().end()}, {}});
    mass.volume *= options.density;
    for (Vec3& row : mass.inertia) row *= options.density;
    inverse_mass = 1 / mass.volume;
    inertia_ = {mass.inertia};
    inverse_inertia_ = inverse(inertia_);
  }
  if (summarize(model.vertices(), model.triangles()).closed && signed_volume(model) < 0) outward = -1;
  now.place = at * mass.centre;
  now.turn = quaternion_of(at);
  set_velocity(options.velocity, options.spin);
  before = now;
}

void RigidBody::set_velocity(Vec3 velocity, Vec3 its_spin) {
  for (int i = 0; i < 3; ++i)
    require(std::abs(velocity[i]) <= 1e50 && std::abs(its_spin[i]) <= 1e50, "a velocity must be at most 1e50");
  require(moves() || (velocity == Vec3{} && its_spin == Vec3{}), "a standing body has no velocity");
  now.velocity = velocity;
  if (falls()) {
    const Mat3 rotation = rotation_of(now.turn);
    now.angular_momentum = rotation * (inertia_ * (transpose(rotation) * its_spin));
  } else {
    driven_spin_ = its_spin;
  }
}

Pose RigidBody::pose_at(const RigidMotion& motion) const {
  return pose_of(motion.turn, motion.place - rotation_of(motion.turn) * mass.centre);
}

Vec3 RigidBody::spin(const Quaternion& turn, Vec3 angular_momentum) const {
  if (!falls()) return driven_spin_;
  const Mat3 rotation = rotation_of(turn);
  return rotation * (inverse_inertia_ * (transpose(rotation) * angular_momentum));
}
Vec3 RigidBody::spin(const RigidMotion& motion) const { return spin(motion.turn, motion.angular_momentum); }

Vec3 RigidBody::arm_to(Vec3 point) const {
  const Vec3 arm = point - now.place;
  return (arm + rotation_of(before.turn) * (transpose(rotation_of(now.turn)) * arm)) / 2;
}

Mat3 RigidBody::inverse_inertia_at(const RigidMotion& motion) const {
  if (!falls()) return {{Vec3{}, Vec3{}, Vec3{}}};
  const Mat3 rotation = rotation_of(motion.turn);
  return rotation * inverse_inertia_ * transpose(rotation);
}

double RigidBody::kinetic_energy(const RigidMotion& motion) const {
  if (!falls()) return 0;
  return 0.5 * (mass.volume * length_sq(motion.velocity) + dot(motion.angular_momentum, spin(motion)));
}

double RigidBody::energy(const RigidMotion& motion, const Gravity& gravity) const {
  return falls() ? kinetic_energy(motion) + mass.volume * potential(gravity, motion.place) : 0;
}

Quaternion RigidBody::spun(Vec3 angular_momentum, double step) const {
  const Quaternion half_way = turned(before.turn, spin(before.turn, angular_momentum) * (step / 2));
  return turned(before.turn, spin(half_way, angular_momentum) * step);
}

RigidMotion RigidBody::carried(double step) const {
  RigidMotion to = now;
  to.place = before.place + now.velocity * step;
  to.turn = spun(now.angular_momentum, step);
  return to;
}

RigidMotion RigidBody::flown(const Gravity& gravity, double step) const {
  RigidMotion to = before;
  if (falls()) to.velocity += acceleration(gravity, before.place) * step;
  to.place = before.place + (before.velocity + to.velocity) * (step / 2);
  to.turn = spun(before.angular_momentum, step);
  if (!falls()) return to;
  // In a uniform field the velocity is right but for roundings. At the top of a way toward a centre there may be less
  // than nothing left; the body then stops for a moment.
  const double speed_sq = length_sq(to.velocity);
  const double left =
      length_sq(before.velocity) + 2 * (potential(gravity, before.place) - potential(gravity, to.place));
  if (speed_sq > 0) to.velocity *= std::sqrt(std::fmax(left, 0) / speed_sq);
  const double spinning = dot(to.angular_momentum, spin(to));
  if (spinning > 0) to.angular_momentum *= std::sqrt(dot(before.angular_momentum, spin(before)) / spinning);
  return to;
}

}  // namespace tumble
