// SPDX-License-Identifier: Apache-2.0
// Rigid motions over time, and the question when two moving bodies first touch.
#pragma once

#include <tumble/budget.h>
#include <tumble/model.h>
#include <tumble/pose.h>
#include <tumble/vec.h>
#include <tumble/world.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <span>

namespace tumble {

struct MotionLegs;

/// Where a body is at each time from 0 to end(); after that it stands. A cheap handle to constant data. The same on
/// every machine: no trigonometry of the system is used.
///
/// A motion consists of legs of one unit of time each. On a leg one point of the body moves straight ahead at an even
/// speed, and the body turns about that point, around a fixed axis at an even speed. Its poses must be rigid to
/// max|RᵀR − I| ≤ 9.9e-5, so that those on the way are accepted, too; one at rest may have any pose. Turns are at most
/// 1e6 radians a leg.
class Motion {
 public:
  /// At rest.
  Motion(const Pose& pose = {});

  /// From one pose to another as interpolate() goes: the origin of the body on a straight line, the shorter way round.
  static Motion line(const Pose& from, const Pose& to);
  /// At an even velocity and turning at an even speed, as often as asked: `rotation` is the axis, in the world, times
  /// the angle in radians. `center`, in the body's coordinates, is the point that goes straight.
  static Motion steady(const Pose& from, Vec3 velocity, Vec3 rotation, Vec3 center = {});
  /// A turn about an axis of the world, by an angle in radians, while the body goes by `advance` along it. The axis
  /// goes through `point`; its length does not matter.
  static Motion screw(const Pose& from, Vec3 point, Vec3 axis, double angle, double advance);
  /// A leg from each pose to the next, as line() goes. Throws Error(invalid_argument) if there is no pose.
  static Motion path(std::span<const Pose> poses);

  /// The number of legs; 0 if it stands.
  double end() const;
  /// Throws Error(invalid_argument) for a time below 0 or NaN. Given poses are met exactly, others are rounded: every
  /// world coordinate by at most 1e-13 of the numbers that it is made of, for turns up to a hundred times around.
  Pose at(double time) const;
  /// No point of the body is ever faster. Rounded up.
  double top_speed(const Model& model) const;

 private:
  friend struct MotionAccess;
  std::shared_ptr<const MotionLegs> legs_;
};

struct FirstContactRequest {
  /// The gap at which bodies count as in contact; 0: a millionth of the smaller body's size. Roundings set a lower
  /// limit, 1e-11 of the largest coordinates and ways or less.
  double tolerance = 0;
  bool solid = false;  // a body inside the other at the start is in contact with it
  /// `node_pairs` counts looks at a pair of volumes or triangles at one time.
  Budget budget{};
};

/// When two moving bodies first touch, to within the tolerance.
struct FirstContact {
  bool found = false;     // a gap of at most the tolerance, or contact
  bool initial = false;   // in contact at time 0
  bool finished = false;  // false: the budget ran out before anything was found
  double free_until = 0;  // certainly no contact before this time; infinite if there never is one
  /// The gap is at most the tolerance at this time. Equal to free_until if found, else infinite.
  double time = std::numeric_limits<double>::infinity();
  // At this time:
  std::uint32_t triangle_a = 0, triangle_b = 0;
  Vec3 point_a{}, point_b{};  // on these triangles
  Vec3 normal{};              // unit, from b to a; of initial contacts as in Contact, NaN for degenerate triangles
  double gap = 0;             // of these triangles; 0 only if initial
  bool inside = false;        // solids only: initial, and no contact of the surfaces but one body inside the other
  std::uint64_t node_pairs = 0;
};

/// Conservative advancement (Mirtich 1996) of pairs of bounding volumes and triangles, the earliest first. There is no
/// contact before `free_until`, whatever the bodies' speeds and however thin they are; what is reported is a gap of at
/// most the tolerance, so a near miss within it may be reported. From 0 to the later end of both motions.
FirstContact first_contact(const Model& a, const Motion& motion_a, const Model& b, const Motion& motion_b,
                           const FirstContactRequest& request = {});

/// How a body or a group of a world moves, from where its motion begins: its pose in the world does not matter.
struct BodyMotion {
  BodyId id;
  Motion motion;
};

struct WorldFirstContact {
  BodyId a, b;  // members of groups by their own ids, the one added first as a; 0 if none was found
  FirstContact contact;
};

/// The first of all contacts in a world, of pairs that are to be tested (docs/semantics.md, Worlds). Bodies that are
/// not named stand. Throws Error(invalid_argument) if an id names nothing, a member of a group, or the same as another.
WorldFirstContact first_contact(const World& world, std::span<const BodyMotion> motions,
                                const FirstContactRequest& request = {});

}  // namespace tumble
