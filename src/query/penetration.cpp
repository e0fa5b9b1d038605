// SPDX-License-Identifier: Apache-2.0
// The deepest point by branch and bound. Let g(x) be the distance of x from the other surface, negative outside the
// other solid. It changes by no more than x moves, so within a ball of radius r around c it is at most g(c) + r: that
// bounds whole branches of the tree, and triangles. And a triangle's points are no farther from the other surface than
// from any one triangle of it; that distance, from a convex set, is convex and so greatest at a corner: this bound is
// exact over a face that is parallel to the nearest one, where the first would go on dividing without end. The region
// with the greatest bound is divided next: a node into its children, a triangle at the middle of its longest edge.
#include "query/placed_tree.h"

#include "geometry/distance.h"

#include <tumble/error.h>
#include <tumble/query.h>
#include <tumble/solid.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace tumble {
namespace {

/// Where g is known.
struct Sample {
  Vec3 at;
  double g = 0;
  std::uint32_t triangle = 0;  // the other body's nearest
  Vec3 nearest;
};

/// A branch of the tree, or a piece of a triangle.
struct Region {
  double upper;   // of g over all of it
  Sample sample;  // at its middle
  Child branch;   // empty for a piece
  std::uint32_t triangle = 0;
  Corners corners{};
};

bool is_shallower(const Region& a, const Region& b) { return a.upper < b.upper; }

double radius_around(const Vec3& middle, const Corners& t) {
  return std::max({length(t[0] - middle), length(t[1] - middle), length(t[2] - middle)});
}

class Search {
 public:
  /// Of the points of `inner`'s surface in `outer`.
  Search(const PlacedTree& inner, const PlacedTree& outer, double tolerance, std::size_t at_most)
      : inner_(inner), outer_(outer), tolerance_(tolerance), left_(at_most) {
    // Rounded world coordinates, midpoints of midpoints, balls; the rest is promise 7's error of distances.
    rounding_ = inner.rounding() + outer.rounding();
  }

  Deepest run() {
    open(Child::node(0), {});
    while (!regions_.empty() && left_ > 0) {
      if (regions_.front().upper <= deepest_.lower + tolerance_) break;
      std::ranges::pop_heap(regions_, is_shallower);
      const Region region = regions_.back();
      regions_.pop_back();
      region.branch.is_empty() ? divide(region) : open(region.branch, region.sample);
    }
    double upper = discarded_;
    if (deepest_.lower > 0) upper = std::max(upper, deepest_.lower);
    if (!regions_.empty()) upper = std::max(upper, regions_.front().upper);
    deepest_.upper = std::max(0.0, upper + error(upper));
    deepest_.lower = std::max(0.0, deepest_.lower - error(deepest_.lower));
    return deepest_;
  }

  std::size_t left() const { return left_; }

 private:
  double error(double distance) const { return 1e-12 * std::abs(distance) + rounding_; }

  /// Looks for the nearest triangle; which side the point is on follows from one nearby, or is found out.
  Sample sample(const Vec3& at, const Sample& known) {
    if (left_ > 0) --left_;
    const SurfacePoint nearest = outer_.nearest(at, outer_.on(known.triangle, at));
    const double distance = std::sqrt(nearest.distance_sq);
    const bool same_side = length(at - known.at) + 4 * rounding_ < std::abs(known.g);
    const bool is_inside = same_side ? known.g > 0 : !outer_.locate(at).is_outside();
    return {at, is_inside ? distance : -distance, nearest.triangle, nearest.point};
  }

  void offer(const Sample& s, std::uint32_t triangle) {
    if (s.g > deepest_.lower) deepest_ = {s.g, 0, triangle, s.triangle, s.at, s.nearest};
  }

  /// Keeps a region that may hold something deeper than what is known by more than the tolerance.
  void keep(const Region& region) {
    if (region.upper <= deepest_.lower + tolerance_) {
      discarded_ = std::max(discarded_, region.upper);
      return;
    }
    regions_.push_back(region);
    std::ranges::push_heap(regions_, is_shallower);
  }

