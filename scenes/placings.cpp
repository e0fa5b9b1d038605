// SPDX-License-Identifier: Apache-2.0
// Placings of simple shapes: far apart, in the same place, side by side, through each other.
#include "scenes/placings.h"

#include "scenes/meshes.h"
#include "scenes/plate.h"
#include "scenes/shapes.h"
#include "scenes/trigonometry.h"

#include <algorithm>

namespace tumble::scenes {
namespace {

const Vec3 odd_direction = normalized({0.48, 0.59, 0.65});

Pose step_away(const Pose& pose, Vec3 step) { return Pose::from_translation(step) * pose; }

double radius(const Mesh& mesh) {
  double farthest = 0;
  for (const Vec3& v : mesh.vertices) farthest = std::max(farthest, length(v));
  return farthest;
}

}  // namespace

Placing turned_oddly(Placing placing) {
  const Pose odd = Pose::from_quaternion(0.81, 0.23, -0.37, 0.41, {0.123, -0.217, 0.0713});
  for (Vec3& v : placing.env.vertices) v = odd * v;
  placing.pose = odd * placing.pose;
  placing.before = odd * placing.before;
  return placing;
}

Placing far_apart(double radii, std::size_t triangles) {
  Placing out{wrinkled_torus(triangles, 1), wrinkled_torus(triangles, 2), {}, {}};
  const double r = radius(out.env);
  out.pose = Pose::from_quaternion(1, 0.3, 0.41, -0.7, odd_direction * (radii * r));
  out.before = step_away(out.pose, odd_direction * (1e-3 * r));
  return out;
}

Placing coincident(std::size_t triangles) {
  const Mesh mesh = wrinkled_torus(triangles, 1);
  return {mesh, mesh, {}, step_away({}, odd_direction * 1e-3)};
}

Placing mated_faces(double shear, std::size_t cells) {
  return {plate(cells, -0.1, 0), plate(cells, 0, 0.1, shear), {}, Pose::from_translation({1e-3, 0, 0})};
}

Placing parallel_bars(double gap, std::size_t triangles) {
  constexpr double radius = 0.02;
  constexpr std::size_t sides = 40;
  const Mesh bar = cylinder(radius, 1, sides, triangles / (2 * sides));
  const Pose beside = Pose::from_translation({0, 2 * radius + gap, 0.03});
  return turned_oddly({bar, bar, beside, step_away(beside, {0, 0, 1e-3})});
}

Placing facing_fans(std::size_t sides) {
  const Mesh disc = cylinder(1, 0.1, sides);
  const auto [s, c] = sin_cos(0.37 / static_cast<double>(sides) / 2);
  return turned_oddly({disc, disc, Pose::from_quaternion(c, 0, 0, s, {0, 0, 0.101}),
                       Pose::from_quaternion(c, 0, 0, s, {1e-3, 0, 0.101})});
}

Placing crossing_needles(double aspect, std::size_t sides) {
  const double height = aspect * full_circle / static_cast<double>(sides);
  const Mesh bar = placed(cylinder(1, height, sides), Frame{{0, 0, -height / 2}});
  const Pose across = Pose::from_quaternion(1, 0.9, 0.1, 0.05, {0.7, 0.1, 0.05});
  return turned_oddly({bar, bar, across, step_away(across, {1e-3, 0, 0})});
}

Placing small_on_huge(double ratio, std::size_t triangles) {
  const Mesh body = fitted_to_cube(wrinkled_torus(triangles, 1), 1);
  Placing out;
  append(out.env, placed(box({ratio / 2, ratio / 2, ratio / 20}), Frame{{0, 0, -ratio / 20}}));
  append(out.env, placed(body, Frame{{-0.51, 0, 0.25}}));
  out.object = body;
  out.pose = Pose::from_quaternion(1, 0, 0, 0.3, {0.51, 0, 0.25});
  out.before = step_away(out.pose, {1e-3, 0, 0});
  return turned_oddly(std::move(out));
}

Placing crossing_tori(std::size_t triangles) {
  const Mesh mesh = zachmann_torus(triangles);
  const Pose through = Pose::from_quaternion(1, 0.3, 0.41, -0.7, odd_direction * 1.5);
  return {mesh, mesh, through, step_away(through, odd_direction * 1e-3)};
}

}  // namespace tumble::scenes
