// SPDX-License-Identifier: Apache-2.0
// When a front pays, and measuring motion.
#include "traverse/front.h"

#include "bounds/lanes.h"
#include "math/max_norm.h"
#include "math/sum_norm.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace tumble {
namespace {

/// In units of the smaller tree, whose radius is about one: measured, fronts pay up to here.
constexpr double worthwhile_motion = 0.008;
/// So many walks go without a front after one that did not pay: bodies in deep contact open almost all anyway.
constexpr int pause = 16;
/// Beyond this a double counts small motions too coarsely.
constexpr double longest_way = 1e6;

}  // namespace

/// A front costs more than it saves when bodies move by more than about a hundredth of the object's size between
/// walks, when it spared the last walk little, or when it has become much finer than a fresh walk's. It is then
/// dropped, to be made anew.
bool Front::prepare(const RelativePose& pose, const Radii& radii, Coherent coherent) {
  const double worthwhile = worthwhile_motion * std::min(pose.scale, 1.0);
  // A translation too long for a front is seen at once; that of a larger source is long when the target turns.
  const bool is_measured = has_pose_ && (coherent != Coherent::automatic || pose.scale > 1 ||
                                         max_norm(pose.translation - pose_.translation) <= worthwhile);
  const double motion = is_measured ? motion_between(pose_, pose, radii) : std::numeric_limits<double>::infinity();
  pose_ = pose;
  has_pose_ = true;
  if (coherent == Coherent::automatic) {
    if (has_not_paid()) walks_without_ = pause;
    const bool pauses = walks_without_ > 0;
    if (pauses) --walks_without_;
    if (pauses || !(motion <= worthwhile)) {
      drop();
      return false;
    }
  }
  travelled += motion;
  last_motion = motion;
  if (!is_complete || !(travelled < longest_way) || size() > 4 * size_when_made_ + 64) drop();
  work = 0;
  return true;
}

void Front::finish_walk() {
  if (std::exchange(is_complete, true)) return;
  size_when_made_ = size();
  work_when_made_ = std::exchange(work, 0);
}

/// Whether the last walk was spared too little to make up for keeping the front.
bool Front::has_not_paid() const { return is_complete && 4 * work > 3 * work_when_made_; }

void Front::drop() {
  is_complete = false;
  apart.clear();
  open.clear();
  travelled = 0;
}

void Front::forget() {
  drop();
  has_pose_ = false;
  walks_without_ = 0;
}

// Points p of the target and q of the source are apart by |p − Lq − t|. With L = s·R(I + S), R a rotation, that is
// |Rᵀ(p − t) − s(I + S)q|: seen from the source, what changes is the first term, by |R − R'|·|p| and |Rᵀt − R'ᵀt'|. S
// is at most 1.6 times the departure: it counts once for each q and, with L/s in place of R, once for each t; four
// times the departures of all that is more than enough.
double motion_between(const RelativePose& from, const RelativePose& to, const Radii& radii) {
  double turn_sq = 0;
  for (std::size_t i = 0; i < 3; ++i) turn_sq += length_sq(to.linear.rows[i] - from.linear.rows[i]);
  // The difference of two rotations has two equal singular values and one that is 0: it stretches by 1/√2 of its
  // Frobenius norm. Matrices with a departure e from orthogonality are within 1.5·e of a rotation.
  const double frobenius = std::sqrt(turn_sq), departures = from.departure + to.departure;
  const double turn = std::min(frobenius, 0.70711 * frobenius + 4 * departures * to.scale);
  double motion = radii.source * turn + length(to.translation - from.translation);
  if (to.scale > 1) {
    const double per_scale = 1 / to.scale;
    const Vec3 shift = transpose(to.linear) * to.translation - transpose(from.linear) * from.translation;
    const double sizes = radii.target + to.scale * radii.source + (length(from.translation) + length(to.translation));
    motion = std::min(motion, per_scale * (radii.target * turn + length(shift)) + 4 * departures * sizes);
  }
  // The rest outweighs rounding.
  return motion * (1 + 1e-6) + std::abs(to.margin - from.margin) + 1e-12 * (to.scale + sum_norm(to.translation));
}

double radius_of(const Tree& tree) {
  const float* const rows = tree.node(0).rows;  // lane 0 is the whole object
  if (tree.bound == Bound::obb) {
    const Obb box = lane_obb(rows, 0);
    return length(Vec3{box.center[0], box.center[1], box.center[2]}) +
           length(Vec3{box.half[0], box.half[1], box.half[2]});
  }
  const LaneSlabs slabs = lane_slabs(rows, tree.k, 0);
  const auto farthest = [&](std::size_t i) {
    return std::max(std::abs(double{slabs.lower[i]}), std::abs(double{slabs.upper[i]}));
  };
  return length(Vec3{farthest(0), farthest(1), farthest(2)});
}

}  // namespace tumble
