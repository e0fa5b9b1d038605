// SPDX-License-Identifier: Apache-2.0
// Reads or writes one lane of a node's rows as a bounding volume: for building, checks, statistics and drawing, not for
// walks.
#pragma once

#include "bounds/directions.h"
#include "bounds/obb.h"
#include "bounds/rows.h"

#include <array>
#include <cstddef>
#include <span>

namespace tumble {

/// The slabs of a lane of k-DOPs.
struct LaneSlabs {
  std::array<float, max_k / 2> lower, upper;
  std::size_t count;
  std::span<const float> lowers() const { return {lower.data(), count}; }
  std::span<const float> uppers() const { return {upper.data(), count}; }
};

inline LaneSlabs lane_slabs(const float* rows, int k, std::size_t lane) {
  LaneSlabs slabs;
  slabs.count = static_cast<std::size_t>(k) / 2;
  for (std::size_t i = 0; i < slabs.count; ++i) {
    slabs.lower[i] = rows[DopRows::lower(i) + lane];
    slabs.upper[i] = rows[DopRows::upper(i) + lane];
  }
  return slabs;
}

inline void write_lane(float* rows, std::size_t lane, std::span<const float> lower, std::span<const float> upper) {
  for (std::size_t i = 0; i < lower.size(); ++i) {
    rows[DopRows::lower(i) + lane] = lower[i];
    rows[DopRows::upper(i) + lane] = upper[i];
  }
}

inline void write_empty_dop(float* rows, std::size_t lane, int k) {
  for (std::size_t i = 0; i < static_cast<std::size_t>(k) / 2; ++i) {
    rows[DopRows::lower(i) + lane] = DopRows::empty_lower;
    rows[DopRows::upper(i) + lane] = DopRows::empty_upper;
  }
}

/// The box of a lane of OBBs.
inline Obb lane_obb(const float* rows, std::size_t lane) {
  Obb box;
  for (std::size_t i = 0; i < 3; ++i) {
    box.center[i] = rows[ObbRows::center(i) + lane];
    box.half[i] = rows[ObbRows::half(i) + lane];
    for (std::size_t j = 0; j < 3; ++j) box.axes[i][j] = rows[ObbRows::axis(i, j) + lane];
  }
  return box;
}

inline void write_lane(float* rows, std::size_t lane, const Obb& box) {
  for (std::size_t i = 0; i < 3; ++i) {
    rows[ObbRows::center(i) + lane] = box.center[i];
    rows[ObbRows::half(i) + lane] = box.half[i];
    for (std::size_t j = 0; j < 3; ++j) rows[ObbRows::axis(i, j) + lane] = box.axes[i][j];
  }
}

inline void write_empty_obb(float* rows, std::size_t lane) {
  constexpr float away = ObbRows::empty_center;
  write_lane(rows, lane, Obb{{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {away, away, away}, {0, 0, 0}});
}

}  // namespace tumble
