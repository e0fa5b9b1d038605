// SPDX-License-Identifier: Apache-2.0
// Volume and surface area of a k-DOP, from the edges of its boundary.
#pragma once

#include "bounds/dop.h"

namespace tumble {

/// Volume and area of the intersection of all slabs, even if some are redundant, have width zero or contradict each
/// other. The relative error is below 1e-9 if the exact value is at least 1e-20 of the cube (square) of the DOP's size;
/// below that, the result may be 0. A flat DOP has no volume and both its sides count as area; an empty one has
/// neither. It takes much longer when the DOP is so thin that more digits are needed. The rows have k/2 places and `k`
/// is listed.
double volume(std::span<const float> lower, std::span<const float> upper, int k);
double area(std::span<const float> lower, std::span<const float> upper, int k);

/// The volume within 1e-14 of the cube of the DOP's size: enough to choose between DOPs. Thin ones take no longer.
double quick_volume(std::span<const float> lower, std::span<const float> upper, int k);

template <int K>
double volume(const Dop<K>& dop) {
  return volume(dop.lower, dop.upper, K);
}
template <int K>
double area(const Dop<K>& dop) {
  return area(dop.lower, dop.upper, K);
}

}  // namespace tumble
