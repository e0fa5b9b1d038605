// SPDX-License-Identifier: Apache-2.0
// Our own splitting rule: the least surface-area cost on the boxes of the triangles, over bins (Wald 2007, section 3)
// or, for a small set, over all its divisions.
#include "build/flat_box.h"
#include "build/sorting_network.h"
#include "build/topology.h"
#include "core/raw_array.h"

#include <array>
#include <bit>
#include <limits>
#include <span>

namespace tumble {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

/// The range of twice the centres. The fourth places are not used.
struct Range {
  Four low = four(infinity), high = four(-infinity);

  void grow(Four place) {
    low = smaller(place, low);
    high = larger(place, high);
  }
};

Range range_of(std::span<const FlatBox> set) {
  Range range;
  for (const FlatBox& box : set) range.grow(box.twice_center());
  return range;
}

/// Maps centres along each axis from their range to 0 up to a little less than `places`; to 0 along a flat axis and in
/// the fourth place.
class Ruler {
 public:
  Ruler() = default;
  Ruler(const Range& range, float places) : low_(range.low) {
    low_[3] = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const float extent = range.high[axis] - range.low[axis];
      per_unit_[axis] = extent > 1e-30f ? places * 0.99999f / extent : 0;
    }
  }
  Four at(const FlatBox& box) const { return (box.twice_center() - low_) * per_unit_; }
  /// The same along one axis.
  float at(const FlatBox& box, std::size_t axis) const {
    return (box.upper[axis] - box.neg_lower[axis] - low_[axis]) * per_unit_[axis];
  }

 private:
  Four low_{};
  Four per_unit_{};
};

/// The contents of one place along each axis: a bin, or a position in sorted order.
struct alignas(128) Place {
  std::array<FlatBox, 3> boxes;
  FourIntegers counts;  // the fourth is not used
};

/// Everything on one side of a place.
class Part {
 public:
  void grow(const Place& place) {
    for (std::size_t axis = 0; axis < 3; ++axis) boxes_[axis].grow(place.boxes[axis]);
    counts_ += place.counts;
  }
  /// Half the surface times the number of triangles along each axis; NaN if there are none.
  Four costs() const { return half_areas(boxes_[0], boxes_[1], boxes_[2]) * to_floats(counts_); }

 private:
  std::array<FlatBox, 3> boxes_{FlatBox::empty(), FlatBox::empty(), FlatBox::empty()};
  FourIntegers counts_{};
};

/// Divides a set before a place along an axis.
struct Division {
  float cost = infinity;
  std::size_t axis = 0;
  int at = 0;

  explicit operator bool() const { return cost < infinity; }
};

/// The division with the least sum of the two parts' costs, searched along all axes side by side. A division that
/// leaves one side empty costs NaN, which never compares as less.
template <std::size_t Most>
Division best_division(std::span<const Place> places) {
  const std::size_t count = places.size();
  std::array<Four, Most> left_costs;
  Part left, right;
  for (std::size_t i = 0; i + 1 < count; ++i) {
    left.grow(places[i]);
    left_costs[i] = left.costs();
  }
  Four least = four(infinity);
  FourIntegers at{};
  for (std::size_t i = count - 1; i > 0; --i) {
    right.grow(places[i]);
    const Four costs = left_costs[i - 1] + right.costs();
    // Of equal costs the most even division wins, so that identical triangles do not come off one by one.
    const FourIntegers better = 2 * i >= count ? costs <= least : costs < least;
    least = better ? costs : least;
    at = better ? FourIntegers{} + static_cast<std::int32_t>(i) : at;
  }
  Division best;
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (least[axis] < best.cost) best = {least[axis], axis, at[axis]};
  return best;
}

/// Divides between bins. Reorders the set and returns the size of its left part; 0 if all centres coincide.
class BinnedSplit {
 public:
  std::uint32_t operator()(const std::span<FlatBox> set) {
    Division best;
    if (set.size() >= 2 * sample_size) {
      const RawArray<FlatBox> sample = sample_of(set);
      best = choose({sample.data(), sample.size()});
    }
    if (!best) best = choose(set);
    if (!best) return 0;
    // Without branches: they would be mispredicted every other time.
    const auto at = static_cast<float>(best.at);
    std::size_t left = 0;
    for (FlatBox& place : set) {
      const bool is_left = ruler_.at(place, best.axis) < at;
      std::swap(place, set[left]);
      left += is_left;
    }
    return static_cast<std::uint32_t>(left);
  }

 private:
  static constexpr int bins = 16;
  /// For a large set, a sample of this size chooses the division of all.
  static constexpr std::size_t sample_size = 1 << 13;

