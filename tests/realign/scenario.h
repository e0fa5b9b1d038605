// SPDX-License-Identifier: Apache-2.0
// Random nodes and poses for realigners: eight clouds of points with their bounds, and motions of every awkward kind.
#pragma once

#include "bounds/dop.h"
#include "bounds/lanes.h"
#include "bounds/random.h"
#include "math/double_double.h"
#include "realign/realigner.h"

#include <tumble/pose.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace tumble {

using Exact3 = std::array<DoubleDouble, 3>;

inline DoubleDouble dot(const Exact3& a, const Exact3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline Exact3 exact(Vec3 v) { return {v.x, v.y, v.z}; }
inline Exact3 cross(const Exact3& a, const Exact3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// linear·p + translation with 106 bits.
inline Exact3 move(const RelativePose& pose, Vec3 p) {
  Exact3 moved;
  for (std::size_t i = 0; i < 3; ++i)
    moved[i] = dot(exact(pose.linear.rows[i]), exact(p)) + DoubleDouble(pose.translation[static_cast<int>(i)]);
  return moved;
}

/// The rotation by `angle` about a random axis.
inline Mat3 rotation(Random& random, double angle) {
  Vec3 axis = random.vector(1);
  while (length_sq(axis) < 0.01) axis = random.vector(1);
  axis *= std::sin(angle / 2) / length(axis);
  const double w = std::cos(angle / 2);
  const auto [x, y, z] = axis;
  return {{Vec3{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
           Vec3{2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
           Vec3{2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}}};
}

inline Pose pose_with(const Mat3& r, Vec3 t) {
  std::array<double, 12> rows;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 4; ++j)
      rows[4 * i + j] = j < 3 ? r.rows[i][static_cast<int>(j)] : t[static_cast<int>(i)];
  return Pose::from_rows(rows);
}

enum class Motion : std::uint8_t {
  any,
  identity,
  axis_aligned,
  tiny,
  half_turn,
  skewed,
  far,
  minute,
  large,
  vanishing
};
inline constexpr std::array motions{Motion::any,       Motion::identity, Motion::axis_aligned, Motion::tiny,
                                    Motion::half_turn, Motion::skewed,   Motion::far,          Motion::minute,
                                    Motion::large,     Motion::vanishing};

inline const char* name(Motion motion) {
  constexpr const char* names[] = {
      "any rotation",         "identity",       "axis-aligned",        "tiny rotation",        "half turn",
      "not quite orthogonal", "1e8 sizes away", "1e-12 of the target", "1e9 times the target", "2^-200 of the target"};
  return names[static_cast<std::size_t>(motion)];
}

inline RelativePose pose_of(Motion motion, Random& random) {
  constexpr double pi = 3.14159265358979323846;
  RelativePose pose;
  Mat3 linear;
  switch (motion) {
    case Motion::identity: break;
    case Motion::axis_aligned: {
      constexpr std::array<std::array<int, 3>, 3> turns{{{0, 1, 2}, {1, 2, 0}, {2, 0, 1}}};
      const auto& turn = turns[static_cast<std::size_t>(random.integer(0, 2))];
      const double s = random.integer(0, 1) ? 1 : -1, r = random.integer(0, 1) ? 1 : -1;
      for (std::size_t i = 0; i < 3; ++i) {
        linear.rows[i] = {};
        linear.rows[i][turn[i]] = i == 0 ? s : i == 1 ? r : s * r;
      }
      break;
    }
    case Motion::tiny: linear = rotation(random, std::pow(10, random.uniform(-15, -4))); break;
    case Motion::half_turn: linear = rotation(random, pi); break;
    default: linear = rotation(random, random.uniform(-pi, pi));
  }
  if (motion == Motion::skewed) {
    for (Vec3& row : linear.rows) row += random.vector(6e-5);
  }
  pose.scale = motion == Motion::vanishing ? 0x1p-200
               : motion == Motion::minute  ? 0x1p-40
               : motion == Motion::large   ? 0x1p30
                                           : std::ldexp(1.0, random.integer(-6, 6));
  pose.departure = departure_from_orthogonality(linear);
  for (std::size_t i = 0; i < 3; ++i) pose.linear.rows[i] = linear.rows[i] * pose.scale;
  const double away = motion == Motion::far ? 1e8 : random.integer(0, 3) ? 2 : 0;
  pose.translation = random.vector(1) * (away * std::max(pose.scale, 1.0));
  pose.margin = random.integer(0, 1) ? 0 : std::pow(10, random.uniform(-12, 0));
  return pose;
}

/// One node: a cloud per lane and their bounds as rows.
struct Node {
  std::array<std::vector<Vec3>, node_lanes> points;
  std::vector<float> rows;
};

inline Node node_of(BoundKind kind, Random& random) {
  Node node;
  node.rows.resize(static_cast<std::size_t>(kind.bound == Bound::dop ? DopRows::count(kind.k) : ObbRows::count) *
                   node_lanes);
  for (std::size_t lane = 0; lane < node_lanes; ++lane) {
    std::vector<Vec3>& points = node.points[lane];
    points = random.cloud(12);
    for (Vec3& p : points)  // as triangles of leaves may: anywhere in the tree's reach
      for (int axis = 0; axis < 3; ++axis) p[axis] = std::clamp(p[axis], -1.0, 1.0);
    if (kind.bound == Bound::dop) {
      std::array<float, max_k / 2> lower, upper;
      const auto slabs = static_cast<std::size_t>(kind.k) / 2;
      fit(points, std::span(lower).first(slabs), std::span(upper).first(slabs), kind.k);
      write_lane(node.rows.data(), lane, std::span(lower).first(slabs), std::span(upper).first(slabs));
    } else {
      ObbExtents extents(rotation(random, random.integer(0, 3) ? random.uniform(-3, 3) : 0));
      for (const Vec3& p : points) extents.add(p);
      write_lane(node.rows.data(), lane, extents.finish());
    }
  }
  return node;
}

/// Nodes as a source: node i is at depth i.
inline SourceSets sets_of(const std::vector<Node>& nodes) {
  SourceSets sets;
  sets.node_count = static_cast<std::uint32_t>(nodes.size());
  sets.points = [&nodes](std::uint32_t node, int lane) { return nodes[node].points[static_cast<std::size_t>(lane)]; };
  sets.depth = [](std::uint32_t node) { return static_cast<int>(node); };
  return sets;
}

/// How far the farthest moved point, widened by the margin, lies beyond a written bound; not positive if it is held.
/// For boxes the worse of both forms (bounds/obb.h).
inline double excess(const RelativePose& pose, BoundKind target, const float* rows, std::size_t lane,
                     const std::vector<Vec3>& points) {
  double worst = -1;
  const auto at_least = [&](DoubleDouble value) { worst = std::max(worst, static_cast<double>(value)); };
  if (target.bound == Bound::dop) {
    const std::span<const Vec3> normals = directions(target.k);
    for (std::size_t i = 0; i < normals.size(); ++i) {
      const double lower = rows[DopRows::lower(i) + lane], upper = rows[DopRows::upper(i) + lane];
      if (!std::isfinite(lower) || !std::isfinite(upper)) return std::numeric_limits<double>::infinity();
      const Exact3 n = exact(normals[i]);
      const DoubleDouble margin = sqrt(dot(n, n)) * DoubleDouble(pose.margin);
      for (const Vec3& p : points) {
        const DoubleDouble along = dot(n, move(pose, p));
        at_least(along + margin - DoubleDouble(upper));
        at_least(DoubleDouble(lower) + margin - along);
      }
    }
    return worst;
  }
  std::array<Exact3, 3> axes;
  Exact3 centre;
  for (std::size_t i = 0; i < 3; ++i) {
    centre[i] = rows[ObbRows::center(i) + lane];
    for (std::size_t j = 0; j < 3; ++j) axes[i][j] = rows[ObbRows::axis(i, j) + lane];
  }
  for (std::size_t row = 0; row < ObbRows::count; ++row)
    if (!std::isfinite(rows[node_lanes * row + lane])) return std::numeric_limits<double>::infinity();
  const DoubleDouble volume = dot(axes[0], cross(axes[1], axes[2]));
  for (std::size_t i = 0; i < 3; ++i) {
    const double half = rows[ObbRows::half(i) + lane];
    const Exact3 reciprocal = cross(axes[(i + 1) % 3], axes[(i + 2) % 3]);
    for (const Vec3& p : points) {
      Exact3 from_centre = move(pose, p);
      for (std::size_t j = 0; j < 3; ++j) from_centre[j] = from_centre[j] - centre[j];
      DoubleDouble slab = dot(axes[i], from_centre), vertex = dot(reciprocal, from_centre) / volume;
      if (slab < DoubleDouble(0)) slab = -slab;
      if (vertex < DoubleDouble(0)) vertex = -vertex;
      at_least(slab + sqrt(dot(axes[i], axes[i])) * DoubleDouble(pose.margin) - DoubleDouble(half));
      at_least(vertex + sqrt(dot(reciprocal, reciprocal)) * DoubleDouble(pose.margin) / volume - DoubleDouble(half));
    }
  }
  return worst;
}

}  // namespace tumble
