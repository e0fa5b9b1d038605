// SPDX-License-Identifier: Apache-2.0
// Small scenes, near and apart, with the distance of every pair of triangles: what queries about distance are held
// against.
#pragma once

#include "geometry/distance.h"
#include "math/transform.h"
#include "scenes/flight.h"
#include "scenes/meshes.h"
#include "scenes/random.h"

#include <tumble/distance.h>
#include <tumble/mesh.h>
#include <tumble/pose.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace tumble::testing {

inline Mesh moved(Mesh mesh, double scale, Vec3 by = {}) {
  for (Vec3& v : mesh.vertices) v = v * scale + by;
  return mesh;
}

inline Pose random_pose(scenes::Random& random, Vec3 at, double spread) {
  const Vec3 t = at + random.in_box({-spread, -spread, -spread}, {spread, spread, spread});
  return Pose::from_quaternion(random.between(-1, 1), random.between(-1, 1), random.between(-1, 1),
                               random.between(-1, 1), t);
}

inline Corners corners_of(const Mesh& mesh, const Pose& pose, std::size_t triangle) {
  const Triangle& t = mesh.triangles[triangle];
  const auto corner = [&](std::size_t i) {
    return pose.is_identity() ? mesh.vertices[t[i]] : to_world(pose, mesh.vertices[t[i]]);
  };
  return {corner(0), corner(1), corner(2)};
}

/// Every pair of triangles, by triangle of a, then of b.
struct AllDistances {
  std::vector<double> squares;
  std::size_t columns;
  double least_sq, least;

  AllDistances(const Mesh& a, const Pose& pose_a, const Mesh& b, const Pose& pose_b) : columns(b.triangles.size()) {
    std::vector<Corners> placed;
    for (std::size_t j = 0; j < columns; ++j) placed.push_back(corners_of(b, pose_b, j));
    for (std::size_t i = 0; i < a.triangles.size(); ++i)
      for (const Corners& t : placed) squares.push_back(distance_sq(corners_of(a, pose_a, i), t));
    least_sq = *std::min_element(squares.begin(), squares.end());
    least = std::sqrt(least_sq);
  }

  /// Numbers of the pairs for which `counts` holds, given the squared distance.
  template <class Counts>
  std::vector<std::size_t> where(const Counts& counts) const {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < squares.size(); ++i)
      if (counts(squares[i])) found.push_back(i);
    return found;
  }
  std::size_t number(const NearPair& p) const { return p.triangle_a * columns + p.triangle_b; }
};

struct NearScene {
  std::string name;
  Mesh environment, object;
  Pose environment_pose;
  std::vector<Pose> poses;
  std::vector<AllDistances> expected;

  NearScene(std::string what, Mesh env, Mesh obj, Pose env_pose, std::vector<Pose> path)
      : name(std::move(what)),
        environment(std::move(env)),
        object(std::move(obj)),
        environment_pose(env_pose),
        poses(std::move(path)) {
    for (const Pose& pose : poses) expected.emplace_back(environment, environment_pose, object, pose);
  }

  /// By how much a plain distance may exceed the least (docs/semantics.md, promise 7).
  double tie(std::size_t i) const {
    const auto size = [](const Vec3& v) { return std::abs(v.x) + std::abs(v.y) + std::abs(v.z); };
    const auto reach = [&](const Mesh& mesh, const Pose& pose) {
      double most = 0;
      for (const Vec3& v : mesh.vertices) most = std::max(most, size(v));
      return most + size(pose.translation());
    };
    // The library takes for each body a bound that is at most nine times as large.
    return 1e-12 * expected[i].least + 9e-14 * (reach(environment, environment_pose) + reach(object, poses[i]));
  }
};

inline const std::vector<NearScene>& near_scenes() {
  static const std::vector<NearScene> all = [] {
    scenes::Random random(7);
    const auto path = [&random](std::initializer_list<std::pair<Vec3, double>> places) {
      std::vector<Pose> poses;
      for (const auto& [at, spread] : places) poses.push_back(random_pose(random, at, spread));
      return poses;
    };
    // A pose that stretches as much as poses may.
    auto stretched = random_pose(random, {0.1, 0.2, 0.3}, 0.1).rows();
    for (const std::size_t i : {0u, 5u, 10u}) stretched[i] *= 1 + 2e-5;
    std::vector<NearScene> made;
    made.emplace_back("tori", scenes::wrinkled_torus(200), scenes::zachmann_torus(128), Pose::from_rows(stretched),
                      path({{{0, 0, 0}, 0.5}, {{3, 0, 0}, 0.3}, {{2, 2, 1}, 0.3}, {{0, 0, 40}, 1}, {{3e3, 0, 0}, 1}}));
    made.emplace_back("over a landscape", scenes::landscape(200), moved(scenes::wrinkled_torus(200), 0.3), Pose{},
                      path({{{0, 0, 1.5}, 0.5}, {{2, 1, 1}, 0.2}, {{0, 0, 0.2}, 0.1}}));
    made.emplace_back("among tetrahedra", scenes::tetrahedron_field(60, 2), moved(scenes::wrinkled_torus(200), 1e-2),
                      Pose{}, path({{{0.1, 0.2, 0.1}, 0.3}, {{-0.2, 0, 0.1}, 0.3}, {{0, 0.1, -0.3}, 0.3}}));
    made.emplace_back("far from the origin", moved(scenes::wrinkled_torus(200), 1, {1e6, -2e6, 5e5}),
                      moved(scenes::wrinkled_torus(200), 1, {-3e6, 0, 1}), Pose{},
                      std::vector<Pose>{Pose::from_translation({4e6, -2e6, 5e5 - 1}),
                                        Pose::from_translation({4e6 + 4, -2e6, 5e5 - 1.2})});
    return made;
  }();
  return all;
}

}  // namespace tumble::testing
