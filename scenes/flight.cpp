// SPDX-License-Identifier: Apache-2.0
// Poses from positions and unit quaternions, renormalised at every step.
#include "scenes/flight.h"

#include "scenes/random.h"
#include "scenes/shapes.h"
#include "scenes/trigonometry.h"

#include <tumble/error.h>

#include <array>
#include <cmath>
#include <string>
#include <utility>

namespace tumble::scenes {
namespace {

struct Quaternion {
  double w = 1;
  Vec3 v{};

  friend Quaternion operator*(const Quaternion& a, const Quaternion& b) {
    return {a.w * b.w - dot(a.v, b.v), b.v * a.w + a.v * b.w + cross(a.v, b.v)};
  }
};

double inner(const Quaternion& a, const Quaternion& b) { return a.w * b.w + dot(a.v, b.v); }

Quaternion unit(const Quaternion& q) {
  const double size = std::sqrt(inner(q, q));
  return {q.w / size, q.v / size};
}

Quaternion rotation(Vec3 axis, double turns) {
  const auto [s, c] = sin_cos(turns / 2);
  return {c, axis * s};
}

Quaternion random_rotation(Random& random) {
  for (;;) {  // uniform in the ball of four dimensions, then on its sphere
    const Quaternion q{random.between(-1, 1), random.in_box({-1, -1, -1}, {1, 1, 1})};
    const double square = inner(q, q);
    if (square > 1e-4 && square <= 1) return unit(q);
  }
}

/// The rotation that takes the axes to this orthonormal frame (Shepperd's choice of the largest component).
Quaternion rotation_to(const Frame& f) {
  const double trace = f.x.x + f.y.y + f.z.z;
  if (trace >= f.x.x && trace >= f.y.y && trace >= f.z.z)
    return unit({1 + trace, {f.y.z - f.z.y, f.z.x - f.x.z, f.x.y - f.y.x}});
  if (f.x.x >= f.y.y && f.x.x >= f.z.z)
    return unit({f.y.z - f.z.y, {1 + 2 * f.x.x - trace, f.y.x + f.x.y, f.z.x + f.x.z}});
  if (f.y.y >= f.z.z) return unit({f.z.x - f.x.z, {f.y.x + f.x.y, 1 + 2 * f.y.y - trace, f.z.y + f.y.z}});
  return unit({f.x.y - f.y.x, {f.z.x + f.x.z, f.z.y + f.y.z, 1 + 2 * f.z.z - trace}});
}

Pose pose(const Quaternion& q, Vec3 position) { return Pose::from_quaternion(q.w, q.v.x, q.v.y, q.v.z, position); }

struct Waypoint {
  Vec3 position;
  Quaternion orientation;
};

/// The Catmull-Rom weights of four neighbours, between the inner two.
std::array<double, 4> spline_weights(double u) {
  const double u2 = u * u, u3 = u2 * u;
  return {(2 * u2 - u3 - u) / 2, (3 * u3 - 5 * u2 + 2) / 2, (4 * u2 - 3 * u3 + u) / 2, (u3 - u2) / 2};
}

/// `steps` poses from the first waypoint to the last, smooth in place and rotation.
Flight through(std::vector<Waypoint> waypoints, std::size_t steps) {
  // q and -q are the same rotation: take the one nearer to the one before.
  for (std::size_t i = 1; i < waypoints.size(); ++i)
    if (Quaternion& q = waypoints[i].orientation; inner(q, waypoints[i - 1].orientation) < 0) q = {-q.w, -q.v};
  Flight flight;
  const std::size_t spans = waypoints.size() - 1;
  for (std::size_t n = 0; n < steps; ++n) {
    const double at =
        steps < 2 ? 0 : static_cast<double>(spans) * static_cast<double>(n) / static_cast<double>(steps - 1);
    const std::size_t i = std::min(static_cast<std::size_t>(at), spans - 1);
    const std::array<double, 4> weights = spline_weights(at - static_cast<double>(i));
    Vec3 position{};
    Quaternion orientation{0, {}};
    for (std::size_t k = 0; k < 4; ++k) {
      const std::size_t near = i + k == 0 ? 0 : std::min(i + k - 1, spans);
      position += waypoints[near].position * weights[k];
      orientation.w += waypoints[near].orientation.w * weights[k];
      orientation.v += waypoints[near].orientation.v * weights[k];
    }
    flight.push_back(pose(unit(orientation), position));
  }
  return flight;
}

/// A place on a surface, seen from its front.
struct Spot {
  Vec3 point, normal;
};

/// On the largest of three random triangles: spots are neither all on finely meshed parts nor all on plain ones.
Spot random_spot(const Mesh& mesh, Random& random) {
  Spot spot{};
  double largest_sq = 0;
  for (int draw = 0; draw < 3; ++draw) {
    const Triangle& t = mesh.triangles[random.index(mesh.triangles.size())];
    const Vec3 a = mesh.vertices[t[0]], b = mesh.vertices[t[1]], c = mesh.vertices[t[2]];
    const Vec3 normal = cross(b - a, c - a);
    if (!(length_sq(normal) > largest_sq)) continue;
    largest_sq = length_sq(normal);
    spot = {(a + b + c) / 3, normalized(normal)};
  }
  return largest_sq > 0 ? spot : Spot{mesh.vertices[mesh.triangles[0][0]], {0, 0, 1}};
}

}  // namespace

Flight billiard(const Billiard& rules, const Collides& collides) {
  const Vec3 low = rules.room.lower, high = rules.room.upper;
  if (!(low.x < high.x && low.y < high.y && low.z < high.z) || !(rules.step > 0) || !std::isfinite(rules.turns))
    throw Error(ErrorCode::invalid_argument, "a billiard needs a room with volume, a positive step and finite turns");
  Random random(rules.seed);
  Vec3 position{};
  Quaternion orientation;
  std::size_t tries = 0;
  do {
    if (++tries > 10'000)
      throw Error(
          ErrorCode::invalid_argument,
          "no free pose to start from: 10000 random poses in the room all collide; the object needs to be smaller "
          "or the environment emptier");
    position = random.in_box(low, high);
    orientation = random_rotation(random);
  } while (collides(pose(orientation, position)));

  Vec3 velocity = random.direction() * rules.step;
  Quaternion spin = rotation(random.direction(), rules.turns);
  Flight flight;
  while (flight.size() < rules.steps) {
    Vec3 next = position + velocity;
    for (int axis = 0; axis < 3; ++axis)
      if (next[axis] < low[axis] || next[axis] > high[axis]) {
        velocity[axis] = -velocity[axis];
        next[axis] = position[axis];
      }
    const Quaternion turned = unit(spin * orientation);
    flight.push_back(pose(turned, next));
    if (!collides(flight.back())) {
      position = next;
      orientation = turned;
      continue;
    }
    const Vec3 direction = random.direction();
    velocity = (dot(direction, velocity) < 0 ? direction : -direction) * rules.step;
    spin = rotation(random.direction(), rules.turns);
  }
  return flight;
}

Flight swept_path(std::size_t steps, std::uint64_t seed) {
  Random random(seed);
  std::vector<Waypoint> waypoints;
  while (waypoints.size() < 14) {
    const Vec3 position = random.in_box({-2, -2, -2}, {2, 2, 2});
    if (!waypoints.empty() && length_sq(position - waypoints.back().position) < 1) continue;
    waypoints.push_back({position, random_rotation(random)});
  }
  // The spline may overshoot a little. The obstacles are placed afterwards, so that does no harm.
  return through(std::move(waypoints), steps);
}

Flight hand_path(const Mesh& surroundings, std::size_t steps, std::uint64_t seed) {
  if (surroundings.triangles.empty()) throw Error(ErrorCode::invalid_argument, "the hand has nothing to touch");
  constexpr std::size_t visits = 30;
  constexpr double standoff = 0.38, contact = 0.17;  // of the wrist; the fingertips are 0.18 ahead of it
  Random random(seed);
  std::vector<Spot> spots;
  for (std::size_t i = 0; i < visits; ++i) spots.push_back(random_spot(surroundings, random));
  for (std::size_t i = 0; i + 1 < visits; ++i) {  // the nearest place next
    std::size_t nearest = i + 1;
    for (std::size_t j = i + 1; j < visits; ++j)
      if (length_sq(spots[j].point - spots[i].point) < length_sq(spots[nearest].point - spots[i].point)) nearest = j;
    std::swap(spots[i + 1], spots[nearest]);
  }
  std::vector<Waypoint> waypoints;
  for (const Spot& spot : spots) {
    // Fingers slant into the surface, the palm down towards it.
    const Frame surface = frame_along(spot.point, spot.normal);
    const auto [s, c] = sin_cos(random.unit());
    const Vec3 along = surface.x * c + surface.y * s;
    const auto [slant_sin, slant_cos] = sin_cos(random.between(0.14, 0.23));
    Frame hand;
    hand.x = along * slant_cos - spot.normal * slant_sin;
    hand.y = normalized(cross(spot.normal, hand.x));
    hand.z = cross(hand.x, hand.y);
    const Quaternion orientation = rotation_to(hand);
    const Vec3 touching = spot.point - hand.x * contact, drag = along * random.between(-0.2, 0.2);
    const Vec3 away = spot.normal * (standoff - contact);
    waypoints.push_back({touching + away, orientation});
    waypoints.push_back({touching, orientation});
    waypoints.push_back({touching + drag, orientation});
    waypoints.push_back({touching + drag + away, orientation});
  }
  return through(std::move(waypoints), steps);
}

Flight full_turn(double distance, std::size_t steps) { return approach(distance, distance, steps); }

Flight approach(double from, double to, std::size_t steps) {
  Flight flight;
  for (std::size_t n = 0; n < steps; ++n) {
    const double u = static_cast<double>(n) / static_cast<double>(steps);
    const auto [s, c] = sin_cos(u);
    const std::array<double, 12> rows{c, -s, 0, from + (to - from) * u, s, c, 0, 0, 0, 0, 1, 0};
    flight.push_back(Pose::from_rows(rows));
  }
  return flight;
}

}  // namespace tumble::scenes
