// SPDX-License-Identifier: Apache-2.0
// The splitting rules of Klosowski 1998, section 3.3.4: an axis chosen by min_sum, min_max, splatter or
// longest_side, and a place along it; with the axes of the set's own box these are the rule of Lin 1996, section 4.2.1.
#include "bounds/dop_measure.h"
#include "tree/fit_bounds.h"
#include "tree/item.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace tumble {
namespace {

/// A direction to split along, where, and how good the rule thinks it is.
struct Candidate {
  Vec3 direction;
  double pivot = 0;  // centroids up to here go to the left
  double rank = 0;   // less is better
};

/// Splitmix64 (Steele 2014): a stream that depends on nothing but its seed.
struct RandomStream {
  std::uint64_t state;
  std::uint32_t below(std::uint32_t bound) {
    std::uint64_t z = (state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return static_cast<std::uint32_t>(((z ^ (z >> 31)) >> 32) * bound >> 32);
  }
};

class RuleSplit {
 public:
  explicit RuleSplit(const BuildInput& input) : input_(input), options_(input.options), items_(make_items(input)) {
    const bool by_volume = options_.split == Split::min_sum || options_.split == Split::min_max ||
                           options_.pivot == Pivot::best || options_.pivot == Pivot::sampled;
    if (by_volume) slabs_.emplace(input, options_.k);
    for (const Vec3& d : directions(options_.k)) dop_directions_.push_back(d / length(d));
  }

  /// Klosowski's steps: rank the axes, split along the best; Lin 1996: along the next if that divides nothing.
  std::uint32_t operator()(std::uint32_t first, std::uint32_t count) {
    const std::span<Item> set = std::span(items_).subspan(first, count);
    std::vector<Candidate> candidates = axes(set);
    for (Candidate& c : candidates) rank(c, set);
    std::ranges::stable_sort(candidates, {}, &Candidate::rank);
    for (const Candidate& c : candidates)
      if (const std::uint32_t left = divide(set, c); left > 0 && left < count) return left;
    return 0;
  }

  std::vector<std::uint32_t> order() const { return order_of(items_); }

 private:
  static constexpr std::uint32_t sample_size = 16;

  std::vector<Candidate> axes(std::span<const Item> set) const {
    std::vector<Candidate> candidates;
    switch (options_.axes) {
      case Axes::coordinate: candidates = {{{1, 0, 0}}, {{0, 1, 0}}, {{0, 0, 1}}}; break;
      case Axes::all:
        for (const Vec3& d : dop_directions_) candidates.push_back({d});
        break;
      case Axes::box: {
        const std::vector<std::uint32_t> triangles = order_of(set);
        const Obb box = fit_obb(input_, triangles);
        for (const auto& axis : box.axes) candidates.push_back({{axis[0], axis[1], axis[2]}});
        break;
      }
    }
    return candidates;
  }

  /// Fills in the pivot and the rank; a direction whose pivot costs much to find keeps it to divide by.
  void rank(Candidate& c, std::span<Item> set) const {
    double sum = 0, sum_sq = 0;
    for (const Item& item : set) {
      const double x = item.along(c.direction);
      sum += x;
      sum_sq += x * x;
    }
    const double mean = sum / static_cast<double>(set.size());
    double least_volume = 0;
    switch (options_.pivot) {
      case Pivot::mean: c.pivot = mean; break;
      case Pivot::median: c.pivot = median(c.direction, set); break;
      case Pivot::midpoint: c.pivot = extent(c.direction, set).middle(); break;
      case Pivot::best: least_volume = find_best_pivot(c, set); break;
      case Pivot::sampled: least_volume = find_sampled_pivot(c, set); break;
    }
    switch (options_.split) {
      case Split::splatter: c.rank = mean * mean - sum_sq / static_cast<double>(set.size()); break;  // −variance
      case Split::longest_side: c.rank = -extent(c.direction, set).length(); break;
      default: c.rank = slabs_ && least_volume > 0 ? least_volume : cost_of_dividing(c, set);
    }
  }

