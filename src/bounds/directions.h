// SPDX-License-Identifier: Apache-2.0
// The slab directions of every k-DOP: the one table that projection, overlap, volume and drawing derive from.
#pragma once

#include "core/assert.h"

#include <tumble/vec.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <numbers>
#include <span>
#include <type_traits>

namespace tumble {

/// The closed list of k: the number of half-spaces, two per direction.
inline constexpr std::array listed_k{6, 8, 12, 14, 18, 26, 50, 98};
inline constexpr int max_k = listed_k.back();

constexpr bool is_listed(int k) { return std::find(listed_k.begin(), listed_k.end(), k) != listed_k.end(); }

namespace detail {

/// Every primitive direction with coordinates in {0, ±1, ±2}, one of each ± pair (the first coordinate that is not
/// zero is positive): 3 of type 001, 6 of 011, 4 of 111, 12 of 012, 12 of 112 and 12 of 122. In this order each
/// integer set except 8 and 14 is a prefix, and tests separate volumes soonest: types whose directions are farther from
/// those before come first, because their slabs add more information.
consteval std::array<Vec3, 49> integer_directions() {
  constexpr std::array<std::array<int, 3>, 6> types{{{0, 0, 1}, {0, 1, 1}, {1, 1, 1}, {0, 1, 2}, {1, 1, 2}, {1, 2, 2}}};
  std::array<Vec3, 49> directions;
  std::size_t count = 0;
  for (const auto& type : types)
    for (int x = 2; x >= 0; --x)
      for (int y = 2; y >= -2; --y)
        for (int z = 2; z >= -2; --z) {
          std::array<int, 3> sizes{x, y < 0 ? -y : y, z < 0 ? -z : z};
          std::sort(sizes.begin(), sizes.end());
          const bool is_first_of_pair = x > 0 || (x == 0 && (y > 0 || (y == 0 && z > 0)));
          if (is_first_of_pair && sizes == type)
            directions[count++] = {static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)};
        }
  return directions;
}

template <int K>
consteval std::array<Vec3, K / 2> make_slab_directions() {
  constexpr std::array<Vec3, 49> all = integer_directions();
  std::array<Vec3, K / 2> directions;
  if constexpr (K == 8) {
    std::copy_n(all.begin() + 9, 4, directions.begin());
  } else if constexpr (K == 12) {  // the faces of a dodecahedron
    constexpr double phi = std::numbers::phi;
    directions = {Vec3{phi, 0, 1},  Vec3{1, phi, 0},  Vec3{0, 1, phi},
                  Vec3{phi, 0, -1}, Vec3{1, -phi, 0}, Vec3{0, 1, -phi}};
  } else if constexpr (K == 14) {
    std::copy_n(all.begin(), 3, directions.begin());
    std::copy_n(all.begin() + 9, 4, directions.begin() + 3);
  } else {
    std::copy_n(all.begin(), K / 2, directions.begin());
  }
  return directions;
}

/// Newton's iteration from above, until it stops falling: within one unit in the last place of the root.
consteval double square_root(double square) {
  double root = square < 1 ? 1 : square;
  for (double next = root;; root = next) {
    next = 0.5 * (root + square / root);
    if (next >= root) return root;
  }
}

template <int K>
consteval std::array<double, K / 2> make_normal_lengths() {
  std::array<double, K / 2> lengths{};
  for (std::size_t i = 0; i < lengths.size(); ++i) lengths[i] = square_root(length_sq(make_slab_directions<K>()[i]));
  return lengths;
}

template <int K>
consteval std::array<float, K / 2> make_inverse_lengths() {
  std::array<float, K / 2> inverse{};
  for (std::size_t i = 0; i < inverse.size(); ++i)
    inverse[i] = static_cast<float>(1 / make_normal_lengths<K>()[i]) * (1 - 0x1p-22f);
  return inverse;
}

}  // namespace detail

/// The normals of the K/2 slabs, not normalised: integers, except for K = 12 (the golden ratio as a double; these
/// doubles are the normals, exactly). If the coordinate axes belong to the set, they come first.
template <int K>
requires(is_listed(K)) inline constexpr std::array<Vec3, K / 2> slab_directions = detail::make_slab_directions<K>();

/// Their Euclidean lengths, within one unit in the last place. Offsets, gaps and widths along a normal are lengths
/// only after division by these.
template <int K>
requires(is_listed(K)) inline constexpr std::array<double, K / 2> normal_lengths = detail::make_normal_lengths<K>();

/// One over each length, rounded down. Gaps along normals times these are distances, or a little less.
template <int K>
requires(is_listed(K)) inline constexpr std::array<float, K / 2> inverse_normal_lengths =
    detail::make_inverse_lengths<K>();

/// Whether slabs 0, 1 and 2 are those of the x, y and z axis.
constexpr bool has_axes(int k) { return k != 8 && k != 12; }

/// Calls `use` with std::integral_constant<int, K> for a listed k; the one bridge from run-time k to templates.
template <class Use>
constexpr decltype(auto) with_k(int k, Use&& use) {
  TUMBLE_ASSERT(is_listed(k));
  switch (k) {
    case 6: return use(std::integral_constant<int, 6>{});
    case 8: return use(std::integral_constant<int, 8>{});
    case 12: return use(std::integral_constant<int, 12>{});
    case 14: return use(std::integral_constant<int, 14>{});
    case 18: return use(std::integral_constant<int, 18>{});
    case 26: return use(std::integral_constant<int, 26>{});
    case 50: return use(std::integral_constant<int, 50>{});
    default: return use(std::integral_constant<int, 98>{});
  }
}

/// The same tables for k known at run time; `k` must be listed.
std::span<const Vec3> directions(int k);
std::span<const double> direction_lengths(int k);
std::span<const float> inverse_direction_lengths(int k);

}  // namespace tumble
