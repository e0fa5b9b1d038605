// SPDX-License-Identifier: Apache-2.0
// The referee for overlaps: a sweep in rational numbers over any closed triangles, however they meet.
#pragma once

#include <tumble/vec.h>

#include <array>
#include <vector>

namespace tumble::testing {

/// Closed surfaces: every edge as often in one direction as in the other. Triangles without area are harmless.
using Surface = std::vector<std::array<Vec3, 3>>;

/// Whether the points that both surfaces wind around have a volume.
bool have_common_volume(const Surface& a, const Surface& b);

}  // namespace tumble::testing
