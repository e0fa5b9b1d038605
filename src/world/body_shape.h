// SPDX-License-Identifier: Apache-2.0
// BodyShape: as much of a model's shape as it takes to put a box around it at any pose.
#pragma once

#include <tumble/mesh.h>
#include <tumble/model.h>
#include <tumble/pose.h>
#include <tumble/world.h>

#include <array>
#include <cstddef>
#include <optional>

namespace tumble {

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
  std::optional<Pieces> pieces{};  // none where numbers are too small for them
};

BodyShape shape_of(const Model& model);

/// A ball that holds the body's world coordinates, roundings included, and everything within `margin` of them.
struct Ball {
  Vec3 center{};
  double radius = 0;
};
Ball ball_around(const BodyShape& shape, const Pose& pose, double margin);

/// A box that holds the body's world coordinates, roundings included, and everything within `margin` of them.
Box box_around(const BodyShape& shape, const Pose& pose, BodyBoxes kind, double margin);

}  // namespace tumble
