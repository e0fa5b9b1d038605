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

// Each list covers 0 <= z <= y <= x: the sum over a cone is the closed form by sorted components. Cones of normals that
// are close together bound round sets best.
constexpr std::array<Normals, 1> own6{Normals{Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}};
constexpr std::array<Normals, 1> own8{Normals{Vec3{1, -1, -1}, Vec3{1, 1, 1}, Vec3{1, 1, -1}}};
constexpr std::array<Normals, 1> own14{Normals{Vec3{1, 0, 0}, Vec3{1, 1, 1}, Vec3{1, 1, -1}}};
constexpr std::array<Normals, 2> own18{Normals{Vec3{1, 0, 0}, Vec3{1, 1, 0}, Vec3{1, 0, 1}},
                                       Normals{Vec3{1, 1, 0}, Vec3{1, 0, 1}, Vec3{0, 1, 1}}};
constexpr std::array<Normals, 1> own26{Normals{Vec3{1, 0, 0}, Vec3{1, 1, 0}, Vec3{1, 1, 1}}};
constexpr std::array<Normals, 2> own50{Normals{Vec3{1, 0, 0}, Vec3{2, 1, 0}, Vec3{1, 1, 1}},
                                       Normals{Vec3{2, 1, 0}, Vec3{1, 1, 0}, Vec3{1, 1, 1}}};
constexpr std::array<Normals, 4> own98{
    Normals{Vec3{1, 0, 0}, Vec3{2, 1, 0}, Vec3{2, 1, 1}}, Normals{Vec3{2, 1, 0}, Vec3{1, 1, 0}, Vec3{2, 2, 1}},
    Normals{Vec3{2, 1, 1}, Vec3{2, 2, 1}, Vec3{1, 1, 1}}, Normals{Vec3{2, 1, 0}, Vec3{2, 2, 1}, Vec3{2, 1, 1}}};
// The faces of the icosahedron that meet the octant: the one inside, and one across each of its sides.
constexpr double phi = std::numbers::phi;
constexpr std::array<Normals, 4> own12{Normals{Vec3{phi, 0, 1}, Vec3{1, phi, 0}, Vec3{0, 1, phi}},
                                       Normals{Vec3{phi, 0, 1}, Vec3{phi, 0, -1}, Vec3{1, phi, 0}},
                                       Normals{Vec3{1, phi, 0}, Vec3{-1, phi, 0}, Vec3{0, 1, phi}},
                                       Normals{Vec3{0, 1, phi}, Vec3{0, -1, phi}, Vec3{phi, 0, 1}}};

// Further cones, which overlap those above. A cone that holds another normal of the set never bounds a fitted DOP
// better than the parts that normal cuts it into, because its offset is at most the sum of the three. Up to k = 26
// these are all cones that hold none, so the smallest sum is the exact support. For 50 and 98 they are a greedy choice
// of those that tighten the bounds of random nodes most.
constexpr std::array<Normals, 1> more8{Normals{Vec3{1, -1, 1}, Vec3{1, 1, -1}, Vec3{1, 1, 1}}};
constexpr std::array<Normals, 15> more12{Normals{Vec3{phi, 0, 1}, Vec3{1, phi, 0}, Vec3{1, -phi, 0}},
                                         Normals{Vec3{1, phi, 0}, Vec3{0, 1, phi}, Vec3{0, 1, -phi}},
                                         Normals{Vec3{0, 1, phi}, Vec3{phi, 0, 1}, Vec3{-phi, 0, 1}},
                                         Normals{Vec3{1, phi, 0}, Vec3{0, 1, phi}, Vec3{0, -1, phi}},
                                         Normals{Vec3{0, 1, phi}, Vec3{phi, 0, 1}, Vec3{phi, 0, -1}},
                                         Normals{Vec3{phi, 0, 1}, Vec3{1, phi, 0}, Vec3{-1, phi, 0}},
                                         Normals{Vec3{1, phi, 0}, Vec3{0, 1, phi}, Vec3{phi, 0, -1}},
                                         Normals{Vec3{0, 1, phi}, Vec3{phi, 0, 1}, Vec3{-1, phi, 0}},
                                         Normals{Vec3{phi, 0, 1}, Vec3{1, phi, 0}, Vec3{0, -1, phi}},
                                         Normals{Vec3{phi, 0, 1}, Vec3{0, 1, phi}, Vec3{1, -phi, 0}},
                                         Normals{Vec3{1, phi, 0}, Vec3{phi, 0, 1}, Vec3{0, 1, -phi}},
                                         Normals{Vec3{0, 1, phi}, Vec3{1, phi, 0}, Vec3{-phi, 0, 1}},
                                         Normals{Vec3{phi, 0, 1}, Vec3{phi, 0, -1}, Vec3{0, 1, -phi}},
                                         Normals{Vec3{1, phi, 0}, Vec3{-1, phi, 0}, Vec3{-phi, 0, 1}},
                                         Normals{Vec3{0, 1, phi}, Vec3{0, -1, phi}, Vec3{1, -phi, 0}}};
