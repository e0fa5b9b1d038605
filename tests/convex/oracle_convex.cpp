// SPDX-License-Identifier: Apache-2.0
// Convex polytopes of every shape, from far apart to deep in each other, in random and in coherent motion, against all
// pairs of triangles: whether they meet, their distance, its features, and the least translation that separates them.
// Usage: oracle_convex [--pairs N] [--seed S]. Exit status 1 if anything is wrong.
#include "geometry/distance.h"
#include "geometry/triangle_pair.h"
#include "require.h"
#include "scenes/random.h"
#include "scenes/shapes.h"
#include "scenes/spheres.h"

#include <tumble/convex.h>
#include <tumble/query.h>
#include <tumble/solid.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

using namespace tumble;

namespace {

using testing::asked, testing::require, testing::wrong;

Mesh stretched(Mesh mesh, Vec3 factors) {
  for (Vec3& v : mesh.vertices) v = {v.x * factors.x, v.y * factors.y, v.z * factors.z};
  return mesh;
}

/// The hull is what counts: a point set with some triangles.
Mesh cloud(scenes::Random& random, std::size_t points) {
  Mesh mesh;
  for (std::size_t i = 0; i < points; ++i) mesh.vertices.push_back(random.in_box({-1, -1, -1}, {1, 1, 1}));
  for (std::uint32_t i = 2; i < points; ++i) mesh.triangles.push_back({i - 2, i - 1, i});
  return mesh;
}

Mesh random_shape(scenes::Random& random, std::string& name) {
  const auto thin = [&] { return std::pow(10, -random.between(0, 7)); };
  switch (random.index(9)) {
    case 0: return name = "box", scenes::box({1, 0.5, 0.25});
    case 1: return name = "cube of faces in parts", scenes::quartered(scenes::box({1, 1, 1}));
    case 2: return name = "cloud", cloud(random, 4 + random.index(16));
    case 3: return name = "needle", stretched(scenes::sphere(24), {1, thin(), thin()});
    case 4: return name = "plate", stretched(cloud(random, 8), {1, 1, thin()});
    case 5: return name = "prism", scenes::cylinder(1, 1, 3 + random.index(8));
    case 6: return name = "bipyramid", scenes::bipyramid(1, random.between(0.01, 2), 3 + random.index(6));
    case 7: return name = "sphere", scenes::sphere(40, scenes::Tessellation::hull, random.bits());
    default: return name = "flat", stretched(cloud(random, 7), {1, 1, 0});
  }
}

/// Turned by whole quarters and moved by whole halves, or anyhow.
Pose random_pose(scenes::Random& random, double reach) {
  if (random.index(3) == 0) {
    const Vec3 at{0.5 * std::round(2 * random.between(-reach, reach)), 0.5 * std::round(2 * random.between(-1, 1)),
                  0.5 * std::round(2 * random.between(-1, 1))};
    switch (random.index(4)) {
      case 0: return Pose::from_quaternion(1, 1, 0, 0, at);
      case 1: return Pose::from_quaternion(1, 0, 1, 0, at);
      case 2: return Pose::from_quaternion(1, 1, 1, 1, at);
      default: return Pose::from_translation(at);
    }
  }
  const Vec3 axis = random.direction(), at = random.direction() * random.between(0, reach);
  auto rows = Pose::from_quaternion(random.between(-1, 1), axis.x, axis.y, axis.z, at).rows();
  if (random.index(8) == 0)  // stretched as much as poses may be
    for (const std::size_t i : {0u, 5u, 10u}) rows[i] *= 1 + random.between(-4e-5, 4e-5);
  return Pose::from_rows(rows);
}

/// A body as the oracle sees it: triangles in the world.
struct Body {
  Body(const ConvexModel& of, const Pose& at) : model(of), pose(at) {
    for (const Vec3& v : of.vertices()) vertices.push_back(at * v);
    for (const auto& [i, j, k] : of.triangles()) triangles.push_back({vertices[i], vertices[j], vertices[k]});
    const Vec3& t = at.translation();
    for (const Vec3& v : of.vertices())
      reach = std::max(reach,
                       std::abs(v.x) + std::abs(v.y) + std::abs(v.z) + std::abs(t.x) + std::abs(t.y) + std::abs(t.z));
  }
  double height(Vec3 n) const {
    double most = -std::numeric_limits<double>::infinity();
    for (const Vec3& v : vertices) most = std::max(most, dot(n, v));
    return most;
  }

