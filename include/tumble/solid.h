// SPDX-License-Identifier: Apache-2.0
// Closed meshes as solids: what is inside. Collisions and contacts of solids are asked of Pair (query.h).
#pragma once

#include <tumble/model.h>
#include <tumble/pose.h>

#include <cstdint>

namespace tumble {

enum class Side : std::uint8_t {
  outside,
  on_surface,  // of some triangle, degenerate ones and walls inside the solid included
  inside,      // the winding number is not zero
};

const char* name(Side side);

/// Where a point of the world is, the body at `pose`; exact. Throws Error(not_closed) for a mesh that is not closed and
/// Error(invalid_argument) for a point that is not finite or above 1e100.
Side inside(const Model& model, const Vec3& point, const Pose& pose = {});

/// Throws Error(not_closed), naming open edges, unless the mesh is closed: every edge used as often in one direction
/// as in the other, vertices at equal positions counted as one and degenerate faces left out. Found out once for each
/// model, when a solid is first asked for.
void check_closed(const Model& model);

}  // namespace tumble
