// SPDX-License-Identifier: Apache-2.0
// The cost model that decides whether to divide a few triangles.
#include "build/leaf_rule.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tumble {
namespace {

/// The cost model, T = Nv·Cv + Np·Cp + Nu·Cu (Klosowski 1998, section 3.1; Gottschalk 1996), for one leaf. A walk meets
/// a set in proportion to the volume of its box, widened by the reach of what it meets: a fraction of the set's own
/// size. Each meeting of up to four triangles costs the same; each further lane costs a fixed, much smaller amount.
/// Both numbers gave the fastest flights (lab/leaf_sizes.cpp). A smaller reach divides more, which costs memory and
/// gains nothing. k-DOPs fit flat sets less closely, so dividing those gains less. But where a few large triangles
/// bound a hollow, as those of a cupboard do, all of a finer body may be inside their box: what a set meets is no
/// larger than a small part of the body it belongs to.
constexpr double obb_reach = 0.1, dop_reach = 0.15;
constexpr double largest_reach = 0.04;  // in tree coordinates: the body reaches to about 1
constexpr double lane_per_meeting = 0.05;

using Corners = std::array<Vec3, 3>;

Vec3 normal_of(const Corners& c) { return cross(c[1] - c[0], c[2] - c[0]); }

Vec3 longest_edge(const Corners& c) {
  Vec3 longest = c[1] - c[0];
  for (const Vec3& edge : {c[2] - c[1], c[0] - c[2]})
    if (length_sq(edge) > length_sq(longest)) longest = edge;
  return longest;
}

/// The sides of a box with axes `normal` and `edge`: quick, and good enough to distinguish flat from bulky.
Vec3 box_sides(std::span<const Corners> triangles, const Vec3& normal, const Vec3& edge) {
  const auto unit = [](const Vec3& v, const Vec3& otherwise) {
    const double length = std::sqrt(length_sq(v));
    return length > 0 ? v / length : otherwise;
  };
  const Vec3 n = unit(normal, {0, 0, 1});
  const Vec3 u = unit(edge - n * dot(edge, n), {1, 0, 0});
  const Vec3 v = cross(n, u);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Vec3 low{infinity, infinity, infinity}, high{-infinity, -infinity, -infinity};
  for (const Corners& corners : triangles)
    for (const Vec3& corner : corners) {
      const Vec3 place{dot(corner, u), dot(corner, v), dot(corner, n)};
      for (int axis = 0; axis < 3; ++axis) {
        low[axis] = std::min(low[axis], place[axis]);
        high[axis] = std::max(high[axis], place[axis]);
      }
    }
  return high - low;
}

}  // namespace

bool LeafRule::dividing_pays(std::span<const std::uint32_t> set) const {
  std::array<Corners, most_by_cost> storage;
  const std::span triangles = std::span(storage).first(set.size());
  Vec3 sum{}, largest_normal{};
  Vec3 edge = longest_edge(input_.corners(set[0]));
  for (std::size_t i = 0; i < set.size(); ++i) {
    triangles[i] = input_.corners(set[i]);
    const Vec3 normal = normal_of(triangles[i]);
    sum += normal;
    if (length_sq(normal) > length_sq(largest_normal)) largest_normal = normal, edge = longest_edge(triangles[i]);
  }
  // Normals that cancel out do not show in which direction the set is flat.
  const bool cancel = length_sq(sum) < 0.1 * length_sq(largest_normal);
  const Vec3 sides = box_sides(triangles, cancel ? largest_normal : sum, edge);
  const double part = input_.options.bound == Bound::dop ? dop_reach : obb_reach;
  const double reach = std::min(part * (sides.x + sides.y + sides.z), largest_reach);
  const auto met = [reach](const Vec3& s) { return (s.x + reach) * (s.y + reach) * (s.z + reach); };

  const double together = met(sides);
  double apart = static_cast<double>(set.size()) * lane_per_meeting * together;
  for (const Corners& triangle : triangles) {
    const double length = std::sqrt(length_sq(longest_edge(triangle)));
    const double height = length > 0 ? std::sqrt(length_sq(normal_of(triangle))) / length : 0;
    apart += met({length, height, 0});
  }
  return apart < together;
}

}  // namespace tumble