  const ConvexModel& model;
  const Pose& pose;
  std::vector<Vec3> vertices;
  std::vector<Corners> triangles;
  double reach = 0;
};

bool holds_a_vertex_of(const Body& outer, const Body& inner) {
  return std::ranges::any_of(
      inner.vertices, [&](const Vec3& v) { return locate(outer.model.model(), outer.pose, v) != Side::outside; });
}

/// 0 exactly when the solids meet.
double brute_force_distance(const Body& a, const Body& b) {
  double least = std::numeric_limits<double>::infinity();
  for (const Corners& s : a.triangles)
    for (const Corners& t : b.triangles) least = std::min(least, distance_sq(s, t));
  if (least > 0 && (holds_a_vertex_of(a, b) || holds_a_vertex_of(b, a))) return 0;
  return std::sqrt(least);
}

/// Over all normals of faces and all cross products of edges.
double brute_force_depth(const Body& a, const Body& b) {
  double least = std::numeric_limits<double>::infinity();
  const auto look = [&](Vec3 n) {
    const double size = length(n);
    if (size > 0) least = std::min(least, (a.height(n) + b.height(-n)) / size);
  };
  for (const Body* body : {&a, &b})
    for (const Corners& t : body->triangles) {
      const Vec3 n = cross(t[1] - t[0], t[2] - t[0]);
      look(n), look(-n);
    }
  for (const Corners& s : a.triangles)
    for (const Corners& t : b.triangles)
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) {
          const Vec3 u = s[next_corner(i)] - s[i], v = t[next_corner(j)] - t[j], n = cross(u, v);
          if (length(n) > 1e-7 * length(u) * length(v)) look(n), look(-n);
        }
  return least;
}

void check_feature(const ConvexFeature& feature, const Vec3& point, const Body& body, double tolerance) {
  const auto at = [&](std::size_t i) { return body.vertices[feature.vertices[i]]; };
  require(std::sqrt(distance_sq(Corners{at(0), at(1), at(2)}, Corners{point, point, point})) <= tolerance,
          "the closest point is not on the feature");
}

void check(const Body& a, const Body& b, ConvexPair& pair, bool with_depth, std::size_t& meeting) {
  const double truth = brute_force_distance(a, b), reach = a.reach + b.reach;
  meeting += truth == 0;
  const ConvexDistance d = pair.distance(a.pose, b.pose);
  require((d.distance == 0) == (truth == 0), "distance has the wrong sign");
  require(std::abs(d.distance - truth) <= 1e-12 * truth + 1e-14 * reach, "the distance is not the least");
  require(d.lower <= truth * (1 + 1e-12), "lower is above the distance");
  if (truth > 0) {
    const double tolerance = 1e-12 * truth + 1e-13 * reach;
    require(std::abs(length(d.point_a - d.point_b) - d.distance) <= tolerance, "points at another distance");
    // Far closer features than roundings of the points can name several.
    if (truth > 1e-9 * reach) {
      check_feature(d.feature_a, d.point_a, a, 1e-7 * reach);
      check_feature(d.feature_b, d.point_b, b, 1e-7 * reach);
    }
  } else {
    require(d.point_a == d.point_b, "a common point is one point");
  }
  require(pair.collide(a.pose, b.pose) == (truth == 0), "collide is wrong");
  require(tumble::collide(b.model, b.pose, a.model, a.pose) == (truth == 0), "collide is wrong, swapped and cold");
  const ConvexDistance cold = tumble::distance(b.model, b.pose, a.model, a.pose);
  require(std::abs(cold.distance - truth) <= 1e-12 * truth + 1e-14 * reach && (cold.distance == 0) == (truth == 0),
          "the distance is wrong, swapped and cold");
  if (!with_depth) return;
  const SeparatingTranslation s = pair.separating_translation(a.pose, b.pose);
  require(s.in_contact == (truth == 0), "in_contact is wrong");
  if (truth > 0) return;
  const double least = brute_force_depth(a, b);
  asked += ", least translation " + std::to_string(least / reach) + " in [" + std::to_string(s.lower / reach) + ", " +
           std::to_string(s.upper / reach) + "]";
  require(s.lower <= least + 1e-13 * reach, "lower is above the least translation");
  require(s.upper >= least - 1e-13 * reach, "upper is below the least translation");
  require(s.upper - least <= 2e-9 * reach && least - s.lower <= 2e-9 * reach, "the interval is wide");
  require(std::abs(length(s.translation) - s.upper) <= 1e-12 * reach, "the translation is not as long as upper");
  const Vec3 n = s.translation / length(s.translation);
  require(a.height(n) + b.height(-n) <= s.upper, "the translation does not separate");
}

}  // namespace

