// SPDX-License-Identifier: Apache-2.0
// The deepest point by branch and bound. Let g(x) be the distance of x from the other surface, negative outside the
// other solid. It changes by no more than x moves, so within a ball of radius r around c it is at most g(c) + r: that
// bounds whole branches of the tree, and triangles. And a triangle's points are no farther from the other surface than
// from any one triangle of it; that distance, from a convex set, is convex and so greatest at a corner: this bound is
// exact over a face that is parallel to the nearest one, where the first would go on dividing without end. The region
// with the greatest bound is divided next: a node into its children, a triangle where it juts out over an edge of the
// nearest one, or else at the middle of its longest edge. Of two spheres that all but coincide, what lies over
// one triangle of the other is then a piece, which takes far fewer searches than halving edges, the fewer the smaller
// the tolerance is.
#include "query/penetration.h"

#include "geometry/distance.h"
#include "geometry/unit_normal.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace tumble {
namespace {

/// How many searches one way round before the other has its turn.
constexpr std::uint64_t searches_in_turn = 256;

double radius_around(const Vec3& middle, const Corners& t) {
  return std::max({length(t[0] - middle), length(t[1] - middle), length(t[2] - middle)});
}

/// A plane that has one corner of a triangle on one side: where it meets the edges to the next corner and to the last.
struct Cut {
  std::size_t lone;
  double share_to_next, share_to_last;
};

/// Of the planes through the edges of `near`, upright on it, the one that cuts most evenly through the piece, unless
/// all leave hardly anything on one side. What is above `near` is then bounded exactly; longest_sq: of the piece's
/// edges.
std::optional<Cut> cut_beside(const Corners& piece, const Corners& near, double longest_sq) {
  const Vec3 normal = unit_normal(near).direction;  // products of three lengths would be lost for small bodies
  std::optional<Cut> best;
  double most = 1e-2 * std::sqrt(longest_sq);
  for (std::size_t e = 0; e < 3; ++e) {
    const Vec3 inward = cross(normal, near[next_corner(e)] - near[e]);
    std::array<double, 3> heights;
    for (std::size_t c = 0; c < 3; ++c) heights[c] = dot(inward, piece[c] - near[e]);
    const auto [low, high] = std::ranges::minmax(heights);
    const double even = std::min(high, -low) / length(inward);
    if (!(even > most)) continue;  // also for a degenerate triangle
    most = even;
    std::size_t lone = 0;
    for (std::size_t c = 0; c < 3; ++c) {
      const double others[] = {heights[next_corner(c)], heights[next_corner(next_corner(c))]};
      if (heights[c] > 0 ? others[0] <= 0 && others[1] <= 0 : others[0] > 0 && others[1] > 0) lone = c;
    }
    const double at = heights[lone], next = heights[next_corner(lone)], last = heights[next_corner(next_corner(lone))];
    best = {lone, at / (at - next), at / (at - last)};
  }
  return best;
}

double tolerance_of(const PenetrationRequest& request, const PlacedTree& a, const PlacedTree& b) {
  return request.precision > 0 ? request.precision : 2e-3 * std::min(a.whole().radius, b.whole().radius);
}

}  // namespace

DeepestSearch::DeepestSearch(const PlacedTree& inner, const PlacedTree& outer, double tolerance)
    : inner_(inner),
      outer_(outer),
      // Rounded world coordinates, midpoints of midpoints, balls; the rest is promise 7's error of distances.
      // Squares of distances lose digits below 1e-154.
      rounding_(inner.rounding() + outer.rounding() + 1e-150),
      tolerance_(std::max(tolerance, rounding_)) {  // below that, pieces cannot be told from their parts
  // From a point of a solid in a ball the way out is no longer than the ball's radius.
  regions_.push_back({outer.whole().radius + rounding_, {}, Child::node(0), 0, {}});
}

