// SPDX-License-Identifier: Apache-2.0
// PenetrationSearch: the deepest point of each of two surfaces in the other solid, by branch and bound that can stop at
// any time and go on later.
#pragma once

#include "query/most_regions.h"
#include "traverse/deadline.h"
#include "traverse/placed_tree.h"

#include <tumble/requests.h>
#include <tumble/solid.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace tumble {

/// Of the points of one surface in the other solid, the deepest.
class DeepestSearch {
 public:
  DeepestSearch(const PlacedTree& inner, const PlacedTree& outer, double tolerance);

  /// Works until the tolerance is reached, `searches` were made or the deadline has passed. Every search for a nearest
  /// point adds one to `used`. Returns whether the tolerance is reached.
  bool run(const Deadline& deadline, std::uint64_t searches, std::uint64_t& used);
  Deepest so_far() const;

 private:
  /// Where the depth is known.
  struct Sample {
    Vec3 at;
    double depth = std::numeric_limits<double>::quiet_NaN();  // negative outside; NaN: not known anywhere yet
    std::uint32_t triangle = 0;                               // the other body's nearest
    Vec3 nearest;
  };
  /// A branch of the tree, or a piece of a triangle.
  struct Region {
    double upper;   // of the depth over all of it
    Sample sample;  // at its middle
    Child branch;   // empty for a piece
    std::uint32_t triangle = 0;
    Corners corners{};
  };

  static bool is_shallower(const Region& a, const Region& b) { return a.upper < b.upper; }
  /// Whether a region with this bound no longer matters.
  bool is_shallow(double upper) const { return upper <= deepest_.lower + tolerance_; }
  bool is_done() const {
    return regions_.empty() || regions_.size() >= most_regions || is_shallow(regions_.front().upper);
  }
  /// The depth at a point is at most this.
  static double above_at(const Vec3& at, const Sample& known) {
    const double above = known.depth + length(at - known.at);
    return std::isnan(above) ? std::numeric_limits<double>::infinity() : above;
  }
  double error(double distance) const { return 1e-12 * std::abs(distance) + rounding_; }
  Sample sample(const Vec3& at, const Sample& known);
  void offer(const Sample& s, std::uint32_t triangle);
  void keep(const Region& region);
  void open(const Region& region);
  void divide(const Region& region);
  std::size_t lower_to_farthest_corner(Region& region, std::uint32_t other_triangle) const;
  void consider(std::uint32_t triangle, const Corners& piece, double above, const Sample& known);

  const PlacedTree &inner_, &outer_;
  double rounding_, tolerance_;
  std::uint64_t searches_ = 0;
  Deepest deepest_;                                              // its upper is not in use
  double discarded_ = -std::numeric_limits<double>::infinity();  // the greatest bound of what was not kept
  std::vector<Region> regions_;                                  // a heap
};

/// Searches both ways in turn. It must not move, nor may the bodies' models and poses.
class PenetrationSearch {
 public:
  PenetrationSearch(const Body& a, const Body& b, const PenetrationRequest& request);
  PenetrationSearch(const PenetrationSearch&) = delete;
  PenetrationSearch& operator=(const PenetrationSearch&) = delete;

  /// True once both are known as well as asked for.
  bool run(const Deadline& deadline, std::uint64_t& used);
  Deepest a_in_b() const { return a_in_b_.so_far(); }
  Deepest b_in_a() const { return b_in_a_.so_far(); }

 private:
  PlacedTree a_, b_;
  DeepestSearch a_in_b_, b_in_a_;
};

}  // namespace tumble
