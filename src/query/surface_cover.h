// SPDX-License-Identifier: Apache-2.0
// Is every point of one surface near another surface, whatever their triangles? The one-sided Hausdorff distance, as a
// decision.
#pragma once

#include "traverse/placed_tree.h"

namespace tumble {

/// True: every point of `surface` is at most `distance` from `cover`, up to roundings: 1e-12 of the distance and 1e-13
/// of the bodies' size. False: some point is certainly farther away, or the work is not worth it: where many points are
/// just as far away as allowed, so that neither can be shown with some pieces for each triangle of both. Shares the
/// work between threads; the answer does not depend on them.
bool covers(const PlacedTree& cover, const PlacedTree& surface, double distance);

}  // namespace tumble
