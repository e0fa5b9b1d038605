// SPDX-License-Identifier: Apache-2.0
// Loops over pairs; a box of one triangle rules a pair out where it can.
#include "lab/rivals/referee.h"

#include "geometry/distance.h"
#include "geometry/triangle_pair.h"
#include "math/transform.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace tumble::lab {
namespace {

/// Triangles in the world, and the ends of their boxes, an array per coordinate.
struct Placed {
  std::vector<Corners> corners{};
  std::array<std::vector<double>, 3> lower{}, upper{};

  Placed(const Mesh& mesh, const Pose& pose) {
    std::vector<Vec3> world;
    world.reserve(mesh.vertices.size());
    for (const Vec3& v : mesh.vertices) world.push_back(to_world(pose, v));
    for (const Triangle& t : mesh.triangles) {
      const Corners c{world[t[0]], world[t[1]], world[t[2]]};
      corners.push_back(c);
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const auto at = [&](std::size_t i) { return c[i][static_cast<int>(axis)]; };
        lower[axis].push_back(std::min({at(0), at(1), at(2)}));
        upper[axis].push_back(std::max({at(0), at(1), at(2)}));
      }
    }
  }
  std::size_t size() const { return corners.size(); }
};

}  // namespace

std::vector<PairOfTriangles> referee_contacts(const Mesh& environment, const Mesh& object, const Pose& object_pose) {
  const Placed a(environment, {}), b(object, object_pose);
  // In the order of their lower ends along x, those of b that can meet a triangle of a lie between the first that may
  // still reach it (`reach`: the largest upper end so far) and the last that begins before its end.
  std::vector<std::uint32_t> order(b.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::sort(order, {}, [&](std::uint32_t i) { return b.lower[0][i]; });
  std::vector<double> reach;
  for (const std::uint32_t i : order)
    reach.push_back(std::max(b.upper[0][i], reach.empty() ? b.upper[0][i] : reach.back()));
  std::vector<PairOfTriangles> found;
  for (std::uint32_t i = 0; i < a.size(); ++i) {
    const auto first = std::ranges::lower_bound(reach, a.lower[0][i]) - reach.begin();
    for (auto at = order.begin() + first; at != order.end() && b.lower[0][*at] <= a.upper[0][i]; ++at) {
      const std::uint32_t j = *at;
      bool apart = false;
      for (std::size_t axis = 0; axis < 3; ++axis)
        apart |= a.lower[axis][i] > b.upper[axis][j] || b.lower[axis][j] > a.upper[axis][i];
      if (!apart && intersects(a.corners[i], b.corners[j])) found.emplace_back(i, j);
    }
  }
  std::ranges::sort(found);
  return found;
}

double referee_distance(const Mesh& environment, const Mesh& object, const Pose& object_pose) {
  const Placed a(environment, {}), b(object, object_pose);
  double least_sq = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < a.size(); i += std::max<std::size_t>(1, a.size() / 200))  // a first guess from above
    for (std::size_t j = 0; j < b.size(); ++j)
      least_sq = std::min(least_sq, length_sq(a.corners[i][0] - b.corners[j][0]));
  std::vector<double> gaps_sq(b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::ranges::fill(gaps_sq, 0.0);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double low = a.lower[axis][i], high = a.upper[axis][i];
      const double *lower = b.lower[axis].data(), *upper = b.upper[axis].data();
      for (std::size_t j = 0; j < b.size(); ++j) {
        const double before = low - upper[j], after = lower[j] - high, gap = before > after ? before : after;
        gaps_sq[j] += gap > 0 ? gap * gap : 0;
      }
    }
    for (std::size_t j = 0; j < b.size(); ++j)
      if (gaps_sq[j] <= least_sq) least_sq = std::min(least_sq, distance_sq(a.corners[i], b.corners[j]));
  }
  return std::sqrt(least_sq);
}

}  // namespace tumble::lab
