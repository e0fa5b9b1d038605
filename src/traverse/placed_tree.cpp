// SPDX-License-Identifier: Apache-2.0
// The sinks of a ray's and of a point's walk: winding numbers, hits, the nearest point.
#include "traverse/placed_tree.h"

#include "geometry/ray_crossing.h"
#include "traverse/nearest_walk.h"
#include "traverse/ray_walk.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace tumble {
namespace {

/// Adds up what triangles contribute; ends once the origin is known to be on one of them.
class Winding final : public RaySink {
 public:
  Winding(const Body& body, const AxisRay& ray) : body_(body), ray_(ray) {}

  bool meet(std::uint32_t triangle) override {
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

Vec3 along_axis(const AxisRay& ray) {
  Vec3 direction{};
  direction[ray.axis] = ray.forward ? 1 : -1;
  return direction;
}

/// The six rays along the axes all give the same; the one that leaves the body soonest meets the least.
AxisRay shortest_way_out(const Tree& tree, const WorldToTree& to_tree, const Vec3& world, const TreePoint& point) {
  AxisRay best{world, 0, true};
  double shortest = std::numeric_limits<double>::infinity();
  for (int axis = 0; axis < 3; ++axis) {
    const Vec3 along = to_tree.along(along_axis({world, axis, true})).unit;
    for (const bool forward : {false, true}) {
      const double way = way_out(tree, point, forward ? along : -along);
      if (way < shortest) shortest = way, best = {world, axis, forward};
    }
  }
  return best;
}

/// Where triangles are hit.
class Hits : public RaySink {
 public:
  Hits(const Body& body, const RayPart& ray) : body_(body), ray_(ray) {}

 protected:
  std::optional<RayHit> hit(std::uint32_t triangle) const {
    const std::optional<double> t = meets_at(ray_, body_.corners(triangle));
    if (!t) return std::nullopt;
    return RayHit{triangle, *t};
  }
  ~Hits() = default;

 private:
  const Body& body_;
  const RayPart& ray_;
};

class FirstHit final : public Hits {
 public:
  /// `length`: of the direction, in tree units.
  FirstHit(const Body& body, const RayPart& ray, double length) : Hits(body, ray), length_(length) {}

  bool meet(std::uint32_t triangle) override {
    const std::optional<RayHit> here = hit(triangle);
    if (here && (!first || *here < *first)) {
      first = here;
      // Nothing beyond comes out as near: the error of t is 1e-12 of it.
      if (is_ordinary(length_)) limit = here->t * length_ * (1 + 1e-11);
    }
    return false;
  }

  std::optional<RayHit> first;

 private:
  static bool is_ordinary(double length) { return length > 1e-290 && length < 1e290; }

  double length_;
};

class AllHits final : public Hits {
 public:
  AllHits(const Body& body, const RayPart& ray, std::vector<RayHit>& into) : Hits(body, ray), into_(into) {}

  bool meet(std::uint32_t triangle) override {
    if (const std::optional<RayHit> here = hit(triangle)) into_.push_back(*here);
    return false;
  }

 private:
  std::vector<RayHit>& into_;
};

class Nearest final : public PointSink {
 public:
  Nearest(const Body& body, const WorldToTree& to_tree, const Vec3& world, MeasurePoint by, const SurfacePoint& known)
      : best(known),
        body_(body),
        world_(world),
        unit_(power_of_two(body.model.tree.frame.exponent) * to_tree.least_length()),
        measure_(by) {
    limit = limit_of(best.distance_sq);
    stretch = to_tree.most_length() / to_tree.least_length() * (1 + 1e-11);
    underflow = lost_to_underflow / unit_;
  }

  void measure(std::uint32_t triangle) override {
    const PointDistance here = measure_(world_, body_.corners(triangle));
    if (here.distance_sq > best.distance_sq) return;
    if (here.distance_sq == best.distance_sq && triangle >= best.triangle) return;
    best = {here.distance_sq, triangle, here.nearest};
    limit = std::min(limit, limit_of(best.distance_sq));
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
  const TreePoint point = to_tree_.at(world);
  if (point.bounds_serve() && is_far_outside(point)) return {};
  const AxisRay ray = shortest_way_out(body_.model.tree, to_tree_, world, point);
  Winding winding(body_, ray);
  walk(ray, 0, winding);
  return winding.location;
}

std::optional<RayHit> PlacedTree::first_hit(const RayPart& ray) const {
  const TreeDirection direction = to_tree_.along(ray.direction);
  FirstHit hits(body_, ray, direction.length);
  walk(ray, direction, hits);
  return hits.first;
}

void PlacedTree::all_hits(const RayPart& ray, std::vector<RayHit>& into) const {
  into.clear();
  AllHits hits(body_, ray, into);
  walk(ray, to_tree_.along(ray.direction), hits);
  std::sort(into.begin(), into.end());
}

void PlacedTree::walk(const RayPart& ray, const TreeDirection& direction, RaySink& sink) const {
  if (ray.end && direction.length < 1e290) sink.limit = direction.length * (1 + 1e-11);
  walk_ray(body_.model.tree, to_tree_.at(ray.origin), direction.unit, sink);
}

void PlacedTree::walk(const AxisRay& ray, double slack, RaySink& sink) const {
  walk_ray(body_.model.tree, to_tree_.at(ray.origin, slack), to_tree_.along(along_axis(ray)).unit, sink);
}

double PlacedTree::way_out(const AxisRay& ray) const {
  return tumble::way_out(body_.model.tree, to_tree_.at(ray.origin), to_tree_.along(along_axis(ray)).unit);
}

SurfacePoint PlacedTree::nearest(const Vec3& world, SurfacePoint best, MeasurePoint measure) const {
  Nearest sink(body_, to_tree_, world, measure, best);
  walk_to_nearest(body_.model.tree, to_tree_.at(world), sink);
  return sink.best;
}

SurfacePoint PlacedTree::nearest_but(const std::vector<bool>& left_out, const Vec3& world, SurfacePoint best) const {
  struct Rest final : PointSink {
    Rest(Nearest& nearest, const std::vector<bool>& leave) : all(nearest), left_out(leave) {
      limit = all.limit;
      underflow = std::numeric_limits<double>::infinity();  // what is near may be left out
    }
    void measure(std::uint32_t triangle) override {
      if (left_out[triangle]) return;
      all.measure(triangle);
      limit = all.limit;
    }
    Nearest& all;
    const std::vector<bool>& left_out;
  };
  Nearest nearest(body_, to_tree_, world, point_distance, best);
  Rest rest(nearest, left_out);
  walk_to_nearest(body_.model.tree, to_tree_.at(world), rest);
  return nearest.best;
}

SurfacePoint PlacedTree::on(std::uint32_t triangle, const Vec3& world) const {
  const PointDistance d = point_distance(world, body_.corners(triangle));
  return {d.distance_sq, triangle, d.nearest};
}

}  // namespace tumble
