// SPDX-License-Identifier: Apache-2.0
// Welding by sorting hashes of positions.
#include "mesh/weld.h"

#include <algorithm>
#include <bit>
#include <tuple>

namespace tumble {
namespace {

// Multiply and fold (the finalizer of MurmurHash3, Appleby 2011): neighbouring coordinates differ in few bits.
std::uint64_t mix(std::uint64_t h) {
  h = (h ^ (h >> 33)) * 0xff51afd7ed558ccdULL;
  h = (h ^ (h >> 33)) * 0xc4ceb9fe1a85ec53ULL;
  return h ^ (h >> 33);
}

std::uint64_t hash(Vec3 p) {
  std::uint64_t h = 0;
  for (int axis = 0; axis < 3; ++axis) h = mix(h + std::bit_cast<std::uint64_t>(p[axis] + 0.0));  // −0 + 0 is 0
  return h;
}

}  // namespace

Weld weld(std::span<const Vec3> vertices) {
  struct Key {
    std::uint64_t hash;
    std::uint32_t vertex;
  };
  std::vector<Key> keys(vertices.size());
  for (std::size_t v = 0; v < keys.size(); ++v) keys[v] = {hash(vertices[v]), std::uint32_t(v)};

  // The position decides between equal hashes: equal positions end up side by side even if hashes collide, the
  // first vertex first.
  const auto position = [&vertices](const Key& key) {
    const Vec3& p = vertices[key.vertex];
    return std::tie(p.x, p.y, p.z);
  };
  std::ranges::sort(keys, [&](const Key& left, const Key& right) {
    if (left.hash != right.hash) return left.hash < right.hash;
    return position(left) != position(right) ? position(left) < position(right) : left.vertex < right.vertex;
  });

  Weld result;
  std::vector<std::uint32_t>& point = result.point_of_vertex;
  point.resize(vertices.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const bool as_before = i > 0 && keys[i].hash == keys[i - 1].hash && position(keys[i]) == position(keys[i - 1]);
    point[keys[i].vertex] = as_before ? point[keys[i - 1].vertex] : keys[i].vertex;
  }
  // Until here a point is its first vertex; numbered in that order, points that are close in the file stay close.
  for (std::uint32_t v = 0; v < point.size(); ++v) {
    if (point[v] == v) {
      result.vertex_of_point.push_back(v);
      point[v] = std::uint32_t(result.vertex_of_point.size() - 1);
    } else {
      point[v] = point[point[v]];
    }
  }
  return result;
}

}  // namespace tumble
