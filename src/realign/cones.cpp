// SPDX-License-Identifier: Apache-2.0
// The cones of each direction set and the triple of normals around a direction.
#include "realign/cones.h"

#include "bounds/directions.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tumble {
namespace {

using Normals = std::array<Vec3, 3>;

// Each list covers 0 <= z <= y <= x. Where the cones of a list overlap (8 and 14) each of them covers it alone.
constexpr std::array<Normals, 1> cones6{Normals{Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}};
constexpr std::array<Normals, 2> cones8{Normals{Vec3{1, -1, -1}, Vec3{1, 1, 1}, Vec3{1, 1, -1}},
                                        Normals{Vec3{1, -1, 1}, Vec3{1, 1, -1}, Vec3{1, 1, 1}}};
constexpr std::array<Normals, 2> cones14{Normals{Vec3{1, 0, 0}, Vec3{1, 1, 1}, Vec3{1, 1, -1}},
                                         Normals{Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{1, 1, 1}}};
constexpr std::array<Normals, 2> cones18{Normals{Vec3{1, 0, 0}, Vec3{1, 1, 0}, Vec3{1, 0, 1}},
                                         Normals{Vec3{1, 1, 0}, Vec3{1, 0, 1}, Vec3{0, 1, 1}}};
constexpr std::array<Normals, 1> cones26{Normals{Vec3{1, 0, 0}, Vec3{1, 1, 0}, Vec3{1, 1, 1}}};
constexpr std::array<Normals, 2> cones50{Normals{Vec3{1, 0, 0}, Vec3{2, 1, 0}, Vec3{1, 1, 1}},
                                         Normals{Vec3{2, 1, 0}, Vec3{1, 1, 0}, Vec3{1, 1, 1}}};
constexpr std::array<Normals, 4> cones98{
    Normals{Vec3{1, 0, 0}, Vec3{2, 1, 0}, Vec3{2, 1, 1}}, Normals{Vec3{2, 1, 0}, Vec3{1, 1, 0}, Vec3{2, 2, 1}},
    Normals{Vec3{2, 1, 1}, Vec3{2, 2, 1}, Vec3{1, 1, 1}}, Normals{Vec3{2, 1, 0}, Vec3{2, 2, 1}, Vec3{2, 1, 1}}};
// The faces of the icosahedron that meet the octant: the one inside, and one across each of its sides.
constexpr double phi = std::numbers::phi;
constexpr std::array<Normals, 4> cones12{Normals{Vec3{phi, 0, 1}, Vec3{1, phi, 0}, Vec3{0, 1, phi}},
                                         Normals{Vec3{phi, 0, 1}, Vec3{phi, 0, -1}, Vec3{1, phi, 0}},
                                         Normals{Vec3{1, phi, 0}, Vec3{-1, phi, 0}, Vec3{0, 1, phi}},
                                         Normals{Vec3{0, 1, phi}, Vec3{0, -1, phi}, Vec3{phi, 0, 1}}};

std::span<const Normals> own_cones(int k) {
  switch (k) {
    case 6: return cones6;
    case 8: return cones8;
    case 12: return cones12;
    case 14: return cones14;
    case 18: return cones18;
    case 26: return cones26;
    case 50: return cones50;
    default: return cones98;
  }
}

/// The sets a set contains, itself first.
std::span<const int> subsets(int k) {
  static constexpr std::array of98{98, 50, 26, 18, 14, 8, 6};
  static constexpr std::array of18{18, 6};
  static constexpr std::array of14{14, 8, 6};
  static constexpr std::array of12{12};
  static constexpr std::array of8{8};
  static constexpr std::array of6{6};
  switch (k) {
    case 6: return of6;
    case 8: return of8;
    case 12: return of12;
    case 14: return of14;
    case 18: return of18;
    case 26: return std::span(of98).subspan(2);
    case 50: return std::span(of98).subspan(1);
    default: return of98;
  }
}

/// A symmetry takes a canonical direction to a given one: coordinate i of the former is coordinate order[i] of the
/// latter, with its sign.
constexpr std::array<std::array<int, 3>, 6> orders{{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}};

Vec3 apply(std::size_t order, unsigned signs, Vec3 canonical) {
  Vec3 given;
  for (std::size_t i = 0; i < 3; ++i) {
    const int axis = orders[order][i];
    given[axis] = (signs >> axis & 1) != 0 ? -canonical[static_cast<int>(i)] : canonical[static_cast<int>(i)];
  }
  return given;
}

std::int8_t slab_of(int k, Vec3 normal) {
  const std::span<const Vec3> all = directions(k);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i] == normal) return static_cast<std::int8_t>(i);
    if (all[i] == -normal) return static_cast<std::int8_t>(-1 - static_cast<int>(i));
  }
  TUMBLE_ASSERT(false);
  return 0;
}

}  // namespace

