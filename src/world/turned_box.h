// SPDX-License-Identifier: Apache-2.0
// TurnedBox: the smallest box around a body, where the body stands. A look at two of them takes a fraction of the time
// of a walk, and tells most neighbours apart that do not touch.
#pragma once

#include "world/body_shape.h"

#include <tumble/pose.h>
#include <tumble/vec.h>

#include <array>

namespace tumble {

struct TurnedBox {
  std::array<BodyShape::Four, 3> normals;  // of its faces, by coordinate, then by face; the fourth is none
  Vec3 center;
  const BodyShape::WholeBox* of = nullptr;  // none: there is no such box
  double rounding;                          // along a normal, of this box and of the body's world coordinates

  void place(const BodyShape& shape, const Pose& pose);
};

/// Whether the bodies in two boxes certainly have no point in common.
bool are_apart(const TurnedBox& a, const TurnedBox& b);

}  // namespace tumble
