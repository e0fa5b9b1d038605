// SPDX-License-Identifier: Apache-2.0
// The input of the papers' splitting rules: centroids, and the slabs of triangles and of sets of triangles.
#pragma once

#include "bounds/directions.h"
#include "bounds/dop.h"
#include "bounds/dop_measure.h"
#include "build/build_input.h"
#include "build/topology.h"
#include "core/parallel.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace tumble {

/// A triangle's centroid and number, small enough to move when a set is reordered.
struct Item {
  std::array<float, 3> centroid;
  std::uint32_t triangle;

  double along(Vec3 direction) const {
    return (direction.x * double{centroid[0]} + direction.y * double{centroid[1]}) + direction.z * double{centroid[2]};
  }
};

inline std::vector<Item> make_items(const BuildInput& input) {
  std::vector<Item> items(input.triangle_count());
  parallel_for(items.size(), parallel_threshold, [&](std::size_t t) {
    const Vec3 c = input.centroid(static_cast<std::uint32_t>(t));
    items[t] = {{static_cast<float>(c.x), static_cast<float>(c.y), static_cast<float>(c.z)},
                static_cast<std::uint32_t>(t)};
  });
  return items;
}

inline std::vector<std::uint32_t> order_of(std::span<const Item> items) {
  std::vector<std::uint32_t> order(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) order[i] = items[i].triangle;
  return order;
}

/// The intervals of several DOPs whose k is known at run time, empty at first.
class SlabRows {
 public:
  struct Row {
    std::span<const float> lower, upper;
  };

  SlabRows(std::size_t count, int k) : k_(k), rows_(count * stride(), -std::numeric_limits<float>::infinity()) {
    for (std::size_t i = 0; i < count; ++i) std::ranges::fill(lower(i), std::numeric_limits<float>::infinity());
  }

  Row row(std::size_t i) const {
    const float* const at = rows_.data() + i * stride();
    return {{at, stride() / 2}, {at + stride() / 2, stride() / 2}};
  }
  void fit(std::size_t i, std::span<const Vec3> points) { tumble::fit(points, lower(i), upper(i), k_); }
  void grow(std::size_t i, Row by) { merge_into(lower(i), upper(i), by.lower, by.upper); }
  double volume(std::size_t i) const { return quick_volume(row(i).lower, row(i).upper, k_); }

 private:
  std::size_t stride() const { return static_cast<std::size_t>(k_); }
  std::span<float> lower(std::size_t i) { return {rows_.data() + i * stride(), stride() / 2}; }
  std::span<float> upper(std::size_t i) { return {rows_.data() + i * stride() + stride() / 2, stride() / 2}; }

  int k_;
  std::vector<float> rows_;
};

/// The k-DOP of every triangle.
inline SlabRows slabs_of_triangles(const BuildInput& input) {
  SlabRows slabs(input.triangle_count(), input.options.k);
  parallel_for(input.triangle_count(), parallel_threshold,
               [&](std::size_t t) { slabs.fit(t, input.corners(static_cast<std::uint32_t>(t))); });
  return slabs;
}

}  // namespace tumble
