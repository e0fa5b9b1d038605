// SPDX-License-Identifier: Apache-2.0
// The splitting rules of Klosowski 1998, section 3.3.4: min_sum, min_max, splatter or longest_side choose an axis, then
// a place along it. With the axes of the set's own box this is the rule of Lin 1996, section 4.2.1.
#include "bounds/dop_measure.h"
#include "build/fit_bounds.h"
#include "build/item.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace tumble {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// A direction to split along, the place, and the rule's rank.
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
    if (ranks_by_volume() || searches_pivot()) slabs_.emplace(slabs_of_triangles(input));
    for (const Vec3& d : directions(options_.k)) dop_directions_.push_back(d / length(d));
  }

  /// Klosowski 1998: rank the axes, split along the best. Lin 1996: if that divides nothing, take the next.
  std::uint32_t operator()(std::uint32_t first, std::uint32_t count) {
    const std::span<Item> set = std::span(items_).subspan(first, count);
    std::vector<Candidate> candidates = axes(set);
    double least = infinity;
    for (Candidate& c : candidates) {
      c.rank = rank(c, set, least);
      least = std::min(least, c.rank);
    }
    std::ranges::stable_sort(candidates, {}, &Candidate::rank);
    for (Candidate& c : candidates) {
      if (!ranks_by_volume()) place_pivot(c, set, infinity);
      if (const std::uint32_t left = divide(set, c); left > 0 && left < count) return left;
    }
    return 0;
  }

  std::vector<std::uint32_t> order() const { return order_of(items_); }
  std::uint32_t triangle_at(std::uint32_t place) const { return items_[place].triangle; }

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

  bool ranks_by_volume() const { return options_.split == Split::min_sum || options_.split == Split::min_max; }
  bool searches_pivot() const { return options_.pivot == Pivot::best || options_.pivot == Pivot::sampled; }

  /// Less is better. Ranking by volume also finds the pivot, unless none has a rank below `enough`.
  double rank(Candidate& c, std::span<const Item> set, double enough) const {
    switch (options_.split) {
      case Split::splatter: return -variance(c.direction, set);
      case Split::longest_side: return -extent(c.direction, set).length();
      default: break;
    }
    const double least = place_pivot(c, set, enough);
    return searches_pivot() ? least : cost_of_dividing(c, set);
  }

  /// Fills in the pivot. If it is searched for, returns the cost of dividing there, infinite if not below `enough`.
  double place_pivot(Candidate& c, std::span<const Item> set, double enough) const {
    switch (options_.pivot) {
      case Pivot::mean: c.pivot = mean(c.direction, set); break;
      case Pivot::median: c.pivot = median(c.direction, set); break;
      case Pivot::midpoint: c.pivot = extent(c.direction, set).middle(); break;
      case Pivot::best: return search_pivot(c, set, all_places(c.direction, set), enough);
      case Pivot::sampled: return search_pivot(c, set, sampled_places(c.direction, set), enough);
    }
    return infinity;
  }

  static double mean(Vec3 direction, std::span<const Item> set) {
    double sum = 0;
    for (const Item& item : set) sum += item.along(direction);
    return sum / static_cast<double>(set.size());
  }
  static double variance(Vec3 direction, std::span<const Item> set) {
    double sum = 0, sum_sq = 0;
    for (const Item& item : set) {
      const double x = item.along(direction);
      sum += x;
      sum_sq += x * x;
    }
    const double average = sum / static_cast<double>(set.size());
    return sum_sq / static_cast<double>(set.size()) - average * average;
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

  double cost(double left_volume, double right_volume) const {
    return options_.split == Split::min_max ? std::max(left_volume, right_volume) : left_volume + right_volume;
  }

  double cost_of_dividing(const Candidate& c, std::span<const Item> set) const {
    SlabRows sides(2, options_.k);
    std::size_t left_count = 0;
    for (const Item& item : set) {
      const bool is_left = item.along(c.direction) <= c.pivot;
      left_count += is_left;
      sides.grow(is_left ? 0 : 1, slabs_->row(item.triangle));
    }
    if (left_count == 0 || left_count == set.size()) return infinity;
    return cost(sides.volume(0), sides.volume(1));
  }

  /// Every centroid (Klosowski's future work (a)).
  static std::vector<double> all_places(Vec3 direction, std::span<const Item> set) {
    std::vector<double> places(set.size());
    std::ranges::transform(set, places.begin(), [&](const Item& item) { return item.along(direction); });
    return places;
  }
  /// A random subset (future work (b)), which depends on the set alone.
  std::vector<double> sampled_places(Vec3 direction, std::span<const Item> set) const {
    if (set.size() <= sample_size) return all_places(direction, set);
    RandomStream random{options_.paper.seed ^ (std::uint64_t{set.front().triangle} << 32) ^ set.size()};
    std::vector<double> places(sample_size);
    for (double& place : places) place = set[random.below(static_cast<std::uint32_t>(set.size()))].along(direction);
    return places;
  }

  /// Makes the place with the least cost the pivot, if that is below `enough`. Volumes only grow as triangles join, so
  /// the volumes at the ends of an interval bound the cost of every place between: most are never measured.
  double search_pivot(Candidate& c, std::span<const Item> set, std::vector<double> places, double enough) const {
    std::ranges::sort(places);
    places.erase(std::unique(places.begin(), places.end()), places.end());
    const std::size_t count = places.size();
    // At first row i holds what lies after place i − 1, up to place i; the last row what lies beyond all places. Then
    // sums make row i of `up_to` hold rows 0 to i, and row i of `from` rows i to the last.
    SlabRows up_to(count + 1, options_.k);
    std::vector<std::size_t> held(count + 1);
    for (const Item& item : set) {
      const auto at = std::ranges::lower_bound(places, item.along(c.direction)) - places.begin();
      ++held[static_cast<std::size_t>(at)];
      up_to.grow(static_cast<std::size_t>(at), slabs_->row(item.triangle));
    }
    SlabRows from = up_to;
    for (std::size_t i = 1; i <= count; ++i) up_to.grow(i, up_to.row(i - 1));
    for (std::size_t i = count; i > 0; --i) from.grow(i - 1, from.row(i));

    double least = enough;
    const auto search = [&](const auto& self, std::size_t begin, std::size_t end, double left, double right) -> void {
      if (begin == end || !(cost(left, right) < least)) return;
      const std::size_t middle = begin + (end - begin) / 2;
      const double left_volume = up_to.volume(middle), right_volume = from.volume(middle + 1);
      const double here = cost(left_volume, right_volume);
      if (here < least) least = here, c.pivot = places[middle];
      self(self, begin, middle, left, right_volume);
      self(self, middle + 1, end, left_volume, right);
    };
    search(search, 0, held.back() > 0 ? count : count - 1, 0, 0);  // with nothing beyond it, the last place is no pivot
    return least < enough ? least : infinity;
  }

  static std::uint32_t divide(std::span<Item> set, const Candidate& c) {
    const auto right =
        std::partition(set.begin(), set.end(), [&](const Item& item) { return item.along(c.direction) <= c.pivot; });
    return static_cast<std::uint32_t>(right - set.begin());
  }

  const BuildInput& input_;
  const TreeOptions& options_;
  std::vector<Item> items_;
  std::optional<SlabRows> slabs_;  // of the triangles, if the rule needs volumes
  std::vector<Vec3> dop_directions_;
};

}  // namespace

BinaryTree split_by_rule(const BuildInput& input) { return grow_top_down(input, RuleSplit(input)); }

}  // namespace tumble