  void open(Child child, const Sample& known) {
    const Tree& tree = inner_.body().model.tree;
    if (child.is_leaf()) {
      const LeafView leaf = tree.leaf(child.index());
      for (std::uint32_t slot = leaf.first; slot < leaf.last; ++slot) {
        const std::uint32_t triangle = tree.triangle_ids[slot];
        consider(triangle, inner_.body().corners(triangle), std::numeric_limits<double>::infinity(), known);
      }
      return;
    }
    const NodeView node = tree.node(child.index());
    for (int l = 0; l < node.used_lanes(); ++l) {
      const PlacedBall ball = inner_.ball(node, static_cast<std::size_t>(l));
      const Sample s = sample(ball.center, known);
      keep({s.g + ball.radius + rounding_, s, node.children[l], 0, {}});
    }
  }

  void divide(const Region& region) {
    const Corners& t = region.corners;
    std::array<double, 3> edges;
    for (std::size_t i = 0; i < 3; ++i) edges[i] = length_sq(t[next_corner(i)] - t[i]);
    const auto i = static_cast<std::size_t>(std::ranges::max_element(edges) - edges.begin());
    const std::size_t j = next_corner(i), k = next_corner(j);
    const Vec3 middle = t[i] * 0.5 + t[j] * 0.5;
    consider(region.triangle, {t[i], middle, t[k]}, region.upper, region.sample);
    consider(region.triangle, {middle, t[j], t[k]}, region.upper, region.sample);
  }

  /// A piece of a triangle; `above` bounds what it is a part of.
  void consider(std::uint32_t triangle, const Corners& piece, double above, const Sample& known) {
    const Vec3 middle = centroid(piece);
    const Sample s = sample(middle, known);
    offer(s, triangle);
    Region region{std::min(above, s.g + radius_around(middle, piece)), s, {}, triangle, piece};
    if (region.upper > deepest_.lower) {
      const Corners near = outer_.body().corners(s.triangle);
      std::array<double, 3> distances;
      for (std::size_t i = 0; i < 3; ++i) distances[i] = std::sqrt(point_distance(piece[i], near).distance_sq);
      const auto farthest = std::ranges::max_element(distances);
      region.upper = std::min(region.upper, *farthest);
      // Corners are often the deepest, and the middles of ever smaller pieces would come near them slowly.
      if (region.upper > deepest_.lower + tolerance_)
        offer(sample(piece[static_cast<std::size_t>(farthest - distances.begin())], s), triangle);
    }
    keep(region);
  }

  const PlacedTree &inner_, &outer_;
  double tolerance_;
  std::size_t left_;
  double rounding_ = 0;
  double unit_ = 1;                                              // of the tree, in the world, at most
  Deepest deepest_;                                              // its upper is not in use before the end
  double discarded_ = -std::numeric_limits<double>::infinity();  // the greatest bound of what was not kept
  std::vector<Region> regions_;                                  // a heap
};

}  // namespace

Penetration penetration(const Model& a, const Pose& pose_a, const Model& b, const Pose& pose_b,
                        const PenetrationRequest& request) {
  if (!(request.tolerance >= 0 && request.tolerance <= max_coordinate))
    throw Error(ErrorCode::invalid_argument, "a tolerance must be at least 0 and at most 1e100");
  Penetration found;
  found.in_contact = collide(a, pose_a, b, pose_b, {.solid = true});
  if (!found.in_contact) return found;
  const Body body_a{a.data(), pose_a}, body_b{b.data(), pose_b};
  const PlacedTree in_a(body_a), in_b(body_b);
  const double tolerance =
      request.tolerance > 0 ? request.tolerance : 2e-3 * std::min(in_a.whole().radius, in_b.whole().radius);
  const auto search = [&](const PlacedTree& inner, const PlacedTree& outer) {
    Search deepest(inner, outer, tolerance, request.at_most);
    const Deepest result = deepest.run();
    found.searches += request.at_most - deepest.left();
    return result;
  };
  found.a_in_b = search(in_a, in_b);
  found.b_in_a = search(in_b, in_a);
  return found;
}

}  // namespace tumble
