// SPDX-License-Identifier: Apache-2.0
// The first look at a pair of triangles, in rounded arithmetic with proven bounds: it settles nearly every pair that
// is not touching, and never guesses. Both triangles need the same tests, so each gets a lane.
#pragma once

#include "geometry/filter_bounds.h"
#include "geometry/triangle.h"
#include "simd/double2.h"
#include "simd/vec3s-inl.h"

#include <array>
#include <cstdint>

namespace tumble {

enum class FirstLook : std::uint8_t { apart, cross, unsure };

namespace pair_filter {

using Vec3x2 = HWY_NAMESPACE::Vec3s<Double2>;

[[gnu::always_inline]] inline Vec3x2 both(const Vec3& first, const Vec3& second) {
  return {{first.x, second.x}, {first.y, second.y}, {first.z, second.z}};
}
[[gnu::always_inline]] inline Vec3x2 swapped(const Vec3x2& a) { return {swapped(a.x), swapped(a.y), swapped(a.z)}; }

/// A bound on the error of det(u, v, w) for differences u, v, w no larger than `largest`.
[[gnu::always_inline]] inline Double2 error_bound(const Vec3x2& largest) {
  return Double2(filter_bounds::det3::relative_to_largest) * ((largest.x * largest.y) * largest.z) +
         Double2(filter_bounds::det3::underflow);
}

/// Indexed by three bits, set for corners below a plane; not all corners are on one side. The corner that is alone, the
/// two others in order, and whether it is the one below.
struct Alone {
  std::uint8_t p, q, r, below;
};
inline constexpr std::array<Alone, 8> alone{
    {{0, 1, 2, 0}, {0, 1, 2, 1}, {1, 2, 0, 1}, {2, 0, 1, 0}, {2, 0, 1, 1}, {1, 2, 0, 0}, {0, 1, 2, 0}, {0, 1, 2, 0}}};

}  // namespace pair_filter

/// apart and cross are certain; every other case, and every doubt, is unsure.
[[gnu::always_inline]] inline FirstLook first_look(const Corners& a, const Corners& b) {
  using namespace pair_filter;
  // First lane: b's corners over a's plane. Second lane: a's over b's.
  const Vec3x2 own0 = both(a[0], b[0]), own1 = both(a[1], b[1]), own2 = both(a[2], b[2]);
  const Vec3x2 u = own1 - own0, v = own2 - own0, normal = cross(u, v);
  const Vec3x2 w0 = swapped(own0) - own0, w1 = swapped(own1) - own0, w2 = swapped(own2) - own0;
  const Double2 h0 = dot(normal, w0), h1 = dot(normal, w1), h2 = dot(normal, w2);
  const Double2 bound = error_bound(max(max(max(abs(u), abs(v)), max(abs(w0), abs(w1))), abs(w2)));
  // Compares minima, not corners one by one: the branch predictor cannot guess which corner is where.
  const Double2 one_side = max(min(min(h0, h1), h2), negate(max(max(h0, h1), h2)));
  if (greater(one_side, bound) != 0) return FirstLook::apart;
  if (greater(min(min(abs(h0), abs(h1)), abs(h2)), bound) != 3) [[unlikely]]
    return FirstLook::unsure;

  // Each triangle has corners strictly on both sides of the other's plane: the order of four points on the common
  // line decides (see Straddle).
  const unsigned s0 = sign_bits(h0), s1 = sign_bits(h1), s2 = sign_bits(h2);
  const Alone& pb = alone[(s0 & 1) | (s1 & 1) << 1 | (s2 & 1) << 2];
  const Alone& pa = alone[(s0 >> 1) | (s1 >> 1) << 1 | (s2 >> 1) << 2];
  const std::uint8_t a_ends[2] = {pa.q, pa.r}, b_ends[2] = {pb.q, pb.r};
  const Vec3 &a_q = a[a_ends[pb.below]], &a_r = a[a_ends[1 - pb.below]];
  const Vec3 &b_q = b[b_ends[pa.below]], &b_r = b[b_ends[1 - pa.below]];
  const Vec3x2 origin = both(a[pa.p], a[pa.p]);
  const Vec3x2 along = both(a_q, a_r) - origin, across = both(b[pb.p], b[pb.p]) - origin;
  const Vec3x2 end = both(b_q, b_r) - origin;
  const Double2 order = dot(cross(along, across), end);
  const Double2 order_bound = error_bound(max(max(abs(along), abs(across)), abs(end)));
  if (greater(abs(order), order_bound) != 3) [[unlikely]]
    return FirstLook::unsure;
  return sign_bits(order) == 1 ? FirstLook::cross : FirstLook::apart;
}

}  // namespace tumble
