// SPDX-License-Identifier: Apache-2.0
// BodyShape: as much of a model's shape as it takes to put a box around it at any pose.
#pragma once

#include "core/lazy.h"
#include "math/pose_stretch.h"
#include "math/sum_norm.h"
#include "tree/turned_box.h"
#include "world/support_map.h"

#include <tumble/mesh.h>
#include <tumble/model.h>
#include <tumble/pose.h>
#include <tumble/world.h>

#include <array>
#include <cstddef>
#include <optional>

namespace tumble {

/// Per unit of the shape's reach and of the translation: 64 roundings. A world coordinate has 4, a vertex in its fine
/// box 17, and the sums below have 12.
inline constexpr double box_rounding = 0x1p-47;

struct BodyShape {
  Vec3 center{};      // of a ball that holds every vertex
  double radius = 0;  //
  double reach = 0;   // at least |x| + |y| + |z| of every vertex
  /// Up to eight boxes that together hold every vertex, side by side; those missing repeat the first.
  struct Pieces {
    static constexpr std::size_t count = 8;
    using Eight = std::array<double, count>;
    std::array<Eight, 3> center;                     // by coordinate
    std::array<std::array<Eight, 3>, 3> half_edges;  // by edge, then by coordinate
  };
  std::optional<Pieces> pieces{};   // none where numbers are too small for them
  std::optional<WholeBox> whole{};  // around all of it; likewise
  Lazy<SupportMap> supports{};      // for a pair that boxes often fail to tell apart
};

BodyShape shape_of(const Model& model);

/// A ball that holds the body's world coordinates, roundings included, and everything within `margin` of them.
struct Ball {
  Vec3 center{};
  double radius = 0;
};
/// What it takes to put such a ball around a body at any pose.
struct BallShape {
  Vec3 center{};
  double radius = 0;  // of a body at the origin

  BallShape() = default;
  BallShape(const BodyShape& shape, double margin)
      : center(shape.center),
        radius(shape.radius * largest_pose_stretch + margin +
               2 * box_rounding * (shape.reach + shape.radius + margin)) {}

  Ball at(const Pose& pose) const {
    const Vec3& t = pose.translation();
    const Vec3 turned{dot(pose.row(0), center), dot(pose.row(1), center), dot(pose.row(2), center)};
    return {turned + t, radius + 2 * box_rounding * sum_norm(t)};
  }
};

/// A box that holds the body's world coordinates, roundings included, and everything within `margin` of them.
Box box_around(const BodyShape& shape, const Pose& pose, BodyBoxes kind, double margin);

}  // namespace tumble
