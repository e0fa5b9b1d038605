// SPDX-License-Identifier: Apache-2.0
// The deepest point, then again and again the one farthest from the hull of those chosen.
#include <tumble/manifold.h>

#include "core/plain_arithmetic.h"
#include "geometry/distance.h"

#include <algorithm>
#include <cmath>

namespace tumble {
namespace {

/// The hull of up to three points as a triangle.
Corners hull_of(const Manifold& m) {
  const auto point = [&](std::size_t i) { return m.points[std::min<std::size_t>(i, m.count - 1u)].point; };
  return {point(0), point(1), point(2)};
}

/// The best candidate so far: the greatest value, then the least point, then the deepest contact.
struct Best {
  ManifoldPoint point{};
  double value = -1;

  void offer(const ManifoldPoint& other, double its_value) {
    if (its_value < value) return;
    if (its_value == value) {
      if (lexicographic_less(point.point, other.point)) return;
      if (point.point == other.point && !(other.depth > point.depth)) return;
    }
    point = other;
    value = its_value;
  }
};

template <class Value>
Best best_of(std::span<const Contact> contacts, const Value& value) {
  Best best;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const Contact& contact = contacts[i];
    if (std::isnan(contact.depth)) continue;
    for (const Vec3& vertex : contact.outline()) {
      const ManifoldPoint candidate{vertex, contact.normal, contact.depth, static_cast<std::uint32_t>(i)};
      best.offer(candidate, value(candidate));
    }
  }
  return best;
}

}  // namespace

Manifold manifold(std::span<const Contact> contacts) {
  const PlainArithmetic plain;
  Manifold chosen;
  const Best deepest = best_of(contacts, [](const ManifoldPoint& p) { return p.depth; });
  if (deepest.value < 0) return chosen;
  chosen.points[chosen.count++] = deepest.point;
  double rounding = 0;  // squared
  while (chosen.count < chosen.points.size()) {
    const Corners hull = hull_of(chosen);
    const Best farthest =
        best_of(contacts, [&](const ManifoldPoint& p) { return point_distance(p.point, hull).distance_sq; });
    if (chosen.count == 1) rounding = 1e-24 * farthest.value;
    if (!(farthest.value > rounding)) break;
    chosen.points[chosen.count++] = farthest.point;
  }
  return chosen;
}

}  // namespace tumble
