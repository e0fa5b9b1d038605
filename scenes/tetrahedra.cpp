// SPDX-License-Identifier: Apache-2.0
// Clouds of random tetrahedra: a field to fly through, and obstacles that leave a swept volume free.
#include "scenes/meshes.h"
#include "scenes/random.h"
#include "scenes/shapes.h"

#include <tumble/error.h>

#include <cmath>
#include <vector>

namespace tumble::scenes {
namespace {

/// Corners on the sphere around the centre, redrawn until the tetrahedron is not too flat.
Mesh random_tetrahedron(Vec3 centre, double radius, Random& random) {
  for (;;) {
    const Vec3 a = random.direction(), b = random.direction(), c = random.direction(), d = random.direction();
    if (std::abs(dot(cross(b - a, c - a), d - a)) > 0.3)
      return tetrahedron(centre + a * radius, centre + b * radius, centre + c * radius, centre + d * radius);
  }
}

/// Balls in a cube, sorted into cells as wide as the largest ball; a ball can meet only those in neighbouring cells.
class DisjointBalls {
 public:
  DisjointBalls(double side, double largest_radius)
      : half_(side / 2),
        cells_(static_cast<std::size_t>(std::fmax(1, std::floor(side / (2 * largest_radius))))),
        width_(side / static_cast<double>(cells_)),
        balls_(cells_ * cells_ * cells_) {}

  bool try_add(Vec3 centre, double radius) {
    const Cell at = cell_of(centre);
    for (std::size_t z = before(at.z); z <= after(at.z); ++z)
      for (std::size_t y = before(at.y); y <= after(at.y); ++y)
        for (std::size_t x = before(at.x); x <= after(at.x); ++x)
          for (const Ball& other : balls_[index({x, y, z})]) {
            const double reach = (radius + other.radius) * (1 + 1e-9);  // rounding cannot make them touch
            if (length_sq(centre - other.centre) <= reach * reach) return false;
          }
    balls_[index(at)].push_back({centre, radius});
    return true;
  }

 private:
  struct Ball {
    Vec3 centre;
    double radius;
  };
  struct Cell {
    std::size_t x, y, z;
  };

  std::size_t along(double v) const {
    const double n = std::floor((v + half_) / width_);
    return n < 0 ? 0 : std::min(cells_ - 1, static_cast<std::size_t>(n));
  }
  Cell cell_of(Vec3 p) const { return {along(p.x), along(p.y), along(p.z)}; }
  std::size_t index(const Cell& c) const { return (c.z * cells_ + c.y) * cells_ + c.x; }
  static std::size_t before(std::size_t i) { return i == 0 ? 0 : i - 1; }
  std::size_t after(std::size_t i) const { return std::min(i + 1, cells_ - 1); }

