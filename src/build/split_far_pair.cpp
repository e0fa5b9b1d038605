// SPDX-License-Identifier: Apache-2.0
// The construction of Zachmann 1998, section 4.2: from two far centroids inward, each triangle joins the side whose
// volume grows less. The paper leaves the measure of growth open: true volumes tie on flat sets, so it is the sum of
// the slabs' normalised widths. In two things we depart. The two sides begin with the ends of the sorted set, not with
// the far pair, and the others are taken from both ends in turn, not from one end to the other: as printed, one side
// grows little by little and takes nearly all of them (tests/tree/printed_far_pair_test.cpp), while so the trees are
// about as balanced as the published ones.
#include "build/item.h"

#include <algorithm>

namespace tumble {
namespace {

class FarPairSplit {
 public:
  explicit FarPairSplit(const BuildInput& input)
      : items_(make_items(input)),
        k_(input.options.k),
        slabs_(slabs_of_triangles(input)),
        lengths_(direction_lengths(input.options.k)) {
    for (const Vec3& d : directions(input.options.k)) unit_.push_back(d / length(d));
  }

  std::uint32_t operator()(std::uint32_t first, std::uint32_t count) {
    const std::span<Item> set = std::span(items_).subspan(first, count);
    Vec3 mean{};
    for (const Item& item : set) mean += place(item);
    mean = mean / static_cast<double>(set.size());
    const Vec3 from = place(farthest(set, mean)), to = place(farthest(set, from));
    if (from == to) return 0;  // identical barycentres

    const Vec3 across = to - from;
    const Vec3 direction =
        *std::ranges::max_element(unit_, {}, [&](const Vec3& d) { return std::abs(dot(d, across)); });
    std::ranges::stable_sort(set, {}, [&](const Item& item) { return item.along(direction); });

    // The extremes of the sorted set replace the far pair: along its most parallel direction they are as far apart.
    constexpr std::size_t left = 0, right = 1;
    SlabRows sides(2, k_);
    std::uint32_t left_count = 1, right_count = 1;
    sides.grow(left, slabs_.row(set.front().triangle));
    sides.grow(right, slabs_.row(set.back().triangle));
    std::vector<std::uint8_t> goes_left(set.size());
    goes_left.front() = 1;
    for (std::size_t step = 0; step + 2 < set.size(); ++step) {
      const std::size_t i = step % 2 == 0 ? 1 + step / 2 : set.size() - 2 - step / 2;
      const SlabRows::Row triangle = slabs_.row(set[i].triangle);
      const double left_growth = growth(sides.row(left), triangle), right_growth = growth(sides.row(right), triangle);
      const bool is_left = left_growth < right_growth || (left_growth == right_growth && left_count <= right_count);
      goes_left[i] = is_left;
      ++(is_left ? left_count : right_count);
      sides.grow(is_left ? left : right, triangle);
    }
    std::vector<Item> rights;
    rights.reserve(right_count);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < set.size(); ++i) {
      if (goes_left[i]) {
        set[kept++] = set[i];
      } else {
        rights.push_back(set[i]);
      }
    }
    std::ranges::copy(rights, set.begin() + static_cast<std::ptrdiff_t>(kept));
    return left_count;
  }

  std::vector<std::uint32_t> order() const { return order_of(items_); }
  std::uint32_t triangle_at(std::uint32_t place) const { return items_[place].triangle; }

 private:
  static Vec3 place(const Item& item) { return {item.centroid[0], item.centroid[1], item.centroid[2]}; }
  static const Item& farthest(std::span<const Item> set, Vec3 from) {
    return *std::ranges::max_element(set, {}, [&](const Item& item) { return length_sq(place(item) - from); });
  }
  double growth(SlabRows::Row set, SlabRows::Row by) const {
    double sum = 0;
    for (std::size_t i = 0; i < lengths_.size(); ++i)
      sum += (std::max(0.0f, set.lower[i] - by.lower[i]) + std::max(0.0f, by.upper[i] - set.upper[i])) / lengths_[i];
    return sum;
  }

  std::vector<Item> items_;
  int k_;
  SlabRows slabs_;  // of the triangles
  std::span<const double> lengths_;
  std::vector<Vec3> unit_;
};

}  // namespace

BinaryTree split_far_pair(const BuildInput& input) { return grow_top_down(input, FarPairSplit(input)); }

}  // namespace tumble