  struct Extent {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    double middle() const { return 0.5 * (low + high); }
    double length() const { return high - low; }
  };
  Extent extent(Vec3 direction, std::span<const Item> set) const {
    Extent e;
    for (const Item& item : set)
      for (const Vec3& corner : input_.corners(item.triangle)) {
        const double x = dot(direction, corner);
        e.low = std::min(e.low, x);
        e.high = std::max(e.high, x);
      }
    return e;
  }

  static double median(Vec3 direction, std::span<const Item> set) {
    std::vector<double> places(set.size());
    std::ranges::transform(set, places.begin(), [&](const Item& item) { return item.along(direction); });
    const auto middle = places.begin() + static_cast<std::ptrdiff_t>((places.size() - 1) / 2);
    std::ranges::nth_element(places, middle);
    return *middle;
  }

  double volume_of(const Slabs& slabs) const { return volume(slabs.lowers(), slabs.uppers(), slabs_->k()); }
  double cost(double left_volume, double right_volume) const {
    return options_.split == Split::min_max ? std::max(left_volume, right_volume) : left_volume + right_volume;
  }

  double cost_of_dividing(const Candidate& c, std::span<const Item> set) const {
    Slabs left = slabs_->none(), right = slabs_->none();
    std::size_t left_count = 0;
    for (const Item& item : set) {
      const bool is_left = item.along(c.direction) <= c.pivot;
      left_count += is_left;
      slabs_->grow(is_left ? left : right, item.triangle);
    }
    if (left_count == 0 || left_count == set.size()) return std::numeric_limits<double>::infinity();
    return cost(volume_of(left), volume_of(right));
  }

  /// Tries every centroid (Klosowski's future work (a)); returns the least cost and leaves its place in the pivot.
  double find_best_pivot(Candidate& c, std::span<const Item> set) const {
    std::vector<Item> sorted(set.begin(), set.end());
    std::ranges::stable_sort(sorted, {}, [&](const Item& item) { return item.along(c.direction); });
    std::vector<double> left_volumes(sorted.size());
    Slabs growing = slabs_->none();
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      slabs_->grow(growing, sorted[i].triangle);
      left_volumes[i] = volume_of(growing);
    }
    growing = slabs_->none();
    double least = std::numeric_limits<double>::infinity();
    c.pivot = sorted.front().along(c.direction);
    for (std::size_t i = sorted.size() - 1; i > 0; --i) {
      slabs_->grow(growing, sorted[i].triangle);
      const double place = sorted[i - 1].along(c.direction);
      if (place == sorted[i].along(c.direction)) continue;  // no pivot divides equal centroids
      const double here = cost(left_volumes[i - 1], volume_of(growing));
      if (here < least) least = here, c.pivot = place;
    }
    return least;
  }

  /// The same over a random subset (future work (b)), which depends on the set alone.
  double find_sampled_pivot(Candidate& c, std::span<const Item> set) const {
    RandomStream random{options_.seed ^ (std::uint64_t{set.front().triangle} << 32) ^ set.size()};
    const auto size = static_cast<std::uint32_t>(set.size());
    double least = std::numeric_limits<double>::infinity();
    Candidate tried = c;
    c.pivot = set.front().along(c.direction);
    for (std::uint32_t i = 0; i < std::min(size, sample_size); ++i) {
      tried.pivot = set[size <= sample_size ? i : random.below(size)].along(c.direction);
      const double here = cost_of_dividing(tried, set);
      if (here < least) least = here, c.pivot = tried.pivot;
    }
    return least;
  }

  static std::uint32_t divide(std::span<Item> set, const Candidate& c) {
    const auto right =
        std::partition(set.begin(), set.end(), [&](const Item& item) { return item.along(c.direction) <= c.pivot; });
    return static_cast<std::uint32_t>(right - set.begin());
  }

  const BuildInput& input_;
  const TreeOptions& options_;
  std::vector<Item> items_;
  std::optional<TriangleSlabs> slabs_;
  std::vector<Vec3> dop_directions_;
};

}  // namespace

BinaryTree split_by_rule(const BuildInput& input) {
  RuleSplit split(input);
  BinaryTree tree;
  tree.nodes = grow_top_down(input.triangle_count(), divide_until(input.options),
                             [&split](std::uint32_t first, std::uint32_t count) { return split(first, count); });
  tree.order = split.order();
  return tree;
}

}  // namespace tumble
