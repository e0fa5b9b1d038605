// SPDX-License-Identifier: Apache-2.0
// Placing volumes, and the margin for roundings.
#include "motion/moving_body.h"

#include "bounds/lanes.h"
#include "bounds/reach.h"
#include "math/power_of_two.h"
#include "math/sum_norm.h"
#include "traverse/tree_point.h"

namespace tumble {

// With u = 2^-53, M = |x|₁ + |center|₁ + |origin|₁ + |velocity|₁ over all vertices x, and an angle θ:
// - the half angle is off by uθ/2, its sine and cosine by 4u + uθ/2, the entries of the rotation by 24u + 2uθ, and of
//   its product with the start by 80u + 6uθ;
// - a world coordinate is off by three times that of |x − center|₁, and has some ten roundings of the size of M: by
// less
//   than 100u·M + 6uθ·M, so a point by less than 180u·M + 11uθ·M;
// - volumes have fewer roundings of the same sizes; they hold exact vertices, and frames are off by 32u of their size;
// - distances of triangles are off by 1e-14 of M, which is below 91u.
// Twice this is below 2^-44·M·(1 + θ/8): 512u and 64uθ. A time up to n is rounded to u·n, in which a point goes no
// farther than u·n·(|velocity| + 2θM).
MovingBody::MovingBody(const ModelData& model, const MotionLegs& motion, std::size_t leg)
    : model_(&model), leg_(&motion.leg(leg)), begin_(static_cast<double>(leg)) {
  const Frame& frame = model.tree.frame;
  const double reach = sum_norm(frame.center) + times_power_of_two(tree_reach_sum, frame.exponent) +
                       sum_norm(leg_->center) + sum_norm(leg_->origin) + sum_norm(leg_->velocity);
  margin_ = 0x1p-44 * reach * (1 + leg_->angle / 8) +
            0x1p-50 * (begin_ + 1) * (sum_norm(leg_->velocity) + 2 * leg_->angle * reach);
  place(begin_);
}

void MovingBody::place(double time) {
  if (time == time_) return;
  if (time_ >= 0 && leg_->stands()) return;
  time_ = time;
  placed_ = leg_->at(time - begin_);
  const Frame& frame = model_->tree.frame;
  const Mat3 turned = frame.is_turned() ? placed_.turn * transpose(frame.rotation) : placed_.turn;
  const double unit = power_of_two(frame.exponent);
  for (std::size_t i = 0; i < 3; ++i) linear_.rows[i] = turned.rows[i] * unit;
  tree_arm_ = placed_.turn * (frame.center - leg_->center);
  reference_ = placed_ * leg_->center;
}

PlacedVolume MovingBody::volume(VolumeId id) const {
  const Tree& tree = model_->tree;
  const NodeView node = tree.node(id.node());
  const std::size_t lane = id.lane();
  const double unit = power_of_two(tree.frame.exponent);
  PlacedVolume placed;
  Obb box{};
  double round = 0;
  Vec3 center;
  constexpr int coordinates_first = 14;
  if (tree.bound == Bound::obb) {
    box = lane_obb(node.rows, lane);
    center = {box.center[0], box.center[1], box.center[2]};
  } else if (tree.k == 6 || tree.k >= coordinates_first) {  // whose first slabs are those of a box
    for (std::size_t i = 0; i < 3; ++i) {
      const double lower = node.rows[DopRows::lower(i) + lane], upper = node.rows[DopRows::upper(i) + lane];
      box.axes[i][i] = 1;
      center[static_cast<int>(i)] = (lower + upper) / 2;
      box.half[i] = float_above((upper - lower) / 2);
    }
  } else {
    const LaneBall ball = lane_ball(tree, node, lane);
    for (std::size_t i = 0; i < 3; ++i) box.axes[i][i] = 1;
    center = ball.center;
    round = ball.radius;
  }
  double diagonal_sq = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3 axis = linear_ * Vec3{box.axes[i][0], box.axes[i][1], box.axes[i][2]};
    placed.axes[i] = axis * (1 / unit);
    placed.edges[i] = axis * static_cast<double>(box.half[i]);
    diagonal_sq += length_sq(placed.edges[i]);
  }
  constexpr double stretch = 1.0002;  // of a pose, and of axes that are not quite at right angles
  placed.arm = tree_arm_ + linear_ * center;
  placed.round = round * unit * stretch;
  placed.radius = std::sqrt(diagonal_sq) * stretch + placed.round + least_length;
  placed.drift = drift(length(placed.arm) + placed.radius);
  placed.from_axis = from_axis(placed.arm) + placed.radius;
  return placed;
}

double MovingBody::top_speed() const {
  const PlacedVolume root = volume(VolumeId::root());
  return (length(leg_->velocity) + leg_->angle * (root.from_axis + root.drift) + root.drift) * (1 + 1e-12);
}

double MovingBody::size() const { return volume(VolumeId::root()).radius; }

}  // namespace tumble
