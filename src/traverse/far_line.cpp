// SPDX-License-Identifier: Apache-2.0
// When bodies are far apart, and how much gaps along the line between them are off.
#include "traverse/far_line.h"

#include <algorithm>
#include <cmath>

namespace tumble {
namespace {

/// In radii of both trees together. Where bodies are nearer, offsets between their volumes may be more than half the
/// line, of which the kernels know nothing (far-inl.h). Single precision would do up to 50 of them, but these kernels
/// are quicker: see docs/how-it-is-fast.md.
constexpr double far_away = 2.1;

}  // namespace

// Let M be `to_world`, s the translation and d the offset of two points, one of each tree, when the trees are centre on
// centre. In the world the points are |M(s + d)| apart. M is a rotation times I + S with |S| <= 1.6 e, e its departure
// from orthogonality, so that this is |s' + d'| with |s'| = |Ms|, the length of the line. A walk takes d for d', off by
// 1.6 e·|d|, and s/|s| for the direction of s', off by 3.2 e. The same holds for the extents of volumes: together less
// than 8 e of d and the extents, which are 10·(1 + scale) at most, and what bounds are widened by. Single precision is
// off by 2^-15 of these sizes (see far-inl.h).
std::optional<FarLine> FarLine::of(const RelativePose& pose, const Mat3& to_world, double radius) {
  const double away = tumble::length(pose.translation), size = 1 + pose.scale;
  // Bodies with any size have at least half of it as a radius.
  if (!(away >= far_away * (std::max(radius, 0.5 * size) + pose.margin))) return std::nullopt;
  FarLine line{pose, pose.translation / away, tumble::length(to_world * pose.translation), 0};
  line.pose.translation = {};
  line.slack = (0x1p-15 + 80 * departure_from_orthogonality(to_world)) * (size + pose.margin);
  return line;
}

}  // namespace tumble
