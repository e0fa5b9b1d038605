// SPDX-License-Identifier: Apache-2.0
// Our own splitting rule: binned surface-area cost (Wald 2007, section 3) on the boxes of the triangles.
#include "tree/flat_box.h"
#include "tree/topology.h"

#include <array>
#include <bit>
#include <limits>

namespace tumble {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

/// Divides a set of boxes. The triangle's number travels in a free place of its box, so that reordering a set keeps
/// passes over it in the order of memory.
template <std::size_t Bins>
std::uint32_t split(FlatBox* const begin, FlatBox* const end) {
  std::array<float, 4> low, high;  // of twice the centres
  low.fill(infinity);
  high.fill(-infinity);
  for (const FlatBox* box = begin; box != end; ++box)
    for (std::size_t i = 0; i < 4; ++i) {
      const float c = box->twice_center(i);
      low[i] = c < low[i] ? c : low[i];
      high[i] = c > high[i] ? c : high[i];
    }
  std::array<float, 3> bins_per_unit{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const float extent = high[axis] - low[axis];
    // A little less than all bins, so that the farthest centre stays in the last; a flat axis is not split.
    bins_per_unit[axis] = extent > 1e-30f ? static_cast<float>(Bins) * 0.99999f / extent : 0;
  }
  const auto bin_of = [&](const FlatBox& box, std::size_t axis) {
    return static_cast<std::size_t>(static_cast<int>((box.twice_center(axis) - low[axis]) * bins_per_unit[axis]));
  };

  std::array<std::array<FlatBox, Bins>, 3> boxes;
  std::array<std::array<std::uint32_t, Bins>, 3> counts{};
  for (const FlatBox* box = begin; box != end; ++box)
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::size_t bin = bin_of(*box, axis);
      boxes[axis][bin].grow(*box);
      ++counts[axis][bin];
    }

  const auto count = static_cast<std::uint32_t>(end - begin);
  float best_cost = infinity;
  std::size_t best_axis = 0, best_bin = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (bins_per_unit[axis] == 0) continue;
    std::array<float, Bins> left_cost;
    FlatBox box;
    std::uint32_t inside = 0;
    for (std::size_t bin = 0; bin + 1 < Bins; ++bin) {
      box.grow(boxes[axis][bin]);
      inside += counts[axis][bin];
      left_cost[bin] = box.half_area() * static_cast<float>(inside);
    }
    box = {};
    inside = 0;
    for (std::size_t bin = Bins - 1; bin > 0; --bin) {
      box.grow(boxes[axis][bin]);
      inside += counts[axis][bin];
      if (inside == 0 || inside == count) continue;
      const float cost = left_cost[bin - 1] + box.half_area() * static_cast<float>(inside);
      if (cost < best_cost) best_cost = cost, best_axis = axis, best_bin = bin;
    }
  }
  if (!(best_cost < infinity)) return 0;  // all centres coincide
  FlatBox* const middle =
      std::partition(begin, end, [&](const FlatBox& box) { return bin_of(box, best_axis) < best_bin; });
  return static_cast<std::uint32_t>(middle - begin);
}

}  // namespace

BinaryTree split_binned(const BuildInput& input) {
  const std::uint32_t count = input.triangle_count();
  std::vector<FlatBox> boxes(count);
  parallel_for(count, parallel_threshold, [&](std::size_t t) {
    boxes[t] = flat_box(input.corners(static_cast<std::uint32_t>(t)));
    boxes[t].neg_lower[3] = std::bit_cast<float>(static_cast<std::uint32_t>(t));
  });
  BinaryTree tree;
  tree.nodes = grow_top_down(count, divide_until(input.options), [&](std::uint32_t first, std::uint32_t size) {
    FlatBox* const begin = boxes.data() + first;
    return size > 24 ? split<16>(begin, begin + size) : split<8>(begin, begin + size);
  });
  tree.order.resize(count);
  parallel_for(count, parallel_threshold,
               [&](std::size_t i) { tree.order[i] = std::bit_cast<std::uint32_t>(boxes[i].neg_lower[3]); });
  return tree;
}

}  // namespace tumble
