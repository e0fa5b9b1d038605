// SPDX-License-Identifier: Apache-2.0
// Fits: plates, a shaft in its bore and a lid in its groove, with an exact clearance between their facets.
#include "scenes/placings.h"
#include "scenes/plate.h"
#include "scenes/shapes.h"
#include "scenes/trigonometry.h"

#include <algorithm>
#include <cmath>

namespace tumble::scenes {
namespace {

/// A corner of a profile: distance from the axis z, and height.
struct Corner {
  double radius, z;
};

/// A closed profile turned about z, in steps along it of at most `step`; counter-clockwise with the radius to the right
/// and z up, so that fronts look outward. The first vertex of each ring is at `phase` steps around.
Mesh revolved(const std::vector<Corner>& profile, double step, std::size_t sides, double phase = 0) {
  std::vector<Ring> rings;
  for (std::size_t i = 0; i < profile.size(); ++i) {
    const Corner from = profile[i], to = profile[(i + 1) % profile.size()];
    const double span = std::max(std::abs(to.radius - from.radius), std::abs(to.z - from.z));
    const auto cuts = static_cast<std::size_t>(std::ceil(span / step));
    for (std::size_t k = 0; k < cuts; ++k) {
      const double share = static_cast<double>(k) / static_cast<double>(cuts);
      const double radius = from.radius + (to.radius - from.radius) * share, z = from.z + (to.z - from.z) * share;
      Ring ring;
      for (std::size_t j = 0; j < sides; ++j) {
        const auto [s, c] = sin_cos((static_cast<double>(j) + phase) / static_cast<double>(sides));
        ring.push_back({radius * c, radius * s, z});
      }
      rings.push_back(std::move(ring));
    }
  }
  return weave_around(rings);
}

/// How much farther from the axis a corner of a regular polygon is than the middle of its side.
double reach_of_corners(std::size_t sides) { return 1 / cosine(0.5 / static_cast<double>(sides)); }

}  // namespace

Placing facing_plates(double clearance, std::size_t cells) {
  const auto [s, c] = sin_cos(0.0137 / 2);  // half the turn, as quaternions have it
  return turned_oddly({plate(cells, -0.1, 0), plate(cells, 0, 0.1),
                       Pose::from_quaternion(c, 0, 0, s, {0, 0, clearance}),
                       Pose::from_quaternion(c, 0, 0, s, {1e-3, 0, clearance})});
}

Placing shaft_in_bore(double clearance, std::size_t sides) {
  constexpr double radius = 0.25, step = 0.04;
  const double inner = (radius + clearance) * reach_of_corners(sides);
  Mesh bore = revolved({{inner, -0.4}, {0.5, -0.4}, {0.5, 0.4}, {inner, 0.4}}, step, sides, 0.5);
  Mesh shaft = placed(cylinder(radius, 1.2, sides, 31), Frame{{0, 0, -0.6}});
  return turned_oddly({std::move(bore), std::move(shaft), {}, Pose::from_translation({0, 0, 1e-3})});
}

Placing lid_in_groove(double clearance, std::size_t sides) {
  constexpr double step = 0.02;
  const double play = clearance * reach_of_corners(sides);  // at the corners; `clearance` between the facets
  const double bottom = -0.15 + clearance, from = 0.3 + play, to = 0.4 - play;
  Mesh base = revolved({{0.2, -0.2}, {0.5, -0.2}, {0.5, 0}, {0.4, 0}, {0.4, -0.15}, {0.3, -0.15}, {0.3, 0}, {0.2, 0}},
                       step, sides);
  Mesh lid = revolved(
      {{0.2, 0.02}, {from, 0.02}, {from, bottom}, {to, bottom}, {to, 0.02}, {0.5, 0.02}, {0.5, 0.1}, {0.2, 0.1}}, step,
      sides);
  return turned_oddly({std::move(base), std::move(lid), {}, Pose::from_translation({0, 0, 1e-3})});
}

}  // namespace tumble::scenes
