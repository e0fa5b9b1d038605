// SPDX-License-Identifier: Apache-2.0
// The polytope is the hull of points of the difference b − a, so its distance from the origin is a lower bound; the
// farthest point along any direction gives an upper bound. It grows at the face nearest to the origin until both agree.
#include "convex/expanding_polytope.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace tumble {
namespace {

/// Points nearer to a plane than this, in sizes of the polytope, are in it.
constexpr double coplanar = 1e-13;

struct Face {
  std::array<std::uint32_t, 3> corners;
  Vec3 normal;  // unit, outward
  double offset = 0, rounding = 0;
};

class GrowingPolytope {
 public:
  explicit GrowingPolytope(const Simplex& simplex) {
    points_.assign(simplex.points.begin(), simplex.points.end());
    for (const Vec3& p : points_) size_ = std::max(size_, length(p));
    const Vec3 normal = cross(points_[1] - points_[0], points_[2] - points_[0]);
    if (dot(normal, points_[3] - points_[0]) > 0) std::swap(points_[1], points_[2]);
    for (const auto& corners : {std::array{0u, 1u, 2u}, {0u, 3u, 1u}, {1u, 3u, 2u}, {2u, 3u, 0u}}) add(corners);
  }

  bool is_sound() const { return sound_; }
  double size() const { return size_; }
  const Face& nearest() const {
    return *std::min_element(faces_.begin(), faces_.end(),
                             [](const Face& f, const Face& g) { return f.offset < g.offset; });
  }

  /// Takes a point beyond the nearest face in; false if roundings leave no clean outline of what it sees. It sees the
  /// faces in whose plane it is, too: a new face beside one of them could have no area.
  bool take_in(const Vec3& p) {
    outline_.clear();
    std::size_t kept = 0;
    for (const Face& face : faces_) {
      if (dot(face.normal, p) - face.offset < -coplanar * size_) {
        faces_[kept++] = face;
        continue;
      }
      for (std::size_t i = 0; i < 3; ++i) {
        const std::array edge{face.corners[i], face.corners[i == 2 ? 0 : i + 1]};
        const auto opposite = std::find(outline_.begin(), outline_.end(), std::array{edge[1], edge[0]});
        if (opposite == outline_.end())
          outline_.push_back(edge);
        else
          outline_.erase(opposite);
      }
    }
    if (kept == faces_.size()) return false;
    faces_.resize(kept);
    points_.push_back(p);
    for (const auto& [from, to] : outline_) add({from, to, static_cast<std::uint32_t>(points_.size() - 1)});
    return sound_;
  }

 private:
  void add(const std::array<std::uint32_t, 3>& corners) {
    const Vec3 &p = points_[corners[0]], normal = cross(points_[corners[1]] - p, points_[corners[2]] - p);
    const double area = length(normal);
    if (!(area > 0)) return void(sound_ = false);
    const Vec3 unit = normal / area;
    const double rounding =
        0x1p-49 * length(points_[corners[1]] - p) * length(points_[corners[2]] - p) * length(p) / area;
    faces_.push_back({corners, unit, dot(unit, p), rounding});
    if (faces_.back().offset < -coplanar * size_) sound_ = false;
  }

  std::vector<Vec3> points_;
  std::vector<Face> faces_;
  std::vector<std::array<std::uint32_t, 2>> outline_;
  double size_ = 0;
  bool sound_ = true;
};

constexpr int most_points = 1024;

/// Farthest points perpendicular to what the simplex spans, until it is a tetrahedron; false if the difference is flat.
bool complete(const PlacedHull& a, const PlacedHull& b, Simplex& simplex) {
  while (simplex.count < 4) {
    const Vec3 p = simplex.points[0], u = simplex.points[1] - p, v = simplex.points[2] - p;
    std::array<Vec3, 3> directions{Vec3{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    if (simplex.count == 2) {
      const double x = std::abs(u.x), y = std::abs(u.y), z = std::abs(u.z);
      directions[0] = cross(u, x <= y && x <= z ? Vec3{1, 0, 0} : y <= z ? Vec3{0, 1, 0} : Vec3{0, 0, 1});
      directions[1] = directions[2] = cross(u, directions[0]);
    }
    if (simplex.count == 3) directions[0] = directions[1] = directions[2] = cross(u, v);
    Simplex best;
    double farthest = 0;
    for (const Vec3& direction : directions)
      for (const Vec3 n : {direction, -direction}) {
        Simplex next = simplex;
        next.add(a, a.farthest(-n), b, b.farthest(n));
        const double far = std::abs(dot(n, next.points[static_cast<std::size_t>(simplex.count)] - p)) / length(n);
        if (far > farthest) farthest = far, best = next;
      }
    if (!(farthest > 1e-9 * a.scale * (a.data.size + b.data.size))) return false;
    simplex = best;
  }
  return true;
}

}  // namespace

double depth_along(const PlacedHull& a, const PlacedHull& b, Vec3 direction) {
  // b − a reaches down to −depth along the direction.
  return dot(direction, a.vertex(a.farthest(direction)) - b.vertex(b.farthest(-direction)));
}

Depth least_translation(const PlacedHull& a, const PlacedHull& b, Simplex simplex) {
  Depth depth{.lower = 0, .upper = std::numeric_limits<double>::infinity()};
  if (!complete(a, b, simplex)) return depth;
  GrowingPolytope polytope(simplex);
  for (int points = 4; points < most_points && polytope.is_sound(); ++points) {
    const Face& face = polytope.nearest();
    depth.lower = std::max(depth.lower, face.offset - face.rounding);
    // Moving b against the face's normal takes the difference's boundary there to the origin.
    const Vec3 outward = face.normal;
    const Vec3 point = b.vertex(b.farthest(outward)) - a.vertex(a.farthest(-outward));
    if (const double height = dot(outward, point); height < depth.upper)
      depth.upper = height, depth.direction = -outward;
    if (depth.upper - depth.lower <= 2 * coplanar * polytope.size()) break;
    if (!polytope.take_in(point)) break;
  }
  return depth;
}

}  // namespace tumble
