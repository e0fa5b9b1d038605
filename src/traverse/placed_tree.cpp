// SPDX-License-Identifier: Apache-2.0
// One ray for winding numbers, one descent for the nearest point.
#include "traverse/placed_tree.h"

#include "geometry/distance.h"
#include "geometry/ray_crossing.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace tumble {
namespace {

/// Every level leaves at most seven siblings behind.
constexpr std::size_t most_pending = std::size_t{Tree::max_depth} * (Tree::lanes - 1) + Tree::lanes;

/// Adds up what triangles contribute; true once the origin is known to be on one of them.
class Winding {
 public:
  Winding(const Body& body, const AxisRay& ray) : body_(body), ray_(ray) {}

  bool add(std::uint32_t triangle) {
    const std::optional<int> winds = crossing(ray_, body_.corners(triangle));
    if (!winds) {
      location = {true, 0};
      return true;
    }
    location.winding += *winds;
    return false;
  }

  Location location;

 private:
  const Body& body_;
  AxisRay ray_;
};

/// The six rays along the axes all give the same; the one that leaves the body soonest meets the least.
AxisRay shortest_way_out(const Tree& tree, const WorldToTree& to_tree, const Vec3& world, const TreePoint& point) {
  AxisRay best{world, 0, true};
  double shortest = std::numeric_limits<double>::infinity();
  for (int axis = 0; axis < 3; ++axis)
    for (const bool forward : {false, true}) {
      const double way = TreeRay(tree, point, forward ? to_tree.axis(axis) : -to_tree.axis(axis)).way_out();
      if (way < shortest) shortest = way, best = {world, axis, forward};
    }
  return best;
}

}  // namespace

PlacedTree::PlacedTree(const Body& body)
    : body_(body),
      to_tree_(body.model.tree.frame, body.pose),
      unit_(power_of_two(body.model.tree.frame.exponent) * to_tree_.most_length()) {}

PlacedBall PlacedTree::ball(NodeView node, std::size_t lane) const {
  const Frame& frame = body_.model.tree.frame;
  const LaneBall in_tree = lane_ball(body_.model.tree, node, lane);
  const Vec3 own = transpose(frame.rotation) * in_tree.center * power_of_two(frame.exponent) + frame.center;
  return {to_world(body_.pose, own), in_tree.radius * unit_};
}

Location PlacedTree::locate(const Vec3& world) const {
  const Tree& tree = body_.model.tree;
  const TreePoint point = to_tree_.at(world);
  if (!point.bounds_serve()) {
    Winding winding(body_, {world, 0, true});
    for (std::uint32_t t = 0; t < tree.triangle_count(); ++t)
      if (winding.add(t)) break;
    return winding.location;
  }
  if (is_far_outside(point)) return {};
  const AxisRay ray = shortest_way_out(tree, to_tree_, world, point);
  const Vec3 along = to_tree_.axis(ray.axis);
  const TreeRay tree_ray(tree, point, ray.forward ? along : -along);
  Winding winding(body_, ray);
  std::array<Child, most_pending> pending;
  std::size_t count = 0;
  pending[count++] = Child::node(0);
  while (count > 0) {
    const Child child = pending[--count];
    if (child.is_leaf()) {
      const LeafView leaf = tree.leaf(child.index());
      for (std::uint32_t slot = leaf.first; slot < leaf.last; ++slot)
        if (winding.add(tree.triangle_ids[slot])) return winding.location;
      continue;
    }
    const NodeView node = tree.node(child.index());
    for (std::uint32_t met = tree_ray.meets(node); met != 0; met &= met - 1)
      pending[count++] = node.children[std::countr_zero(met)];
  }
  return winding.location;
}

SurfacePoint PlacedTree::on(std::uint32_t triangle, const Vec3& world) const {
  const PointDistance d = point_distance(world, body_.corners(triangle));
  return {d.distance_sq, triangle, d.nearest};
}

SurfacePoint PlacedTree::nearest(const Vec3& world, SurfacePoint best) const {
  const Tree& tree = body_.model.tree;
  const TreePoint point = to_tree_.at(world);
  const double unit = power_of_two(tree.frame.exponent) * to_tree_.least_length();
  const auto offer = [&](std::uint32_t triangle) {
    const SurfacePoint here = on(triangle, world);
    if (here.distance_sq < best.distance_sq || (here.distance_sq == best.distance_sq && triangle < best.triangle))
      best = here;
  };
  if (!point.bounds_serve()) {
    for (std::uint32_t t = 0; t < tree.triangle_count(); ++t) offer(t);
    return best;
  }
  // Nothing below a bound is nearer than this in the world, promise 7's error of the computed distance included.
  const auto least_distance = [&](double in_tree) { return in_tree * unit * (1 - 1e-11); };
  struct Pending {
    double distance;
    Child child;
  };
  std::array<Pending, most_pending> pending;
  std::size_t count = 0;
  pending[count++] = {0, Child::node(0)};
  while (count > 0) {
    const auto [least, child] = pending[--count];
    if (least > 0 && least * least > best.distance_sq) continue;
    if (child.is_leaf()) {
      const LeafView leaf = tree.leaf(child.index());
      for (std::uint32_t slot = leaf.first; slot < leaf.last; ++slot) offer(tree.triangle_ids[slot]);
      continue;
    }
    const NodeView node = tree.node(child.index());
    const int used = node.used_lanes();
    std::array<double, Tree::lanes> gaps;
    measure_lanes(tree, node, point, gaps);
    const std::size_t before = count;
    for (int l = 0; l < used; ++l) {
      const double far = least_distance(gaps[static_cast<std::size_t>(l)]);
      if (!(far > 0 && far * far > best.distance_sq)) pending[count++] = {far, node.children[l]};
    }
    // The nearest is looked at first.
    std::sort(pending.begin() + before, pending.begin() + count,
              [](const Pending& a, const Pending& b) { return a.distance > b.distance; });
  }
  return best;
}

}  // namespace tumble
