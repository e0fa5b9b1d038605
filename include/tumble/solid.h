// SPDX-License-Identifier: Apache-2.0
// Closed meshes as solids: where a point is, and how deep bodies are in each other. Requests that can treat bodies as
// solids have a member `solid` (requests.h).
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

/// Where a point of the world is, relative to the body at `pose`; exact. Throws Error(not_closed) for a mesh that is
/// not closed and Error(invalid_argument) for a point that is not finite or above 1e100.
Side locate(const Model& model, const Pose& pose, const Vec3& point);

/// Throws Error(not_closed), naming open edges, unless the mesh is closed: some face has area, and every edge is used
/// as often in one direction as in the other. Vertices at equal positions count as one, faces with fewer than three
/// distinct corners are left out, and other faces count with or without area. Computed once per model, by the first
/// question about solids.
void check_closed(const Model& model);

/// The deepest point of one surface (vertices, edges and faces) inside the other solid: the one farthest from the
/// other's surface.
struct Deepest {
  double lower = 0, upper = 0;  // its depth lies between these, roundings included; both 0 of a touch
  // A point as deep as `lower`; meaningless if that is 0.
  std::uint32_t triangle = 0;        // where it is
  std::uint32_t other_triangle = 0;  // the nearest of the other body
  Vec3 point{}, nearest{};           // on the one and on the other, in the world
};

/// How deep the surfaces of two closed meshes are in the other solid. Of two solids that coincide, 0: no surface is
/// inside the other. How much they overlap is OverlapDepth.
struct Penetration {
  bool in_contact = false;  // the solids touch or overlap; exact once finished. If false then, all else is 0
  Deepest a_in_b, b_in_a;
};

/// The diameter of the largest ball inside two closed meshes: exactly 0 if they only touch, the edge for two cubes that
/// coincide. Walls inside a solid, with a winding number other than zero on both sides, are no obstacle.
struct OverlapDepth {
  bool in_contact = false;      // the solids touch or overlap; exact once finished. If false then, all else is 0
  double lower = 0, upper = 0;  // the diameter lies between these, roundings included
  /// Whether upper - lower is as small as was asked for. Once finished, false only if shells of one body meet each
  /// other or themselves, so that part of a triangle may be wall, if roundings are larger than what was asked for, or
  /// if the search ran out of memory it allows itself.
  bool precise = false;
  Vec3 center{};  // of a ball of diameter `lower` inside both; meaningless if that is 0
};

}  // namespace tumble
