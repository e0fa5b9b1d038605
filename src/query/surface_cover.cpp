// SPDX-License-Identifier: Apache-2.0
// A triangle is covered if all its corners are near one triangle of the cover: distances from a convex set are convex.
// Otherwise it is cut where that triangle ends, and the pieces outside go on with others. So coincident surfaces with
// different triangles take about as many pieces as their triangles have common parts, however small the distance is; a
// division that knows nothing of the cover would need pieces as small as the distance along every edge.
#include "query/surface_cover.h"

#include "core/parallel.h"
#include "geometry/unit_normal.h"
#include "math/max_norm.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace tumble {
namespace {

/// A convex polygon, counted from the first corner of its triangle: so roundings are those of small numbers.
using Polygon = std::vector<Vec3>;

/// The points p with dot(normal, p) <= at.
struct HalfSpace {
  Vec3 normal;
  double at;
};

/// Leaves what is in the half-space. Returns the rest; either may be empty.
Polygon cut_off(Polygon& polygon, const HalfSpace& space) {
  Polygon inside, outside;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Vec3 &p = polygon[i], &q = polygon[(i + 1) % polygon.size()];
    const double at_p = dot(space.normal, p) - space.at, at_q = dot(space.normal, q) - space.at;
    (at_p <= 0 ? inside : outside).push_back(p);
    if ((at_p <= 0) == (at_q <= 0)) continue;
    const Vec3 between = p + (q - p) * (at_p / (at_p - at_q));
    inside.push_back(between);
    outside.push_back(between);
  }
  polygon = std::move(inside);
  return outside;
}

Vec3 middle(const Polygon& polygon) {
  Vec3 sum{};
  for (const Vec3& p : polygon) sum += p;
  return sum / static_cast<double>(polygon.size());
}

/// Pieces for each triangle of both bodies, on average, and some more; measured: surfaces with unrelated triangles in
/// one place take about ten.
constexpr std::size_t pieces_per_triangle = 64, pieces_in_any_case = 4096;

class Covering {
 public:
  Covering(const PlacedTree& cover, const PlacedTree& surface, double distance)
      : cover_(cover), surface_(surface), limit_(distance * (1 + 1e-12) + 1e-13 * surface.whole().radius) {
    const auto count = [](const PlacedTree& tree) { return tree.body().model.triangles.size(); };
    most_pieces_ = pieces_per_triangle * (count(cover) + count(surface)) + pieces_in_any_case;
  }

  bool run() {
    parallel_for(surface_.body().model.triangles.size(), 256, [&](std::size_t triangle) {
      if (!failed_.load(std::memory_order_relaxed) && !is_covered(static_cast<std::uint32_t>(triangle)))
        failed_.store(true, std::memory_order_relaxed);
    });
    return !failed_;
  }

 private:
  bool is_covered(std::uint32_t triangle) {
    const Corners t = surface_.body().corners(triangle);
    std::vector<Polygon> pieces{{Vec3{}, t[1] - t[0], t[2] - t[0]}};
    while (!pieces.empty()) {
      if (pieces_++ >= most_pieces_) return false;
      Polygon piece = std::move(pieces.back());
      pieces.pop_back();
      if (!cover_some(t[0], std::move(piece), pieces)) return false;
    }
    return true;
  }

  /// Puts what is still to be covered on the pile. False if some of it certainly or probably cannot be covered.
  bool cover_some(const Vec3& origin, Polygon piece, std::vector<Polygon>& pile) const {
    const Vec3 center = middle(piece);
    const Vec3 world = origin + center;
    const double rounding = 1e-15 * max_norm(world);  // of this point
    const double far = (limit_ + rounding) * (1 + 1e-11);
    constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
    const SurfacePoint nearest = cover_.nearest(world, {far * far, none, {}});
    if (nearest.triangle == none) return false;
    Corners by = cover_.body().corners(nearest.triangle);
    for (Vec3& corner : by) corner = corner - origin;
    const auto is_near = [&](const Vec3& p) { return point_distance(p, by).distance_sq <= limit_ * limit_; };
    if (std::ranges::all_of(piece, is_near)) return true;
    double radius = 0;
    for (const Vec3& p : piece) radius = std::max(radius, length(p - center));
    if (std::sqrt(nearest.distance_sq) + radius + rounding <= limit_) return true;

    // What of it is beside that triangle, if the middle is: then some of it is, and the rest gets smaller.
    std::vector<HalfSpace> spaces;
    if (const Vec3 normal = unit_normal(by).direction; !std::isnan(normal.x)) {
      for (std::size_t i = 0; i < 3; ++i) {
        const Vec3 beside = cross(by[next_corner(i)] - by[i], normal);
        const Vec3 outward = beside / length(beside);
        spaces.push_back({outward, dot(outward, by[i]) + limit_ / 4});
      }
      for (const double way : {1.0, -1.0}) spaces.push_back({normal * way, way * dot(normal, by[0]) + limit_ * 7 / 8});
    }
    const auto holds_middle = [&](const HalfSpace& space) {
      return dot(space.normal, center) <= space.at - limit_ / 8;
    };
    if (!spaces.empty() && std::ranges::all_of(spaces, holds_middle)) {
      Polygon rest = piece;
      std::vector<Polygon> outside;
      outside.reserve(spaces.size());
      for (const HalfSpace& space : spaces) outside.push_back(cut_off(rest, space));
      if (std::ranges::all_of(rest, is_near)) {
        for (Polygon& polygon : outside)
          if (!polygon.empty()) pile.push_back(std::move(polygon));
        return true;
      }
    }
    // That triangle covers too little. Points about as far away as allowed stay open.
    if (radius < 1e-3 * limit_) return false;
    const Vec3 way =
        *std::ranges::max_element(piece, {}, [&](const Vec3& p) { return length_sq(p - center); }) - center;
    pile.push_back(cut_off(piece, {way, dot(way, center)}));
    pile.push_back(std::move(piece));
    return true;
  }

  const PlacedTree& cover_;
  const PlacedTree& surface_;
  double limit_;
  std::size_t most_pieces_;
  std::atomic<std::size_t> pieces_{0};
  std::atomic<bool> failed_{false};
};

}  // namespace

bool covers(const PlacedTree& cover, const PlacedTree& surface, double distance) {
  return Covering(cover, surface, distance).run();
}

}  // namespace tumble
