// SPDX-License-Identifier: Apache-2.0
// Computing relative poses and their margins.
#include "traverse/relate.h"

#include "bounds/reach.h"
#include "math/max_norm.h"
#include "math/power_of_two.h"
#include "math/rotation_of.h"
#include "math/sum_norm.h"

#include <algorithm>
#include <cmath>

namespace tumble {
namespace {

/// The largest |x| + |y| + |z| of a body's vertices: its centre's, and what they are away from it.
double reach(const Frame& frame) { return sum_norm(frame.center) + times_power_of_two(tree_reach_sum, frame.exponent); }

}  // namespace

Relation::Relation(const Frame& target, const Frame& source)
    : target_(target),
      source_(source),
      target_is_turned_(target.is_turned()),
      source_is_turned_(source.is_turned()),
      to_units_(times_power_of_two(1, -target.exponent)),
      scale_(times_power_of_two(1, source.exponent - target.exponent)),
      reach_(reach(target) + reach(source)) {}

// target_tree = Qt·(Rt⁻¹·(Rs·(Qsᵀ·y·2^es + cs) + ts − tt) − ct)·2^-et, where most frames Q are not turned and most
// targets stand.
RelativePose Relation::at(const Pose& target_pose, const Pose& source_pose) const {
  const Mat3 source_rotation = rotation_of(source_pose), target_rotation = rotation_of(target_pose);
  Mat3 turn = source_is_turned_ ? source_rotation * transpose(source_.rotation) : source_rotation;
  Vec3 center = source_rotation * source_.center + source_pose.translation() - target_pose.translation();
  if (target_rotation != Mat3{}) {
    const Mat3 world_to_target = inverse(target_rotation);
    turn = world_to_target * turn;
    center = world_to_target * center;
  }
  center -= target_.center;
  if (target_is_turned_) {
    turn = target_.rotation * turn;
    center = target_.rotation * center;
  }
  RelativePose pose;
  pose.scale = scale_;
  for (std::size_t i = 0; i < 3; ++i) pose.linear.rows[i] = turn.rows[i] * scale_;
  pose.translation = center * to_units_;
  pose.departure = departure_from_orthogonality(turn);

  // A body's world coordinate is rounded four times: off by at most 4u·(|x|₁·1.0001 + |t|), u = 2^-53, and so are the
  // exact triangles from the rounded ones. The steps above round some twenty times numbers of the same size, and a
  // frame's transpose stands for its inverse, off by some u. 2^-46 = 128u for each body covers them and the inverse's
  // norm, in every coordinate; √3 < 2 makes it a distance.
  const double largest = reach_ + sum_norm(target_pose.translation()) + sum_norm(source_pose.translation());
  // Poses accepted may stretch by 1e-4, and so may the way back from the world.
  pose.margin = 2 * 0x1p-46 * largest * to_units_;
  return pose;
}

bool are_far_apart(const RelativePose& pose) {
  const double distance = max_norm(pose.translation);
  return distance > moved_reach + moved_reach * pose.scale + 2 * pose.margin;
}

}  // namespace tumble
