// SPDX-License-Identifier: Apache-2.0
// From a pair of meeting triangles to the Contact a caller sees: common set, middle, normal and depth.
#pragma once

#include "geometry/triangle.h"

#include <tumble/contact.h>

namespace tumble {

/// Precondition: classify(a, b) == kind. Triangle ids are left 0.
///
/// `normal` is one of ±the two triangles' unit normals and `depth` the least distance a can be moved along it (or b
/// against it) before the two have no point in common: moving by depth leaves them touching. Depth is exact to
/// 1e-9 of itself plus 1e-13 of the pair's size where the triangles are well shaped; in rounded arithmetic a
/// prism around each triangle, wider by 1e-14 of the pair's size, stands for the triangle, so that depth errs to the
/// large side. Of equal depths the direction nearest to centroid(a) − centroid(b) is taken. NaN if a triangle is
/// degenerate. The result is the same for every order of corners; swapping a and b turns the normal.
Contact make_contact(const Corners& a, const Corners& b, ContactKind kind);

}  // namespace tumble