Cones::Cones(int k, Of of) : sorts_(k != 12) {
  for (const int set : of == Of::set ? subsets(k).first(1) : subsets(k))
    for (const Normals& n : own_cones(set)) {
      const double volume = dot(n[0], cross(n[1], n[2]));
      cones_.push_back({n,
                        {cross(n[1], n[2]) / volume, cross(n[2], n[0]) / volume, cross(n[0], n[1]) / volume},
                        {length(n[0]), length(n[1]), length(n[2])}});
    }
  TUMBLE_ASSERT(cones_.size() <= max_triples);
  for (std::size_t order = 0; order < (sorts_ ? orders.size() : 1); ++order)
    for (unsigned signs = 0; signs < 8; ++signs)
      for (const Cone& cone : cones_) {
        std::array<std::int8_t, 3> slabs;
        for (std::size_t i = 0; i < 3; ++i) slabs[i] = slab_of(k, apply(order, signs, cone.normals[i]));
        slabs_.push_back(slabs);
      }
}

std::span<const Triple> Cones::around(Vec3 direction, Triples& storage) const {
  const unsigned signs = unsigned{direction.x < 0} | unsigned{direction.y < 0} << 1 | unsigned{direction.z < 0} << 2;
  const Vec3 size{std::abs(direction.x), std::abs(direction.y), std::abs(direction.z)};
  std::size_t order = 0;
  if (sorts_) {
    const int first = size.x >= size.y ? (size.x >= size.z ? 0 : 2) : (size.y >= size.z ? 1 : 2);
    const int low = first == 0 ? 1 : 0, high = first == 2 ? 1 : 2;
    order = static_cast<std::size_t>(2 * first + (size[low] >= size[high] ? 0 : 1));
  }
  const std::array<int, 3>& axes = orders[order];
  const Vec3 canonical{size[axes[0]], size[axes[1]], size[axes[2]]};

  // Between neighbouring cones of a list it does not matter which; rounding must not rule out both.
  const double slack = 1e-12 * canonical[0] + 1e-12 * canonical[1] + 1e-12 * canonical[2];
  const std::size_t base = (order * 8 + signs) * cones_.size();
  std::size_t count = 0;
  for (std::size_t c = 0; c < cones_.size(); ++c) {
    const Cone& cone = cones_[c];
    Triple triple;
    bool inside = true;
    for (std::size_t i = 0; i < 3; ++i) {
      const double weight = dot(cone.weigh[i], canonical);
      inside &= weight >= -slack;
      triple.weights[i] = std::max(weight, 0.0);
      triple.cost += triple.weights[i] * cone.lengths[i];
      const int slab = slabs_[base + c][i];
      triple.flipped[i] = slab < 0;
      triple.slabs[i] = static_cast<std::uint8_t>(slab < 0 ? -1 - slab : slab);
    }
    if (!inside) continue;
    std::size_t at = count++;
    for (; at > 0 && storage[at - 1].cost > triple.cost; --at) storage[at] = storage[at - 1];
    storage[at] = triple;
  }
  TUMBLE_ASSERT(count > 0);
  return std::span(storage).first(count);
}

}  // namespace tumble
