// SPDX-License-Identifier: Apache-2.0
// Our own splitting rule: binned surface-area cost (Wald 2007, section 3) on the boxes of the triangles.
#include "core/raw_array.h"
#include "tree/flat_box.h"
#include "tree/topology.h"

#include <array>
#include <bit>
#include <limits>
#include <span>

namespace tumble {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

/// The triangle's number travels in a free place of its box, so that reordering a set keeps passes over it in the order
/// of memory; the other free place is 0.

/// Sets from here on are binned by several threads.
constexpr std::size_t large = 1 << 16;

/// Of twice the centres. The fourth places are not used.
struct Range {
  Four low = four(infinity), high = four(-infinity);

  void grow(Four other_low, Four other_high) {
    low = smaller(other_low, low);
    high = larger(other_high, high);
  }
};

/// A way to divide a set: at the beginning of a bin, or of a place in sorted order, along an axis.
struct Division {
  float cost = infinity;
  std::size_t axis = 0, at = 0;
};

template <std::size_t Bins>
class BinnedSplit {
 public:
  /// Reorders the set, returns the size of its left part; 0 if all centres coincide.
  std::uint32_t operator()(const std::span<FlatBox> set) {
    find_range(set);
    const Division best = best_division(count_bins(set), static_cast<std::uint32_t>(set.size()));
    if (!(best.cost < infinity)) return 0;
    const auto middle = std::partition(set.begin(), set.end(), [&](const FlatBox& box) {
      return static_cast<std::size_t>(bins_of(box)[best.axis]) < best.at;
    });
    return static_cast<std::uint32_t>(middle - set.begin());
  }

 private:
  using Integers = std::int32_t __attribute__((vector_size(16)));

  struct Contents {
    std::array<std::array<FlatBox, Bins>, 3> boxes;
    std::array<std::array<std::uint32_t, Bins>, 3> counts{};

    Contents() {
      for (auto& along_axis : boxes) along_axis.fill(FlatBox::empty());
    }
  };

  void find_range(std::span<const FlatBox> set) {
    range_ = parallel_reduce(
        set.size(), large,
        [&](std::size_t begin, std::size_t end) {
          Range range;
          for (const FlatBox& box : set.subspan(begin, end - begin)) {
            const Four center = box.twice_center();
            range.grow(center, center);
          }
          return range;
        },
        [](Range a, const Range& b) {
          a.grow(b.low, b.high);
          return a;
        });
    range_.low[3] = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const float extent = range_.high[axis] - range_.low[axis];
      // A little less than all bins, so that the farthest centre stays in the last; a flat axis is not split.
      bins_per_unit_[axis] = extent > 1e-30f ? static_cast<float>(Bins) * 0.99999f / extent : 0;
    }
  }

  /// Along each axis, and 0 in the fourth place.
  Integers bins_of(const FlatBox& box) const {
    return __builtin_convertvector((box.twice_center() - range_.low) * bins_per_unit_, Integers);
  }

  Contents count_bins(std::span<const FlatBox> set) const {
    return parallel_reduce(
        set.size(), large,
        [&](std::size_t begin, std::size_t end) {
          Contents bins;
          for (const FlatBox& box : set.subspan(begin, end - begin)) {
            const Integers bin = bins_of(box);
            for (std::size_t axis = 0; axis < 3; ++axis) {
              bins.boxes[axis][static_cast<std::size_t>(bin[axis])].grow(box);
              ++bins.counts[axis][static_cast<std::size_t>(bin[axis])];
            }
          }
          return bins;
        },
        [](Contents a, const Contents& b) {
          for (std::size_t axis = 0; axis < 3; ++axis)
            for (std::size_t bin = 0; bin < Bins; ++bin) {
              a.boxes[axis][bin].grow(b.boxes[axis][bin]);
              a.counts[axis][bin] += b.counts[axis][bin];
            }
          return a;
        });
  }

  Division best_division(const Contents& bins, std::uint32_t count) const {
    Division best;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (bins_per_unit_[axis] == 0) continue;
      std::array<float, Bins> left_cost;
      FlatBox box = FlatBox::empty();
      std::uint32_t inside = 0;
      for (std::size_t bin = 0; bin + 1 < Bins; ++bin) {
        box.grow(bins.boxes[axis][bin]);
        inside += bins.counts[axis][bin];
        left_cost[bin] = box.half_area() * static_cast<float>(inside);
      }
      box = FlatBox::empty();
      inside = 0;
      for (std::size_t bin = Bins - 1; bin > 0; --bin) {
        box.grow(bins.boxes[axis][bin]);
        inside += bins.counts[axis][bin];
        if (inside == 0 || inside == count) continue;
        const float cost = left_cost[bin - 1] + box.half_area() * static_cast<float>(inside);
        if (cost < best.cost) best = {cost, axis, bin};
      }
    }
    return best;
  }

  Range range_;
  Four bins_per_unit_{};
};

/// Divides a few: every division along every axis, without bins.
class SweepSplit {
 public:
  static constexpr std::size_t most = 8;

  std::uint32_t operator()(const std::span<FlatBox> set) {
    Division best;
    std::array<FlatBox, most> sorted_best;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      std::array<FlatBox, most> sorted;
      for (std::size_t i = 0; i < set.size(); ++i) {
        std::size_t at = i;
        for (; at > 0 && set[i].twice_center()[axis] < sorted[at - 1].twice_center()[axis]; --at)
          sorted[at] = sorted[at - 1];
        sorted[at] = set[i];
      }
      std::array<float, most> left_cost;
      FlatBox box = FlatBox::empty();
      for (std::size_t i = 0; i + 1 < set.size(); ++i) {
        box.grow(sorted[i]);
        left_cost[i] = box.half_area() * static_cast<float>(i + 1);
      }
      box = FlatBox::empty();
      Division here;
      for (std::size_t i = set.size() - 1; i > 0; --i) {
        box.grow(sorted[i]);
        const float cost = left_cost[i - 1] + box.half_area() * static_cast<float>(set.size() - i);
        // Of equals the most even: identical triangles are not to come off one by one.
        if (cost < here.cost || (cost == here.cost && 2 * i >= set.size())) here = {cost, axis, i};
      }
      if (here.cost < best.cost) best = here, sorted_best = sorted;
    }
    if (!(best.cost < infinity)) return 0;
    std::copy_n(sorted_best.begin(), set.size(), set.begin());
    return static_cast<std::uint32_t>(best.at);
  }
};

}  // namespace

BinaryTree split_binned(const BuildInput& input) {
  const std::uint32_t count = input.triangle_count();
  RawArray<FlatBox> boxes(count);
  parallel_for(count, parallel_threshold, [&](std::size_t t) {
    boxes[t] = flat_box(input.corners(static_cast<std::uint32_t>(t)));
    boxes[t].neg_lower[3] = std::bit_cast<float>(static_cast<std::uint32_t>(t));
    boxes[t].upper[3] = 0;
  });
  BinaryTree tree;
  tree.nodes = grow_top_down(count, divide_until(input.options), [&](std::uint32_t first, std::uint32_t size) {
    const std::span<FlatBox> set(boxes.data() + first, size);
    if (size <= SweepSplit::most) return SweepSplit()(set);
    return size > 24 ? BinnedSplit<16>()(set) : BinnedSplit<8>()(set);
  });
  tree.order.resize(count);
  parallel_for(count, parallel_threshold,
               [&](std::size_t i) { tree.order[i] = std::bit_cast<std::uint32_t>(boxes[i].neg_lower[3]); });
  return tree;
}

}  // namespace tumble
