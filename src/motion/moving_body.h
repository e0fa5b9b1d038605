// SPDX-License-Identifier: Apache-2.0
// MovingBody: a model on one leg of its motion. It places volumes of the tree at a time and bounds how fast their
// points go in a direction.
#pragma once

#include "motion/leg.h"
#include "tree/model_data.h"
#include "tree/volume_id.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

namespace tumble {

/// A bound of a tree at a time: all points arm + Σ s_i·edges[i] + (a ball), |s_i| ≤ 1, from the leg's moving center.
struct PlacedVolume {
  Vec3 arm;
  std::array<Vec3, 3> axes;   // of unit length, about
  std::array<Vec3, 3> edges;  // half of each
  double round = 0;           // radius of the ball
  double radius = 0;          // of a ball around it all
  double from_axis = 0;       // no point of it is farther from the leg's axis, at any time
  double drift = 0;           // the speed that the leg's drift adds, at most

  /// Along any vector, without the ball.
  double extent(const Vec3& n) const {
    return std::abs(dot(n, edges[0])) + std::abs(dot(n, edges[1])) + std::abs(dot(n, edges[2]));
  }
};

/// How points go along a direction n, in a unit of time.
struct Approach {
  double speed;         // now, at most
  double top;           // at any time of the leg, at most
  double acceleration;  // at any time of the leg, at most

  friend Approach operator+(const Approach& a, const Approach& b) {
    return {a.speed + b.speed, a.top + b.top, a.acceleration + b.acceleration};
  }
};

/// For how long a gap along a direction certainly stays open. Points that now have this speed and never more than this
/// acceleration are, after t, no nearer than gap − speed·t − acceleration·t²/2, nor than gap − top·t.
inline double open_for(double gap, const Approach& closing) {
  constexpr double never = std::numeric_limits<double>::infinity();
  if (!(gap > 0)) return 0;
  if (closing.top <= 0) return never;
  const double evenly = gap / closing.top;
  const double root = std::sqrt(closing.speed * closing.speed + 2 * closing.acceleration * gap);
  const double falling = closing.speed > 0          ? 2 * gap / (closing.speed + root)
                         : closing.acceleration > 0 ? (root - closing.speed) / closing.acceleration
                                                    : never;
  return (evenly > falling ? evenly : falling) * (1 - 1e-12);
}

/// Squares of smaller lengths underflow; it is added to lengths that must not be too small.
inline constexpr double least_length = 1e-150;

class MovingBody {
 public:
  MovingBody(const ModelData& model, const MotionLegs& motion, std::size_t leg);

  /// Where it is at a time of the motion; kept until another is asked for.
  void place(double time);
  PlacedVolume volume(VolumeId id) const;
  /// Of the leg's center.
  const Vec3& reference() const { return reference_; }
  /// World coordinates (docs/semantics.md, promise 2).
  Vec3 vertex(std::uint32_t v) const { return placed_ * model_->vertices[v]; }

  /// Of the points of a volume, along n.
  Approach approach(const Vec3& n, const PlacedVolume& volume) const {
    const Vec3 turning = cross(n, leg_->axis) * leg_->angle;
    const double straight = dot(n, leg_->velocity), size = length(turning);
    return bounded(straight, dot(turning, volume.arm) + volume.extent(turning) + volume.round * size, size,
                   volume.from_axis, volume.drift);
  }
  /// Of one point, in world coordinates.
  Approach approach(const Vec3& n, const Vec3& point) const {
    const Vec3 turning = cross(n, leg_->axis) * leg_->angle, arm = point - reference_;
    return bounded(dot(n, leg_->velocity), dot(turning, arm), length(turning), from_axis(arm), drift(length(arm)));
  }
  /// No point at these places is ever faster, but for the leg's velocity.
  double turning_speed(const Vec3& point) const {
    const Vec3 arm = point - reference_;
    return leg_->angle * from_axis(arm) + (1 + leg_->angle) * drift(length(arm));
  }
  double top_speed() const;

  const ModelData& model() const { return *model_; }
  const Leg& leg() const { return *leg_; }
  /// World coordinates at any time of the leg are off by less than half of this from the motion in exact arithmetic,
  /// and so are volumes. Times are rounded, too.
  double margin() const { return margin_; }
  double size() const;

 private:
  double from_axis(const Vec3& arm) const { return length(cross(leg_->axis, arm)) + least_length; }
  double drift(double away) const { return leg_->drift_size * away * 1.01; }
  Approach bounded(double straight, double turning, double turning_size, double far, double drift) const {
    const double top = turning_size * (far + drift);
    return {straight + turning + drift, straight + top + drift, leg_->angle * (top + drift)};
  }

  const ModelData* model_;
  const Leg* leg_;
  double begin_;  // of the leg
  double margin_;
  double time_ = -1;
  Placement placed_;
  Mat3 linear_;                // from the tree's coordinates, without the translation
  Vec3 tree_arm_, reference_;  // of the tree's origin, from the reference
};

}  // namespace tumble
