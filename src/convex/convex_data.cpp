// SPDX-License-Identifier: Apache-2.0
// The graph of a hull, and the grid of directions that replaces a hierarchy: one look leads next to the farthest
// vertex.
#include "convex/convex_data.h"

#include "core/assert.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>

namespace tumble {
namespace {

std::uint64_t key(std::uint32_t from, std::uint32_t to) { return std::uint64_t{from} << 32 | to; }

/// About one cell for two vertices; more did not shorten climbs.
std::uint32_t grid_side(std::size_t vertices) {
  return static_cast<std::uint32_t>(std::clamp(std::sqrt(static_cast<double>(vertices) / 12), 2.0, 128.0));
}

}  // namespace

ConvexData::ConvexData(ConvexHull of) : hull(std::move(of)) {
  TUMBLE_ASSERT(!hull.triangles.empty());
  std::unordered_map<std::uint64_t, HalfEdge> half_edges;
  half_edges.reserve(3 * hull.triangles.size());
  const auto count = static_cast<HalfEdge>(3 * hull.triangles.size());
  for (HalfEdge h = 0; h < count; ++h) half_edges[key(from(h), to(h))] = h;
  TUMBLE_ASSERT(half_edges.size() == count);
  twin.resize(count);
  for (HalfEdge h = 0; h < count; ++h) twin[h] = half_edges.at(key(to(h), from(h)));
  outgoing.reserve(hull.neighbors.size());
  Vec3 lower = hull.vertices[0], upper = lower;
  for (std::uint32_t v = 0; v < hull.vertices.size(); ++v) {
    for (const std::uint32_t w : hull.neighbors_of(v)) outgoing.push_back(half_edges.at(key(v, w)));
    const Vec3& p = hull.vertices[v];
    for (int axis = 0; axis < 3; ++axis) {
      lower[axis] = std::min(lower[axis], p[axis]);
      upper[axis] = std::max(upper[axis], p[axis]);
    }
    reach = std::max(reach, std::abs(p.x) + std::abs(p.y) + std::abs(p.z));
  }
  const Vec3 extent = upper - lower;
  middle = (lower + upper) * 0.5;
  size = std::max({extent.x, extent.y, extent.z});

  side_ = grid_side(hull.vertices.size());
  starts_.resize(std::size_t{6} * side_ * side_);
  std::uint32_t last = 0;
  for (int axis = 0; axis < 3; ++axis)
    for (const double sign : {1.0, -1.0})
      for (std::uint32_t i = 0; i < side_; ++i)
        for (std::uint32_t j = 0; j < side_; ++j) {
          Vec3 direction;
          direction[axis] = sign;
          direction[(axis + 1) % 3] = (2 * i + 1.0) / side_ - 1;
          direction[(axis + 2) % 3] = (2 * j + 1.0) / side_ - 1;
          starts_[cell(direction)] = last = hull.farthest(direction, last);
        }
}

std::size_t ConvexData::cell(Vec3 direction) const {
  const double x = std::abs(direction.x), y = std::abs(direction.y), z = std::abs(direction.z);
  const int axis = x >= y ? (x >= z ? 0 : 2) : (y >= z ? 1 : 2);
  const double along = std::abs(direction[axis]);
  if (!(along > 0)) return 0;
  const auto index = [&](double across) {
    return std::min(static_cast<std::uint32_t>((across / along + 1) * 0.5 * side_), side_ - 1);
  };
  const std::size_t face = static_cast<std::size_t>(2 * axis) + (direction[axis] < 0 ? 1 : 0);
  return (face * side_ + index(direction[axis == 2 ? 0 : axis + 1])) * side_ +
         index(direction[axis == 0 ? 2 : axis - 1]);
}

std::size_t ConvexData::bytes() const {
  const auto of = [](const auto& v) { return v.capacity() * sizeof(v[0]); };
  return sizeof(ConvexData) + of(hull.vertices) + of(hull.triangles) + of(hull.neighbor_begin) + of(hull.neighbors) +
         of(twin) + of(outgoing) + of(starts_);
}

std::uint32_t ConvexData::start(Vec3 direction) const { return starts_[cell(direction)]; }

}  // namespace tumble