  double half_;
  std::size_t cells_;
  double width_;
  std::vector<std::vector<Ball>> balls_;
};

constexpr double axis_half_length = 0.5, axis_half_thickness = 0.04;

/// From a point in the axis object's own coordinates to the nearest of its three boxes; 0 inside.
double distance_to_axes(Vec3 p) {
  double nearest_sq = 1e300;
  for (int axis = 0; axis < 3; ++axis) {
    double square = 0;
    for (int k = 0; k < 3; ++k) {
      const double beyond = std::abs(p[k]) - (k == axis ? axis_half_length : axis_half_thickness);
      if (beyond > 0) square += beyond * beyond;
    }
    if (square < nearest_sq) nearest_sq = square;
  }
  return std::sqrt(nearest_sq);
}

/// How far a point is beyond the plane of some face of the axis object's convex hull, at most; negative inside.
double beyond_hull_of_axes(Vec3 p) {
  const double x = std::abs(p.x), y = std::abs(p.y), z = std::abs(p.z);
  const double most = std::fmax(x, std::fmax(y, z)), two = x + y + z - std::fmin(x, std::fmin(y, z));
  return std::fmax(
      std::fmax(most - axis_half_length, (two - (axis_half_length + axis_half_thickness)) / std::sqrt(2.0)),
      (x + y + z - (axis_half_length + 2 * axis_half_thickness)) / std::sqrt(3.0));
}

Vec3 to_body(const Pose& pose, Vec3 world) {
  const Vec3 d = world - pose.translation();
  return (pose.row(0) * d.x + pose.row(1) * d.y) + pose.row(2) * d.z;
}

}  // namespace

Mesh tetrahedron_field(std::size_t count, double side, std::uint64_t seed) {
  if (!(side > 0) || !std::isfinite(side))
    throw Error(ErrorCode::invalid_argument, "the side of a field of tetrahedra must be positive and finite");
  // Radii in proportion to the space each ball has: the balls fill about 1 % of the cube, whatever the count.
  double room = side;
  while (room * room * room * static_cast<double>(count) > side * side * side) room *= 0.999;
  const double smallest = 0.08 * room, largest = 0.18 * room;
  Random random(seed);
  DisjointBalls balls(side, largest);
  Mesh mesh;
  for (std::size_t n = 0; n < count;) {
    const double radius = random.between(smallest, largest), inner = side / 2 - radius;
    const Vec3 centre = random.in_box({-inner, -inner, -inner}, {inner, inner, inner});
    if (!balls.try_add(centre, radius)) continue;
    append(mesh, random_tetrahedron(centre, radius, random));
    ++n;
  }
  return mesh;
}

Mesh axis_object() {
  Mesh mesh;
  for (int axis = 0; axis < 3; ++axis) {
    Vec3 half{axis_half_thickness, axis_half_thickness, axis_half_thickness};
    half[axis] = axis_half_length;
    append(mesh, box(half), axis == 0 ? "x axis" : axis == 1 ? "y axis" : "z axis");
  }
  return mesh;
}

Mesh swept_obstacles(std::span<const Pose> path, std::size_t count, std::uint64_t seed) {
  if (path.empty()) throw Error(ErrorCode::invalid_argument, "the swept path has no poses");
  Random random(seed);
  Mesh mesh;
  // A point near the object at some pose, kept if every pose leaves room for a small ball around it.
  constexpr double nearest = 0.004, farthest = 0.08, largest_radius = 0.03;
  const double reach = std::sqrt(axis_half_length * axis_half_length + 2 * axis_half_thickness * axis_half_thickness);
  for (std::size_t n = 0, tries = 0; n < count; ++tries) {
    if (tries > 10'000 + 1000 * count)
      throw Error(ErrorCode::invalid_argument, "the swept path leaves no room for obstacles close to it");
    const Pose& pose = path[random.index(path.size())];
    const int axis = static_cast<int>(random.index(3));
    const double away = axis_half_thickness + random.between(nearest, farthest);
    Vec3 local = random.direction() * away;
    local[axis] += random.between(-axis_half_length, axis_half_length);
    const Vec3 centre = pose * local;
    double room = distance_to_axes(local);
    for (std::size_t i = 0; i < path.size() && room >= nearest; ++i) {
      const double near = reach + room;
      if (length_sq(centre - path[i].translation()) < near * near)
        room = std::fmin(room, distance_to_axes(to_body(path[i], centre)));
    }
    if (room < nearest) continue;
    const double radius = std::fmin(largest_radius, (room - 2 * swept_clearance) * random.between(0.6, 1));
    append(mesh, random_tetrahedron(centre, radius, random));
    ++n;
  }
  return mesh;
}

Mesh obstacles_around_swept_hull(std::span<const Pose> path, double nearest, double farthest, std::size_t count,
                                 std::uint64_t seed) {
  if (path.empty()) throw Error(ErrorCode::invalid_argument, "the swept path has no poses");
  if (!(nearest > 0 && farthest > nearest && farthest <= 10))
    throw Error(ErrorCode::invalid_argument, "obstacles around a swept hull need 0 < nearest < farthest <= 10");
  constexpr double largest_radius = 0.05;
  Random random(seed);
  Mesh mesh;
  const double reach = axis_half_length + 2 * farthest;  // a hull's corner is nearer than twice its planes' distance
  for (std::size_t n = 0, tries = 0; n < count; ++tries) {
    if (tries > 10'000 + 10'000 * count)
      throw Error(ErrorCode::invalid_argument, "the swept path leaves no room for obstacles so close to it");
    const Pose& pose = path[random.index(path.size())];
    const Vec3 local = random.in_box({-reach, -reach, -reach}, {reach, reach, reach});
    double room = beyond_hull_of_axes(local);
    if (room < nearest || room > farthest) continue;
    const Vec3 centre = pose * local;
    for (std::size_t i = 0; i < path.size() && room >= nearest; ++i)
      room = std::fmin(room, beyond_hull_of_axes(to_body(path[i], centre)));
    if (room < nearest) continue;
    append(mesh, random_tetrahedron(centre, std::fmin(largest_radius, 0.9 * room), random));
    ++n;
  }
  return mesh;
}

}  // namespace tumble::scenes
