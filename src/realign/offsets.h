// SPDX-License-Identifier: Apache-2.0
// Sums of three slab offsets that bound the moved slabs of a target, and what must be added to them.
#pragma once

#include "realign/cones.h"
#include "realign/relative_pose.h"

#include <cstdint>
#include <span>

namespace tumble {

/// A bound of a target slab before what `SlabShift` adds: Σ weights·(rows of the source).
struct OffsetSum {
  float weights[3];                            // negative where the normal is flipped
  std::uint16_t upper_from[3], lower_from[3];  // where the eight lanes of the rows begin
};

/// What comes on top of every sum of a target slab: the translation, and all that must be widened for.
struct SlabShift {
  float lower = 0, upper = 0;
};

OffsetSum offset_sum(const Triple& triple);

/// `direction` is the target's normal taken back to the source, Lᵀn; the sums are all that may be used for it.
SlabShift slab_shift(const RelativePose& tame_pose, Vec3 normal, double normal_length, Vec3 direction,
                     std::span<const Triple> triples, std::span<const Vec3> source_normals);

}  // namespace tumble
