// SPDX-License-Identifier: Apache-2.0
// Two gears in mesh. Flanks are straight, and a gap is the tooth that stands in it, moved outward by the clearance: so
// that the clearance is exact, where involutes would only be near it.
#include "scenes/placings.h"
#include "scenes/shapes.h"
#include "scenes/trigonometry.h"

namespace tumble::scenes {
namespace {

constexpr std::size_t teeth = 24;
constexpr double addendum = 0.03, dedendum = 0.05, thickness = 0.3;  // in pitch radii

/// Half the width of the first gear's tooth at a distance from its axis, and the slope of its flank: 20 degrees.
double half_width(double x) {
  static const double at_pitch = full_circle / teeth / 4, slope = sine(20.0 / 360) / cosine(20.0 / 360);
  return at_pitch - slope * (x - 1);
}

/// The corners of one tooth, or gap, about the x axis, repeated around z and cut: between its corners and, more
/// finely, along the flanks; then stacked along z.
Mesh gear(const Ring& corners, std::size_t cuts) {
  Ring around;
  for (std::size_t t = 0; t < teeth; ++t) {
    const Frame turn = turned(2, static_cast<double>(t) / teeth);
    for (const Vec3& corner : corners) around.push_back(turn * corner);
  }
  Ring outline;
  for (std::size_t i = 0; i < around.size(); ++i)
    for (std::size_t k = 0; k < cuts; ++k)
      outline.push_back(around[i] + (around[(i + 1) % around.size()] - around[i]) *
                                        (static_cast<double>(k) / static_cast<double>(cuts)));
  std::vector<Ring> rings;
  const std::size_t layers = 4 * cuts;
  for (std::size_t l = 0; l <= layers; ++l) {
    Ring ring = outline;
    for (Vec3& p : ring) p.z = thickness * (static_cast<double>(l) / static_cast<double>(layers) - 0.5);
    rings.push_back(std::move(ring));
  }
  return weave(rings, {0, 0, -thickness / 2}, {0, 0, thickness / 2});
}

}  // namespace

Placing meshed_gears(double clearance, std::size_t cuts) {
  const double root = 1 - dedendum, tip = 1 + addendum;
  const Mesh first = gear({{root, -half_width(root), 0},
                           {tip, -half_width(tip), 0},
                           {tip, half_width(tip), 0},
                           {root, half_width(root), 0}},
                          cuts);
  // The gap, seen from the second gear's axis: x is 2 less the first one's. Its half width is larger by the clearance,
  // measured across the flank.
  const double wider = clearance / cosine(20.0 / 360);
  const auto edge = [&](double x, double side) { return Vec3{x, side * (half_width(2 - x) + wider), 0}; };
  const Mesh second = gear({edge(tip, -1), edge(root, -1), edge(root, 1), edge(tip, 1)}, cuts);
  const Pose opposite = Pose::from_quaternion(0, 0, 0, 1, {2, 0, 0});  // half a turn: its gap looks at the first gear
  return turned_oddly({first, second, opposite, Pose::from_translation({0, 0, 1e-3}) * opposite});
}

}  // namespace tumble::scenes