bool DeepestSearch::run(const Deadline& deadline, std::uint64_t searches, std::uint64_t& used) {
  const std::uint64_t first = searches_, before = used;
  while (!is_done() && searches_ - first < searches && used < deadline.node_pairs) {
    std::ranges::pop_heap(regions_, is_shallower);
    const Region region = regions_.back();
    regions_.pop_back();
    region.branch.is_empty() ? divide(region) : open(region);
    used = before + (searches_ - first);
    if (deadline.is_late()) break;  // last, so that every call makes progress
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

/// Looks for the nearest triangle; which side the point is on follows from a point nearby, or is located.
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
  if (is_shallow(region.upper)) {
    discarded_ = std::max(discarded_, region.upper);
    return;
  }
  regions_.push_back(region);
  std::ranges::push_heap(regions_, is_shallower);
}

void DeepestSearch::open(const Region& region) {
  const Tree& tree = inner_.body().model.tree;
  const Sample& known = region.sample;
  if (region.branch.is_leaf()) {
    const LeafView leaf = tree.leaf(region.branch.index());
    for (std::uint32_t slot = leaf.first; slot < leaf.last; ++slot) {
      const std::uint32_t triangle = tree.triangle_ids[slot];
      consider(triangle, inner_.body().corners(triangle), region.upper, known);
    }
    return;
  }
  const NodeView node = tree.node(region.branch.index());
  for (int l = 0; l < node.used_lanes(); ++l) {
    const PlacedBall ball = inner_.ball(node, static_cast<std::size_t>(l));
    const double reach = ball.radius + rounding_;
    Region child{std::min(region.upper, above_at(ball.center, known) + reach), known, node.children[l], 0, {}};
    if (!is_shallow(child.upper)) {
      child.sample = sample(ball.center, known);
      child.upper = std::min(child.upper, child.sample.depth + reach);
    }
    keep(child);
  }
}

void DeepestSearch::divide(const Region& region) {
  const Corners& t = region.corners;
  const auto next = [&](const Corners& piece) { consider(region.triangle, piece, region.upper, region.sample); };
  std::array<double, 3> edges;
  for (std::size_t i = 0; i < 3; ++i) edges[i] = length_sq(t[next_corner(i)] - t[i]);
  const auto i = static_cast<std::size_t>(std::ranges::max_element(edges) - edges.begin());
  const std::size_t j = next_corner(i), k = next_corner(j);
  if (const std::optional<Cut> cut = cut_beside(t, outer_.body().corners(region.sample.triangle), edges[i])) {
    const std::size_t a = cut->lone, b = next_corner(a), c = next_corner(b);
    const Vec3 to_b = t[a] + (t[b] - t[a]) * cut->share_to_next, to_c = t[a] + (t[c] - t[a]) * cut->share_to_last;
    next({t[a], to_b, to_c});
    next({to_b, t[b], t[c]});
    next({to_b, t[c], to_c});
    return;
  }
  const Vec3 middle = t[i] * 0.5 + t[j] * 0.5;
  next({t[i], middle, t[k]});
  next({middle, t[j], t[k]});
}

/// Looks at a piece of a triangle; `above` bounds the whole.
void DeepestSearch::consider(std::uint32_t triangle, const Corners& piece, double above, const Sample& known) {
  const Vec3 middle = centroid(piece);
  const double radius = radius_around(middle, piece);
  Region region{std::min(above, above_at(middle, known) + radius), known, {}, triangle, piece};
  // What is known nearby may already say that there is nothing deeper here; a search takes far longer.
  lower_to_farthest_corner(region, known.triangle);
  if (is_shallow(region.upper)) return keep(region);
  const Sample s = region.sample = sample(middle, known);
  offer(s, triangle);
  region.upper = std::min(region.upper, s.depth + radius);
  if (region.upper > deepest_.lower) {
    const std::size_t farthest = lower_to_farthest_corner(region, s.triangle);
    // Corners are often the deepest, and the middles of ever smaller pieces would come near them slowly.
    if (!is_shallow(region.upper)) offer(sample(piece[farthest], s), triangle);
  }
  keep(region);
}

/// Lowers the bound to the farthest corner's distance from that triangle; returns which it is.
std::size_t DeepestSearch::lower_to_farthest_corner(Region& region, std::uint32_t other_triangle) const {
  const Corners other = outer_.body().corners(other_triangle);
  std::array<double, 3> distances;
  for (std::size_t i = 0; i < 3; ++i) distances[i] = std::sqrt(point_distance(region.corners[i], other).distance_sq);
  const auto farthest = std::ranges::max_element(distances);
  region.upper = std::min(region.upper, *farthest);
  return static_cast<std::size_t>(farthest - distances.begin());
}

PenetrationSearch::PenetrationSearch(const Body& a, const Body& b, const PenetrationRequest& request)
    : a_(a), b_(b), a_in_b_(a_, b_, tolerance_of(request, a_, b_)), b_in_a_(b_, a_, tolerance_of(request, a_, b_)) {}

bool PenetrationSearch::run(const Deadline& deadline, std::uint64_t& used) {
  for (;;) {
    const bool one = a_in_b_.run(deadline, searches_in_turn, used),
               other = b_in_a_.run(deadline, searches_in_turn, used);
    if (one && other) return true;
    if (deadline.has_passed(used)) return false;
  }
}

}  // namespace tumble