constexpr std::array<Normals, 1> more14{Normals{Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{1, 1, 1}}};
constexpr std::array<Normals, 3> more18{Normals{Vec3{1, 0, 0}, Vec3{1, 1, 0}, Vec3{0, 1, 1}},
                                        Normals{Vec3{0, 1, 0}, Vec3{1, 1, 0}, Vec3{1, 0, 1}},
                                        Normals{Vec3{0, 0, 1}, Vec3{1, 1, 0}, Vec3{1, 0, 1}}};
constexpr std::array<Normals, 8> more26{
    Normals{Vec3{1, 0, 0}, Vec3{1, 1, 0}, Vec3{1, 0, 1}},  Normals{Vec3{1, 1, 0}, Vec3{1, 0, 1}, Vec3{1, 1, 1}},
    Normals{Vec3{1, 0, 0}, Vec3{1, 0, -1}, Vec3{1, 1, 1}}, Normals{Vec3{1, 1, 0}, Vec3{1, 0, -1}, Vec3{1, 1, 1}},
    Normals{Vec3{1, 0, 0}, Vec3{1, 0, 1}, Vec3{1, 1, -1}}, Normals{Vec3{1, 1, 0}, Vec3{1, 0, 1}, Vec3{1, 1, -1}},
    Normals{Vec3{1, 0, 0}, Vec3{1, 1, 0}, Vec3{1, -1, 1}}, Normals{Vec3{1, 1, 0}, Vec3{1, 0, 1}, Vec3{1, -1, 1}}};
constexpr std::array<Normals, 12> more50{
    Normals{Vec3{1, 0, 0}, Vec3{2, 1, 0}, Vec3{2, 0, 1}}, Normals{Vec3{0, 1, 0}, Vec3{2, 1, 0}, Vec3{2, 0, 1}},
    Normals{Vec3{1, 1, 1}, Vec3{2, 1, 0}, Vec3{2, 0, 1}}, Normals{Vec3{1, 0, 0}, Vec3{1, 1, 0}, Vec3{0, 2, 1}},
    Normals{Vec3{1, 0, 0}, Vec3{1, 1, 1}, Vec3{0, 2, 1}}, Normals{Vec3{1, 1, 0}, Vec3{1, 1, 1}, Vec3{2, 0, 1}},
    Normals{Vec3{1, 1, 1}, Vec3{2, 1, 0}, Vec3{1, 0, 2}}, Normals{Vec3{1, 1, 0}, Vec3{2, 1, 0}, Vec3{2, 0, 1}},
    Normals{Vec3{1, 1, 1}, Vec3{2, 0, 1}, Vec3{1, 2, 0}}, Normals{Vec3{0, 0, 1}, Vec3{1, 1, 1}, Vec3{2, 1, 0}},
    Normals{Vec3{0, 0, 1}, Vec3{2, 1, 0}, Vec3{2, 0, 1}}, Normals{Vec3{1, 1, 0}, Vec3{1, 0, 1}, Vec3{1, 2, 0}}};
constexpr std::array<Normals, 12> more98{
    Normals{Vec3{1, 0, 0}, Vec3{2, 1, 0}, Vec3{2, 2, 1}},   Normals{Vec3{1, 0, 0}, Vec3{2, 1, 1}, Vec3{2, 2, 1}},
    Normals{Vec3{1, 0, 0}, Vec3{2, 1, 0}, Vec3{2, 0, 1}},   Normals{Vec3{1, 1, 0}, Vec3{2, 1, 0}, Vec3{2, 0, 1}},
    Normals{Vec3{1, 1, 0}, Vec3{2, 0, 1}, Vec3{2, 2, 1}},   Normals{Vec3{1, 0, 0}, Vec3{2, -1, -2}, Vec3{1, 2, 2}},
    Normals{Vec3{1, 0, 0}, Vec3{1, 1, 0}, Vec3{2, -2, 1}},  Normals{Vec3{1, 0, 1}, Vec3{2, 1, 0}, Vec3{2, 1, -2}},
    Normals{Vec3{1, 0, 0}, Vec3{1, 0, -1}, Vec3{2, 1, 1}},  Normals{Vec3{1, 1, 1}, Vec3{2, 1, 0}, Vec3{2, 1, 1}},
    Normals{Vec3{1, 1, 0}, Vec3{2, -1, 1}, Vec3{2, 2, -1}}, Normals{Vec3{1, 0, 0}, Vec3{1, 0, 1}, Vec3{2, 1, -2}}};

