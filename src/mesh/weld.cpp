// SPDX-License-Identifier: Apache-2.0
// Welding by sorting hashes of positions.
#include "mesh/weld.h"

#include <algorithm>
#include <bit>
#include <tuple>

namespace tumble {
namespace {

// Neighbouring coordinates differ in few bits, so they are mixed by MurmurHash3's finalizer (Appleby 2011).
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

  // The position decides between equal hashes, then the vertex. So equal positions are adjacent even if hashes collide,
  // and the first vertex comes first.
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
  // So far a point is named by its first vertex. Numbering points in that order keeps neighbours in the file close.
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