  struct Contents {
    std::array<Place, bins> places;

    Contents() {
      for (Place& place : places) {
        place.boxes.fill(FlatBox::empty());
        place.counts = FourIntegers{};
      }
    }
  };

  Contents contents(std::span<const FlatBox> set) const {
    Contents into;
    for (const FlatBox& box : set) {
      const FourIntegers bin = to_integers(ruler_.at(box));
      for (std::size_t axis = 0; axis < 3; ++axis) {
        Place& place = into.places[static_cast<std::size_t>(bin[axis])];
        place.boxes[axis].grow(box);
        ++place.counts[axis];
      }
    }
    return into;
  }

  /// One of every `step` boxes, at places that follow no pattern a mesh may have.
  static RawArray<FlatBox> sample_of(std::span<const FlatBox> set) {
    RawArray<FlatBox> sample(sample_size);
    const std::size_t step = set.size() / sample_size;
    for (std::uint32_t i = 0; i < sample_size; ++i) sample[i] = set[i * step + (i * 0x9e3779b9u >> 8) % step];
    return sample;
  }

  Division choose(std::span<const FlatBox> set) {
    ruler_ = Ruler(range_of(set), bins);
    return best_division<bins>(contents(set).places);
  }

  Ruler ruler_;  // of the set or sample that chose the last division
};

/// Divides a small set between any two neighbours along any axis. Reorders it and returns the size of its left part.
template <std::size_t Most>
class SweepSplit {
 public:
  std::uint32_t operator()(const std::span<FlatBox> set) const {
    const std::array<FourIntegers, Most> order = sorted(set);
    std::array<Place, Most> places;
    for (std::size_t i = 0; i < set.size(); ++i) {
      for (std::size_t axis = 0; axis < 3; ++axis)
        places[i].boxes[axis] = set[static_cast<std::size_t>(order[i][axis])];
      places[i].counts = FourIntegers{1, 1, 1, 1};
    }
    const Division best = best_division<Most>(std::span(places).first(set.size()));
    if (!best) return 0;
    for (std::size_t i = 0; i < set.size(); ++i) set[i] = places[i].boxes[best.axis];
    return static_cast<std::uint32_t>(best.at);
  }

 private:
  /// The numbers of the set's members in the order of their centres along each axis. Keys are floats from 1 to 2 with
  /// the number in their last bits, so that one network sorts along three axes at once.
  static std::array<FourIntegers, Most> sorted(std::span<const FlatBox> set) {
    const Ruler ruler(range_of(set), 1);
    std::array<Four, Most> keys;
    for (std::size_t i = 0; i < Most; ++i) {
      const Four along = i < set.size() ? four(1) + ruler.at(set[i]) : four(2);
      keys[i] = std::bit_cast<Four>((std::bit_cast<FourIntegers>(along) & ~last_bits) | static_cast<std::int32_t>(i));
    }
    sort_with_network<Most>([&](std::size_t i, std::size_t j) {
      const Four low = smaller(keys[i], keys[j]);
      keys[j] = larger(keys[i], keys[j]);
      keys[i] = low;
    });
    std::array<FourIntegers, Most> numbers;
    for (std::size_t i = 0; i < Most; ++i) numbers[i] = std::bit_cast<FourIntegers>(keys[i]) & last_bits;
    return numbers;
  }

  static constexpr std::int32_t last_bits = Most - 1;
  static_assert(std::has_single_bit(Most));
};

}  // namespace

/// Each box carries its triangle's number. Reordering a set moves the boxes, so passes over it read memory in order.
BinaryTree split_binned(const BuildInput& input) {
  const std::uint32_t count = input.triangle_count();
  RawArray<FlatBox> boxes(count);
  parallel_for(count, parallel_threshold, [&](std::size_t t) {
    boxes[t] = flat_box(input.corners(static_cast<std::uint32_t>(t)));
    boxes[t].set_number(static_cast<std::uint32_t>(t));
  });
  BinaryTree tree;
  const auto triangle_at = [&](std::uint32_t place) { return boxes[place].number(); };
  tree.nodes = grow_top_down(count, LeafRule(input), triangle_at, [&](std::uint32_t first, std::uint32_t size) {
    const std::span<FlatBox> set(boxes.data() + first, size);
    if (size <= 8) return SweepSplit<8>()(set);
    return size <= 16 ? SweepSplit<16>()(set) : BinnedSplit()(set);
  });
  tree.order.resize(count);
  parallel_for(count, parallel_threshold, [&](std::size_t i) { tree.order[i] = boxes[i].number(); });
  return tree;
}

}  // namespace tumble