std::span<const Normals> own_cones(int k) {
  switch (k) {
    case 6: return own6;
    case 8: return own8;
    case 12: return own12;
    case 14: return own14;
    case 18: return own18;
    case 26: return own26;
    case 50: return own50;
    default: return own98;
  }
}

std::span<const Normals> more_cones(int k) {
  switch (k) {
    case 6: return {};
    case 8: return more8;
    case 12: return more12;
    case 14: return more14;
    case 18: return more18;
    case 26: return more26;
    case 50: return more50;
    default: return more98;
  }
}

/// A symmetry takes a canonical direction to a given one: its coordinate i becomes coordinate order[i] of the given
/// one, with the sign of that.
constexpr std::array<std::array<std::uint8_t, 3>, 6> orders{
    {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}};

Vec3 apply(std::size_t order, unsigned signs, Vec3 canonical) {
  Vec3 given;
  for (std::size_t i = 0; i < 3; ++i) {
    const int axis = orders[order][i];
    given[axis] = (signs >> axis & 1) != 0 ? -canonical[static_cast<int>(i)] : canonical[static_cast<int>(i)];
  }
  return given;
}

std::int16_t slab_of(int k, Vec3 normal) {
  const std::span<const Vec3> all = directions(k);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i] == normal) return static_cast<std::int16_t>(i);
    if (all[i] == -normal) return static_cast<std::int16_t>(-1 - static_cast<int>(i));
  }
  TUMBLE_ASSERT(false);
  return 0;
}

}  // namespace

Cones::Cones(int k, Which which) : sorts_(k != 12) {
  for (const std::span<const Normals> list :
       {own_cones(k), which == Which::all ? more_cones(k) : std::span<const Normals>()})
    for (const Normals& n : list) {
      const double volume = dot(n[0], cross(n[1], n[2]));
      cones_.push_back({n,
                        {cross(n[1], n[2]) / volume, cross(n[2], n[0]) / volume, cross(n[0], n[1]) / volume},
                        {length(n[0]), length(n[1]), length(n[2])}});
    }
  TUMBLE_ASSERT(cones_.size() <= max_triples);
  for (std::size_t order = 0; order < (sorts_ ? orders.size() : 1); ++order)
    for (unsigned signs = 0; signs < 8; ++signs)
      for (const Cone& cone : cones_) {
        std::array<std::int16_t, 3> slabs;
        for (std::size_t i = 0; i < 3; ++i) slabs[i] = slab_of(k, apply(order, signs, cone.normals[i]));
        slabs_.push_back(slabs);
      }
}

const Cones& Cones::of(int k) {
  return with_k(k, [](auto listed) -> const Cones& {
    static const Cones cones(listed(), Which::own);
    return cones;
  });
}

std::span<const Triple> Cones::around(Vec3 direction, Triples& storage) const {
  const std::array<double, 3> size{std::abs(direction.x), std::abs(direction.y), std::abs(direction.z)};
  const std::size_t sorted =
      std::size_t{size[0] >= size[1]} | std::size_t{size[1] >= size[2]} << 1 | std::size_t{size[0] >= size[2]} << 2;
  const std::size_t signs =
      std::size_t{direction.x < 0} | std::size_t{direction.y < 0} << 1 | std::size_t{direction.z < 0} << 2;
  const std::size_t base = place(sorted, signs);
  const std::array<std::uint8_t, 3>& axes = orders[order(sorted)];
  const Vec3 canonical{size[axes[0]], size[axes[1]], size[axes[2]]};
  // Of two neighbouring cones either will do, but rounding must not reject both.
  const double slack = 1e-12 * (canonical.x + canonical.y + canonical.z);
  std::size_t count = 0;
  for (std::size_t c = 0; c < cones_.size(); ++c) {
    const Cone& cone = cones_[c];
    const std::array<double, 3> weights{dot(cone.weigh[0], canonical), dot(cone.weigh[1], canonical),
                                        dot(cone.weigh[2], canonical)};
    if (std::min({weights[0], weights[1], weights[2]}) < -slack) continue;
    Triple triple;
    triple.cost = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      triple.weights[i] = std::max(weights[i], 0.0);
      triple.cost += triple.weights[i] * cone.lengths[i];
      const int slab = slabs_[base + c][i];
      triple.flipped[i] = slab < 0;
      triple.slabs[i] = static_cast<std::uint8_t>(slab < 0 ? -1 - slab : slab);
    }
    std::size_t at = count++;
    for (; at > 0 && storage[at - 1].cost > triple.cost; --at) storage[at] = storage[at - 1];
    storage[at] = triple;
  }
  TUMBLE_ASSERT(count > 0);
  return std::span(storage).first(count);
}

}  // namespace tumble
