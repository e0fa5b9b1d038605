// SPDX-License-Identifier: Apache-2.0
// The deepest point by branch and bound. Let g(x) be the distance of x from the other surface, negative outside the
// other solid. It changes by no more than x moves, so within a ball of radius r around c it is at most g(c) + r: that
// bounds whole branches of the tree, and triangles. And a triangle's points are no farther from the other surface than
// from any one triangle of it; that distance, from a convex set, is convex and so greatest at a corner: this bound is
// exact over a face that is parallel to the nearest one, where the first would go on dividing without end. The region
// with the greatest bound is divided next: a node into its children, a triangle at the middle of its longest edge.
#include "query/penetration.h"

#include "geometry/distance.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tumble {
namespace {

/// How many searches one way round before the other has its turn.
constexpr std::uint64_t searches_in_turn = 256;

double radius_around(const Vec3& middle, const Corners& t) {
  return std::max({length(t[0] - middle), length(t[1] - middle), length(t[2] - middle)});
}

double tolerance_of(const PenetrationRequest& request, const PlacedTree& a, const PlacedTree& b) {
  return request.tolerance > 0 ? request.tolerance : 2e-3 * std::min(a.whole().radius, b.whole().radius);
}

}  // namespace

DeepestSearch::DeepestSearch(const PlacedTree& inner, const PlacedTree& outer, double tolerance)
    : inner_(inner),
      outer_(outer),
      tolerance_(tolerance),
      // Rounded world coordinates, midpoints of midpoints, balls; the rest is promise 7's error of distances.
      rounding_(inner.rounding() + outer.rounding()) {
  // From a point of a solid in a ball the way out is no longer than the ball's radius.
  regions_.push_back({outer.whole().radius + rounding_, {}, Child::node(0), 0, {}});
}

bool DeepestSearch::run(const Allowance& allowed, std::uint64_t searches, std::uint64_t& used) {
  const std::uint64_t first = searches_, before = used;
  while (!is_done() && searches_ - first < searches && !allowed.is_used_up(used)) {
    std::ranges::pop_heap(regions_, is_shallower);
    const Region region = regions_.back();
    regions_.pop_back();
    region.branch.is_empty() ? divide(region) : open(region.branch, region.sample);
    used = before + (searches_ - first);
  }
  return is_done();
}

Deepest DeepestSearch::so_far() const {
  Deepest now = deepest_;
  double upper = discarded_;
  if (deepest_.lower > 0) upper = std::max(upper, deepest_.lower);
  if (!regions_.empty()) upper = std::max(upper, regions_.front().upper);
  now.upper = std::max(0.0, upper + error(upper));
  now.lower = std::max(0.0, deepest_.lower - error(deepest_.lower));
  return now;
}

/// Looks for the nearest triangle; which side the point is on follows from one nearby, or is found out.
DeepestSearch::Sample DeepestSearch::sample(const Vec3& at, const Sample& known) {
  ++searches_;
  const SurfacePoint nearest = outer_.nearest(at, outer_.on(known.triangle, at));
  const double distance = std::sqrt(nearest.distance_sq);
  const bool same_side = length(at - known.at) + 4 * rounding_ < std::abs(known.depth);
  const bool is_inside = same_side ? known.depth > 0 : !outer_.locate(at).is_outside();
  return {at, is_inside ? distance : -distance, nearest.triangle, nearest.point};
}

void DeepestSearch::offer(const Sample& s, std::uint32_t triangle) {
  if (s.depth > deepest_.lower) deepest_ = {s.depth, 0, triangle, s.triangle, s.at, s.nearest};
}

/// Keeps a region that may hold something deeper than what is known by more than the tolerance.
void DeepestSearch::keep(const Region& region) {
  if (region.upper <= deepest_.lower + tolerance_) {
    discarded_ = std::max(discarded_, region.upper);
    return;
  }
  regions_.push_back(region);
  std::ranges::push_heap(regions_, is_shallower);
}

void DeepestSearch::open(Child child, const Sample& known) {
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
    keep({s.depth + ball.radius + rounding_, s, node.children[l], 0, {}});
  }
}

void DeepestSearch::divide(const Region& region) {
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
void DeepestSearch::consider(std::uint32_t triangle, const Corners& piece, double above, const Sample& known) {
  const Vec3 middle = centroid(piece);
  const Sample s = sample(middle, known);
  offer(s, triangle);
  Region region{std::min(above, s.depth + radius_around(middle, piece)), s, {}, triangle, piece};
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

PenetrationSearch::PenetrationSearch(const Body& a, const Body& b, const PenetrationRequest& request)
    : a_(a), b_(b), a_in_b_(a_, b_, tolerance_of(request, a_, b_)), b_in_a_(b_, a_, tolerance_of(request, a_, b_)) {}

bool PenetrationSearch::run(const Allowance& allowed, std::uint64_t& used) {
  for (;;) {
    const bool one = a_in_b_.run(allowed, searches_in_turn, used), other = b_in_a_.run(allowed, searches_in_turn, used);
    if (one && other) return true;
    if (allowed.is_used_up(used)) return false;
  }
}

}  // namespace tumble
