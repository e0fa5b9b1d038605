// SPDX-License-Identifier: Apache-2.0
// Makes motions and evaluates them.
#include "core/plain_arithmetic.h"
#include "math/quaternion.h"
#include "math/rotation_of.h"
#include "math/sum_norm.h"
#include "math/turn.h"
#include "motion/leg.h"
#include "motion/moving_body.h"

#include <tumble/error.h>
#include <tumble/motion.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace tumble {
namespace {

constexpr double most_departure = 9.9e-5;  // a pose's limit is 1e-4; blends of two poses depart by 1e-7 more at most
constexpr double most_angle = 1e6;

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorCode::invalid_argument, why); }

void require_rigid(const Pose& pose) {
  const double departure = departure_from_orthogonality(rotation_of(pose));
  if (!(departure <= most_departure))
    throw Error(ErrorCode::invalid_pose, "a motion's pose is not rigid enough: max|R^T R - I| is " +
                                             std::to_string(departure) + ", at most 9.9e-5 is accepted");
}

void require_coordinates(const Vec3& v, const char* what) {
  for (int axis = 0; axis < 3; ++axis)
    if (!(std::abs(v[axis]) <= max_coordinate))
      refuse(std::string(what) + " must be finite and at most 1e100 in magnitude");
}

/// A unit vector and its length; of vectors however small or large.
std::pair<Vec3, double> unit_of(const Vec3& v) {
  const double largest = std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
  if (largest == 0) return {{0, 0, 1}, 0};
  const Vec3 scaled = v / largest;
  const double size = length(scaled);
  return {scaled / size, size * largest};
}

Leg standing(const Pose& pose) {
  Leg leg;
  leg.from = leg.to = pose;
  leg.start = rotation_of(pose);
  leg.origin = pose.translation();
  return leg;
}

Pose pose_of(const Placement& placed) {
  std::array<double, 12> rows;
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3& row = placed.turn.rows[i];
    rows[4 * i] = row.x, rows[4 * i + 1] = row.y, rows[4 * i + 2] = row.z;
    rows[4 * i + 3] = placed.way[static_cast<int>(i)];
  }
  return Pose::from_rows(rows);
}

Leg straight(const Pose& from, const Pose& to) {
  require_rigid(from);
  require_rigid(to);
  Leg leg = standing(from);
  leg.to = to;
  leg.velocity = to.translation() - from.translation();
  const Mat3 end = rotation_of(to);
  if (end == leg.start) return leg;
  Quaternion q = quaternion_of(end * transpose(leg.start));
  if (q[0] < 0)
    for (double& component : q) component = -component;  // the shorter way round
  const auto [axis, sine] = unit_of({q[1], q[2], q[3]});
  constexpr double no_turn = 0x1p-50;  // roundings; the drift makes up for it
  if (sine > no_turn) leg.axis = axis, leg.angle = 2 * angle_of(q[0], sine);
  const Mat3 back = rotation_about(leg.axis, -leg.angle) * end;
  double sum = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    leg.drift.rows[i] = back.rows[i] - leg.start.rows[i];
    sum += length_sq(leg.drift.rows[i]);
  }
  leg.drift_size = std::sqrt(sum) * (1 + 1e-10);
  return leg;
}

/// Turning about `center`, in the body's coordinates, which is at `origin`.
Leg turning(const Pose& from, const Vec3& center, const Vec3& origin, const Vec3& velocity, const Vec3& axis,
            double angle) {
  require_rigid(from);
  Leg leg = standing(from);
  leg.center = center;
  leg.origin = origin;
  leg.velocity = velocity;
  leg.axis = angle < 0 ? -axis : axis;
  leg.angle = std::abs(angle);
  require_coordinates(origin + velocity, "where a motion ends");
  if (!(leg.angle <= most_angle)) refuse("a motion may turn by at most 1e6 radians a leg");
  leg.to = pose_of(leg.at(1));
  return leg;
}

std::shared_ptr<const MotionLegs> made(std::vector<Leg> legs) {
  const Leg end = standing(legs.back().to);
  return std::make_shared<const MotionLegs>(MotionLegs{std::move(legs), end});
}

}  // namespace

Placement Leg::at(double s) const {
  if (s == 0 || stands()) return {rotation_of(from), from.translation()};
  Mat3 turn = start;
  if (drift_size != 0)
    for (std::size_t i = 0; i < 3; ++i) turn.rows[i] += drift.rows[i] * s;
  if (angle != 0) turn = rotation_about(axis, angle * s) * turn;
  return {turn, origin + velocity * s - turn * center};
}

Pose pose_at(const MotionLegs& legs, double time) {
  if (time >= static_cast<double>(legs.legs.size())) return legs.end.from;
  const double leg = std::floor(time);
  return pose_of(legs.legs[static_cast<std::size_t>(leg)].at(time - leg));
}

Motion::Motion(const Pose& pose) : legs_(std::make_shared<const MotionLegs>(MotionLegs{{}, standing(pose)})) {}

Motion Motion::line(const Pose& from, const Pose& to) {
  const PlainArithmetic plain;
  Motion motion;
  motion.legs_ = made({straight(from, to)});
  return motion;
}

Motion Motion::steady(const Pose& from, Vec3 velocity, Vec3 rotation, Vec3 center) {
  const PlainArithmetic plain;
  require_coordinates(velocity, "a velocity");
  require_coordinates(rotation, "a rotation");
  require_coordinates(center, "the center of a rotation");
  const auto [axis, angle] = unit_of(rotation);
  Motion motion;
  motion.legs_ = made({turning(from, center, from * center, velocity, axis, angle)});
  return motion;
}

Motion Motion::screw(const Pose& from, Vec3 point, Vec3 axis, double angle, double advance) {
  const PlainArithmetic plain;
  require_coordinates(point, "a point of an axis");
  require_coordinates(axis, "an axis");
  require_coordinates({advance, 0, 0}, "an advance");
  if (axis == Vec3{}) refuse("the axis of a screw must not be zero");
  const Vec3 direction = unit_of(axis).first;
  // The point of the axis nearest to the body's origin: about a far one, roundings would be larger.
  const Vec3 nearest = point + direction * dot(direction, from.translation() - point);
  const Vec3 center = from.inverse() * nearest;
  Motion motion;
  motion.legs_ = made({turning(from, center, nearest, direction * advance, direction, angle)});
  return motion;
}

Motion Motion::path(std::span<const Pose> poses) {
  const PlainArithmetic plain;
  if (poses.empty()) refuse("a path needs a pose");
  if (poses.size() == 1) return Motion(poses[0]);
  std::vector<Leg> legs;
  legs.reserve(poses.size() - 1);
  for (std::size_t i = 1; i < poses.size(); ++i) legs.push_back(straight(poses[i - 1], poses[i]));
  Motion motion;
  motion.legs_ = made(std::move(legs));
  return motion;
}

double Motion::end() const { return static_cast<double>(legs_->legs.size()); }

Pose Motion::at(double time) const {
  const PlainArithmetic plain;
  if (!(time >= 0)) refuse("a motion begins at time 0; it was asked for time " + std::to_string(time));
  return pose_at(*legs_, time);
}

double Motion::top_speed(const Model& model) const {
  const PlainArithmetic plain;
  double fastest = 0;
  for (std::size_t i = 0; i < legs_->legs.size(); ++i)
    fastest = std::max(fastest, MovingBody(data_of(model), *legs_, i).top_speed());
  return fastest;
}

}  // namespace tumble
