// SPDX-License-Identifier: Apache-2.0
// Whether a triangle meets the inner points of another, those on none of its edges.
#pragma once

#include "geometry/triangle.h"

namespace tumble {

/// Decided exactly; neither triangle is degenerate.
bool meets_inner_points(const Corners& of, const Corners& other);

}  // namespace tumble
