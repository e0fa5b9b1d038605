// SPDX-License-Identifier: Apache-2.0
// The sinks of a ray's walk: winding numbers and hits.
#include "traverse/ray_target.h"

#include "geometry/ray_crossing.h"
#include "traverse/ray_walk.h"

#include <algorithm>
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

}  // namespace

Location RayTarget::locate(const Vec3& world) const {
  const TreePoint point = to_tree_.at(world);
  if (point.bounds_serve() && is_far_outside(point)) return {};
  const AxisRay ray = shortest_way_out(body_.model.tree, to_tree_, world, point);
  Winding winding(body_, ray);
  walk(ray, 0, winding);
  return winding.location;
}

std::optional<RayHit> RayTarget::first_hit(const RayPart& ray) const {
  const TreeDirection direction = to_tree_.along(ray.direction);
  FirstHit hits(body_, ray, direction.length);
  walk(ray, direction, hits);
  return hits.first;
}

void RayTarget::all_hits(const RayPart& ray, std::vector<RayHit>& into) const {
  into.clear();
  AllHits hits(body_, ray, into);
  walk(ray, to_tree_.along(ray.direction), hits);
  std::sort(into.begin(), into.end());
}

void RayTarget::walk(const RayPart& ray, const TreeDirection& direction, RaySink& sink) const {
  if (ray.end && direction.length < 1e290) sink.limit = direction.length * (1 + 1e-11);
  walk_ray(body_.model.tree, to_tree_.at(ray.origin), direction.unit, sink);
}

void RayTarget::walk(const AxisRay& ray, double slack, RaySink& sink) const {
  walk_ray(body_.model.tree, to_tree_.at(ray.origin, slack), to_tree_.along(along_axis(ray)).unit, sink);
}

double RayTarget::way_out(const AxisRay& ray) const {
  return tumble::way_out(body_.model.tree, to_tree_.at(ray.origin), to_tree_.along(along_axis(ray)).unit);
}

}  // namespace tumble
