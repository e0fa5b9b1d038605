// SPDX-License-Identifier: Apache-2.0
// Bodies: two models at their poses, and the world coordinates of their triangles, on which every answer is decided.
#pragma once

#include "geometry/triangle.h"
#include "math/transform.h"
#include "tree/model_data.h"

#include <tumble/pose.h>

#include <cstdint>

namespace tumble {

/// One body: each vertex goes to the world by its own pose (docs/semantics.md, promise 2).
struct Body {
  const ModelData& model;
  const Pose& pose;
  bool stands = pose.is_identity();  // the identity leaves coordinates untouched

  Corners corners(std::uint32_t triangle) const {
    const Triangle& t = model.triangles[triangle];
    const Vec3 &a = model.vertices[t[0]], &b = model.vertices[t[1]], &c = model.vertices[t[2]];
    if (stands) return {a, b, c};
    return {to_world(pose, a), to_world(pose, b), to_world(pose, c)};
  }
};

/// The environment and the object of a query, and which of them stands still for the walk.
struct Bodies {
  Body environment, object;
  bool environment_is_target;

  const Body& target() const { return environment_is_target ? environment : object; }
  const Body& source() const { return environment_is_target ? object : environment; }
};

}  // namespace tumble
