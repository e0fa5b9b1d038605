// SPDX-License-Identifier: Apache-2.0
// Makes the Contact of a pair of meeting triangles: common set, middle, normal and depth.
#pragma once

#include "geometry/triangle.h"

#include <tumble/contact.h>

#include <cstdint>

namespace tumble {

/// Precondition: classify(a, b) == kind. Sets all but the triangles' numbers.
///
/// `normal` is one of ±the two triangles' unit normals. `depth` is the least distance a must move along it (or b
/// against it) before the two have no point in common: moving by depth leaves them touching. For well-shaped triangles
/// depth is exact to 1e-9 of itself plus 1e-13 of the pair's size. Each triangle is replaced by a prism wider by 1e-14
/// of the pair's size, so that depth errs to the large side; of a touch, what may be nothing but that is 0. Of equal
/// depths the direction nearest to centroid(a) − centroid(b) is taken. NaN if a triangle is degenerate. The result is
/// the same for every order of corners; swapping a and b turns the normal.
///
/// Triangles with the same corners are told apart by their winding, then by their numbers. If they face opposite ways,
/// the normal is that of b's front; if both face the same way, that of the front if a's number is not the larger one,
/// else of the back. If the numbers are equal, too, swapping a and b changes nothing, the normal included.
Contact make_contact(const Corners& a, const Corners& b, ContactKind kind, std::uint32_t triangle_a,
                     std::uint32_t triangle_b);

}  // namespace tumble
