// SPDX-License-Identifier: Apache-2.0
// OffsetMap: slab offsets of a target as sums of three slab offsets of a source, the same sums for all nodes of a pose.
#pragma once

#include "bounds/directions.h"
#include "math/relative_pose.h"
#include "realign/cones.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tumble {

/// Three rows of the source, weighted.
struct OffsetSum {
  float weights[3];                            // negative where the normal is flipped
  std::uint16_t upper_from[3], lower_from[3];  // where the eight lanes of the rows begin
};

/// Added to every sum of a target slab: the translation and all widening. Indexed by slab, padded to whole batches.
struct SlabShifts {
  std::array<float, (max_k / 2 + 15) / 16 * 16> lower{}, upper{};
};

/// Sixteen target slabs side by side; the last batch repeats some.
struct SlabBatch {
  float normals[3][16], lengths[16];
};

class OffsetMap {
 public:
  /// A slab's bound is the smallest of up to `most` sums, those of the cheapest cones.
  OffsetMap(int source_k, int target_k, Cones::Which cones, std::size_t most);

  void set_pose(const RelativePose& given);
  /// Rows as in Realigner::realign.
  void apply(const float* source_rows, float* target_rows) const;

  /// Beside its own size.
  std::size_t bytes() const;

 private:
  void choose_one(const RelativePose& pose);
  void choose_several(const RelativePose& pose);

  std::span<const Vec3> target_normals_;
  std::span<const double> target_lengths_;
  Cones cones_;
  std::size_t most_;
  // If `most` is one:
  std::vector<SlabBatch> batches_;   // of all target slabs
  std::vector<OffsetSum> by_code_;   // all sums, by code (see choose_cones) and cone, with weights of one
  std::vector<float> cone_numbers_;  // of each canonical cone, 9 to weigh with and 3 lengths
  float of_sum_ = 0;                 // the widening of sums, relative to their size

  std::vector<OffsetSum> sums_;                   // `most` places for each target slab
  std::array<std::uint8_t, max_k / 2> counts_{};  // how many of them are in use
  SlabShifts shifts_;
};

}  // namespace tumble
