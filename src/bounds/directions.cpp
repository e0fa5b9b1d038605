// SPDX-License-Identifier: Apache-2.0
// The tables of slab directions by run-time k.
#include "bounds/directions.h"

namespace tumble {

std::span<const Vec3> directions(int k) {
  return with_k(k, [](auto listed) { return std::span<const Vec3>(slab_directions<listed()>); });
}

std::span<const double> direction_lengths(int k) {
  return with_k(k, [](auto listed) { return std::span<const double>(normal_lengths<listed()>); });
}

std::span<const float> inverse_direction_lengths(int k) {
  return with_k(k, [](auto listed) { return std::span<const float>(inverse_normal_lengths<listed()>); });
}

}  // namespace tumble
