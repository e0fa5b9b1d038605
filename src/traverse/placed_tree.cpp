// SPDX-License-Identifier: Apache-2.0
// The sinks of a point's walk: the nearest point, of all or of some triangles.
#include "traverse/placed_tree.h"

#include "traverse/nearest_walk.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace tumble {
namespace {

class Nearest final : public PointSink {
 public:
  Nearest(const Body& body, const Lengths& lengths, const Vec3& world, MeasurePoint by, const SurfacePoint& known)
      : best(known),
        body_(body),
        world_(world),
        unit_(power_of_two(body.model.tree.frame.exponent) * lengths.least),
        measure_(by) {
    limit = limit_of(best.distance_sq);
    stretch = lengths.most / lengths.least * (1 + 1e-11);
    underflow = lost_to_underflow / unit_;
  }

  bool measure(std::uint32_t triangle) override {
    const PointDistance here = measure_(world_, body_.corners(triangle));
    if (here.distance_sq > best.distance_sq) return false;
    if (here.distance_sq == best.distance_sq && triangle >= best.triangle) return false;
    best = {here.distance_sq, triangle, here.nearest};
    limit = std::min(limit, limit_of(best.distance_sq));
    return false;
  }

  SurfacePoint best;

 private:
  static constexpr double lost_to_underflow = 1e-150;  // of a distance whose square is below 1e-308, and much more

  /// Nothing farther away in the tree comes out as near: the error of a computed distance is 1e-12 of it (promise 7).
  double limit_of(double distance_sq) const {
    return (std::sqrt(distance_sq) * (1 + 1e-11) + lost_to_underflow) / unit_;
  }

  const Body& body_;
  const Vec3& world_;
  double unit_;  // of the tree, in the world, at least
  MeasurePoint measure_;
};

}  // namespace

PlacedBall PlacedTree::ball(NodeView node, std::size_t lane) const {
  const Frame& frame = tree().frame;
  const LaneBall in_tree = lane_ball(tree(), node, lane);
  const Vec3 own = transpose(frame.rotation) * in_tree.center * power_of_two(frame.exponent) + frame.center;
  return {to_world(body().pose, own), in_tree.radius * (power_of_two(frame.exponent) * lengths_.most)};
}

SurfacePoint PlacedTree::nearest(const Vec3& world, SurfacePoint best, MeasurePoint measure) const {
  Nearest sink(body(), lengths_, world, measure, best);
  walk_to_nearest(tree(), to_tree().at(world), sink);
  return sink.best;
}

SurfacePoint PlacedTree::nearest_but(const std::vector<bool>& left_out, const Vec3& world, SurfacePoint best) const {
  struct Rest final : PointSink {
    Rest(Nearest& nearest, const std::vector<bool>& leave) : all(nearest), left_out(leave) {
      limit = all.limit;
      underflow = std::numeric_limits<double>::infinity();  // what is near may be left out
    }
    bool measure(std::uint32_t triangle) override {
      if (!left_out[triangle]) all.measure(triangle);
      limit = all.limit;
      return false;
    }
    Nearest& all;
    const std::vector<bool>& left_out;
  };
  Nearest nearest(body(), lengths_, world, point_distance, best);
  Rest rest(nearest, left_out);
  walk_to_nearest(tree(), to_tree().at(world), rest);
  return nearest.best;
}

SurfacePoint PlacedTree::on(std::uint32_t triangle, const Vec3& world) const {
  const PointDistance d = point_distance(world, body().corners(triangle));
  return {d.distance_sq, triangle, d.nearest};
}

}  // namespace tumble
