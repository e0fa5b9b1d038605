// SPDX-License-Identifier: Apache-2.0
// BodyShape: as much of a model's shape as it takes to put a box around it at any pose.
#pragma once

#include "tree/fine_box.h"

#include <tumble/mesh.h>
#include <tumble/model.h>
#include <tumble/pose.h>
#include <tumble/world.h>

#include <vector>

namespace tumble {

struct BodyShape {
  Vec3 center{};                  // of a ball that holds every vertex
  double radius = 0;              //
  double reach = 0;               // at least |x| + |y| + |z| of every vertex
  std::vector<FineBox> pieces{};  // boxes that together hold every vertex; empty if there are none
};

BodyShape shape_of(const Model& model);

/// A box that holds the body's world coordinates, roundings included, and everything within `margin` of them.
Box box_around(const BodyShape& shape, const Pose& pose, BodyBoxes kind, double margin);

}  // namespace tumble
