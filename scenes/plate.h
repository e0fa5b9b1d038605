// SPDX-License-Identifier: Apache-2.0
// A plate: a flat block whose two wide faces are cut into a lattice.
#pragma once

#include <tumble/mesh.h>

#include <cstddef>

namespace tumble::scenes {

/// Closed, of side 1 about the z axis, from z = low to high: 4 * cells² triangles on its wide faces, 8 * cells around.
/// The lattice, the sides with it, is sheared: x + shear * y.
Mesh plate(std::size_t cells, double low, double high, double shear = 0);

}  // namespace tumble::scenes
