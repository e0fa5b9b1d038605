// SPDX-License-Identifier: Apache-2.0
// OverlapDepthSearch: the largest ball inside two solids, by branch and bound that can stop at any time and go on
// later.
#pragma once

#include "query/depth_in_solid.h"
#include "traverse/deadline.h"

#include <tumble/requests.h>
#include <tumble/solid.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace tumble {

/// It must not move, nor may the bodies' models and poses.
class OverlapDepthSearch {
 public:
  OverlapDepthSearch(const Body& a, const Body& b, const OverlapDepthRequest& request);
  OverlapDepthSearch(const OverlapDepthSearch&) = delete;
  OverlapDepthSearch& operator=(const OverlapDepthSearch&) = delete;

  /// Works until nothing more can be found out or the deadline has passed. Every search for a point or a triangle adds
  /// one to `used`. Returns whether it is done.
  bool run(const Deadline& deadline, std::uint64_t& used);
  /// All but in_contact.
  OverlapDepth so_far() const;

  /// The points p with dot(normal, p) == at.
  struct Plane {
    Vec3 normal;
    double at;

    /// How far behind it a point is.
    double depth(const Vec3& p) const { return at - dot(normal, p); }
  };

 private:
  /// A triangle that is no wall. No ball of a lower bound reaches beyond it; nor does any other if it is certainly
  /// boundary as a whole.
  struct Limit {
    bool of_b, is_boundary;
    std::uint32_t triangle;

    friend bool operator==(const Limit&, const Limit&) = default;
  };
  static constexpr std::size_t most_limits = 6;
  /// A box of the world.
  struct Region {
    Vec3 low, high;
    double upper;      // of the depth over all of it
    double reachable;  // of what can be certain from below
    std::array<Limit, most_limits> limits{};
    std::size_t limit_count = 0;
    std::array<std::uint32_t, 2> hints{};  // triangles of a and b that may be near

    Vec3 center() const { return low * 0.5 + high * 0.5; }
    double radius() const { return length(high - low) * (0.5 + 1e-12); }
  };
  /// In both solids.
  struct Sample {
    Vec3 at;
    double lower = 0, upper = 0, clear = 0;
    Vec3 nearest;  // of the boundary
  };
  /// A point that goes uphill.
  struct Climber {
    Sample sample;
    double step;
    std::array<std::uint32_t, 2> hints;
  };

  double key(const Region& region) const { return raises_lower_ ? region.reachable : region.upper; }
  auto by_key() const {
    return [this](const Region& a, const Region& b) { return key(a) < key(b); };
  }
  bool is_shallow(double bound) const { return bound <= best_.lower + tolerance_; }
  bool is_done() const;
  double upper() const;
  double error(double distance) const { return 1e-12 * std::abs(distance) + rounding_; }

  void take_step();
  bool consider(Region region);
  void keep(const Region& region);
  void climb();
  std::optional<Sample> sample(const Vec3& at, Region& region);
  void offer(const Sample& s, double step, const Region& region);
  void limit(Region& region);
  void limit_to_common(Region& region);
  double highest(const Region& region, std::span<const Vec3> points, std::span<const Plane> planes,
                 bool by_boundary) const;
  static void lower_to(Region& region, double upper);

  std::array<DepthInSolid, 2> solids_;
  double rounding_;
  double asked_;                  // of the diameter
  double precision_, tolerance_;  // of the radius
  Sample best_;
  std::optional<Climber> climber_;
  std::vector<Region> regions_, next_;  // a heap, and what comes before it
  bool raises_lower_ = false;           // the upper bound is final; how deep a ball certainly fits is not yet known
  double final_upper_ = 0;              // then
  double discarded_ = 0;                // the greatest bound of what was not kept
  double stuck_ = 0;                    // of what division does not help
};

}  // namespace tumble
