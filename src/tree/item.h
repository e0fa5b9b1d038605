// SPDX-License-Identifier: Apache-2.0
// What the papers' splitting rules look at: centroids, and the slabs of triangles and of sets of them.
#pragma once

#include "bounds/directions.h"
#include "bounds/dop.h"
#include "core/parallel.h"
#include "tree/build_input.h"
#include "tree/topology.h"

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace tumble {

/// A triangle's centroid and number, small enough to be moved when a set is reordered.
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

/// The intervals of one DOP whose k is known at run time.
struct Slabs {
  std::array<float, max_k / 2> lower, upper;
  std::size_t count;

  explicit Slabs(int k) : count(static_cast<std::size_t>(k) / 2) {
    lower.fill(std::numeric_limits<float>::infinity());
    upper.fill(-std::numeric_limits<float>::infinity());
  }
  std::span<const float> lowers() const { return {lower.data(), count}; }
  std::span<const float> uppers() const { return {upper.data(), count}; }
};

/// The k-DOP of every triangle.
class TriangleSlabs {
 public:
  TriangleSlabs(const BuildInput& input, int k) : k_(k), slabs_(std::size_t{input.triangle_count()} * stride()) {
    parallel_for(input.triangle_count(), parallel_threshold, [&](std::size_t t) {
      const auto corners = input.corners(static_cast<std::uint32_t>(t));
      float* const at = slabs_.data() + t * stride();
      fit(corners, std::span(at, stride() / 2), std::span(at + stride() / 2, stride() / 2), k_);
    });
  }

  int k() const { return k_; }
  Slabs none() const { return Slabs(k_); }
  void grow(Slabs& set, std::uint32_t triangle) const {
    merge_into({set.lower.data(), set.count}, {set.upper.data(), set.count}, lower(triangle), upper(triangle));
  }
  std::span<const float> lower(std::uint32_t triangle) const {
    return {slabs_.data() + triangle * stride(), stride() / 2};
  }
  std::span<const float> upper(std::uint32_t triangle) const {
    return {slabs_.data() + triangle * stride() + stride() / 2, stride() / 2};
  }

 private:
  std::size_t stride() const { return static_cast<std::size_t>(k_); }

  int k_;
  std::vector<float> slabs_;
};

}  // namespace tumble