int main(int count, char** arguments) {
  std::size_t pairs = 1000;
  std::uint64_t seed = 1;
  for (int i = 1; i + 1 < count; i += 2) {
    if (std::strcmp(arguments[i], "--pairs") == 0) pairs = std::strtoull(arguments[i + 1], nullptr, 10);
    if (std::strcmp(arguments[i], "--seed") == 0) seed = std::strtoull(arguments[i + 1], nullptr, 10);
  }
  scenes::Random random(seed);
  std::size_t meeting = 0, done = 0;
  ConvexCounters sum;
  while (done < pairs) {
    std::string name_a, name_b;
    const double unit = random.index(6) == 0 ? std::pow(10, random.between(-30, 30)) : 1;
    const ConvexModel a = ConvexModel::hull_of(scenes::scaled(random_shape(random, name_a), unit)),
                      b = ConvexModel::hull_of(
                          scenes::scaled(random_shape(random, name_b),
                                         random.index(4) == 0 ? unit * std::pow(10, random.between(-3, 0)) : unit));
    ConvexPair pair(a, b);
    const double reach = random.index(4) == 0 ? 30 : 2.5, far = random.index(8) == 0 ? 1e5 : 0;
    const auto in_units = [&](const Pose& pose) {
      auto rows = pose.rows();
      for (const std::size_t i : {3u, 7u, 11u}) rows[i] = (rows[i] + far) * unit;
      return Pose::from_rows(rows);
    };
    const Pose pose_a = in_units(random.index(2) == 0 ? Pose{} : random_pose(random, 0.5));
    Pose from = random_pose(random, reach), to = random_pose(random, reach);
    const std::size_t steps = random.index(2) == 0 ? 1 : 10;  // a coherent motion
    for (std::size_t i = 0; i < steps && done < pairs; ++i, ++done) {
      const double at = static_cast<double>(i) / 10;
      const Pose pose_b = in_units(steps == 1 ? from : interpolate(from, to, at * at));
      asked = "seed " + std::to_string(seed) + ", pair " + std::to_string(done) + " (" + name_a + ", " + name_b + ")";
      check(Body(a, pose_a), Body(b, pose_b), pair, done % 4 == 0, meeting);
    }
    sum.questions += pair.stats().questions;
    sum.walk_steps += pair.stats().walk_steps;
    sum.cold_starts += pair.stats().cold_starts;
    sum.exact += pair.stats().exact;
  }
  std::printf("%zu pairs, seed %llu: %zu meet; %llu questions, %llu steps, %llu cold starts, %llu exact; %zu wrong\n",
              pairs, static_cast<unsigned long long>(seed), meeting, static_cast<unsigned long long>(sum.questions),
              static_cast<unsigned long long>(sum.walk_steps), static_cast<unsigned long long>(sum.cold_starts),
              static_cast<unsigned long long>(sum.exact), wrong);
  return wrong == 0 ? 0 : 1;
}
