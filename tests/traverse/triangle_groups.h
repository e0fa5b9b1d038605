// SPDX-License-Identifier: Apache-2.0
// Up to four triangles of each of two bodies, close to touching: what filters of leaves are tried on.
#pragma once

#include "geometry/triangle.h"
#include "math/transform.h"
#include "realign/scenario.h"

#include <cmath>
#include <cstddef>
#include <vector>

namespace tumble {

/// As leaves store them.
inline std::vector<float> group_of(const std::vector<Corners>& triangles) {
  std::vector<float> rows(9 * triangles.size() + 4);
  for (std::size_t i = 0; i < triangles.size(); ++i)
    for (std::size_t row = 0; row < 9; ++row)
      rows[row * triangles.size() + i] = static_cast<float>(triangles[i][row / 3][static_cast<int>(row % 3)]);
  return rows;
}

/// Groups of triangles at random poses. Of most pairs a corner of one lies at, or very close to, a corner, an edge or
/// the inside of the other.
struct Groups {
  Pose target_pose, source_pose;
  std::vector<Corners> targets, sources;  // in their bodies' coordinates

  Groups(double size, Random& random) {
    const auto turn = [&] { return random.integer(0, 3) ? rotation(random, random.uniform(-3, 3)) : Mat3{}; };
    const double away = random.integer(0, 4) ? 1 : 1e4;
    target_pose = random.integer(0, 1) ? Pose() : pose_with(turn(), random.vector(away));
    const auto width = static_cast<std::size_t>(random.integer(1, 4));
    const Vec3 place = random.vector(0.5);
    for (std::size_t i = 0; i < width; ++i) {
      Corners t;
      for (Vec3& corner : t) corner = place + random.vector(size);
      if (i > 0 && random.integer(0, 1)) t[0] = targets[0][0], t[1] = targets[0][1];  // neighbours share an edge
      targets.push_back(t);
    }
    const Mat3 source_turn = turn();
    const Vec3 center = to_world(target_pose, place);
    source_pose = pose_with(source_turn, center - source_turn * random.vector(0.5));
    for (std::size_t i = 0; i < width; ++i) {
      Corners s;
      for (Vec3& corner : s) corner = back(center + random.vector(size));
      const Corners& t = targets[static_cast<std::size_t>(random.integer(0, static_cast<int>(width) - 1))];
      s[0] = back(to_world(target_pose, point_of(t, random)) + random.vector(closeness(size, random)));
      if (random.integer(0, 3) == 0) s[1] = back(to_world(target_pose, point_of(t, random)));
      sources.push_back(s);
    }
  }

 private:
  Vec3 back(Vec3 world) const {
    const Mat3 turn{{source_pose.row(0), source_pose.row(1), source_pose.row(2)}};
    return transpose(turn) * (world - source_pose.translation());
  }
  static Vec3 point_of(const Corners& t, Random& random) {
    const double v = random.integer(0, 2) ? random.uniform(0, 1) : 0,
                 w = random.integer(0, 2) ? random.uniform(0, 1) : 0;
    return t[0] + (t[1] - t[0]) * v + (t[2] - t[0]) * (w * (1 - v));
  }
  static double closeness(double size, Random& random) {
    return random.integer(0, 2) ? size * std::pow(10, random.uniform(-8, 0)) : 0;
  }
};

}  // namespace tumble
