// SPDX-License-Identifier: Apache-2.0
// The interior: a hand, and the cluttered stretch of cabin it moves in. Lengths in metres.
#include "scenes/meshes.h"
#include "scenes/random.h"
#include "scenes/shapes.h"
#include "scenes/trigonometry.h"

#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace tumble::scenes {
namespace {

constexpr std::size_t cabin_triangles = 169'944;
constexpr double cabin_length = 4.6, barrel_radius = 1.85, barrel_centre = 0.65;  // floor at z = 0
constexpr double wall_from = -0.057, wall_to = 0.557;                             // where the barrel meets the floor

double part(std::size_t i, std::size_t n) { return static_cast<double>(i) / static_cast<double>(n); }

/// A point of the barrel, `inward` of its wall; `turn` counts from the right side, up and over.
Vec3 on_barrel(double x, double turn, double inward) {
  const auto [s, c] = sin_cos(turn);
  const double r = barrel_radius - inward;
  return {x, -r * c, barrel_centre + r * s};
}

/// The lining with its windows sunk in, fronts inward.
Mesh wall() {
  constexpr std::size_t along = 96, around = 120;
  std::vector<Ring> rows;
  for (std::size_t i = 0; i <= along; ++i) {
    Ring row;
    for (std::size_t j = 0; j <= around; ++j) {
      const double x = cabin_length * part(i, along), turn = wall_from + (wall_to - wall_from) * part(j, around);
      // Windows every half metre at eye height on either side.
      const double dx = (x / 0.5 - std::floor(x / 0.5) - 0.5) * 0.5;
      const double side = turn < 0.25 ? turn : 0.5 - turn;
      const double dz = (side - 0.055) * full_circle * barrel_radius;
      const double q = dx * dx / (0.14 * 0.14) + dz * dz / (0.2 * 0.2);
      row.push_back(on_barrel(x, turn, -0.05 * (1 - smooth_step((q - 0.4) / 1.2))));
    }
    rows.push_back(std::move(row));
  }
  return weave_open(rows);
}

Mesh floor() {
  constexpr std::size_t along = 46, across = 34;
  std::vector<Ring> rows;
  for (std::size_t i = 0; i <= across; ++i) {
    Ring row;
    const double y = (2 * part(i, across) - 1) * 1.73;
    for (std::size_t j = 0; j <= along; ++j) row.push_back({cabin_length * part(j, along), y, 0});
    rows.push_back(std::move(row));
  }
  return weave_open(rows);
}

Mesh rib(double x) {
  std::vector<Station> stations;
  constexpr std::size_t steps = 40;
  for (std::size_t j = 0; j <= steps; ++j)
    stations.push_back({on_barrel(x, wall_from + (wall_to - wall_from) * part(j, steps), 0.02), 0.025});
  return tube(stations, 8);
}

/// Facing +x, its feet on the floor at the origin.
Mesh seat() {
  Mesh mesh;
  const auto add = [&](Vec3 half, double rounding, std::size_t sides, std::size_t rings, Frame frame) {
    append(mesh, placed(rounded_box(half, rounding, sides, rings), frame));
  };
  add({0.24, 0.22, 0.07}, 0.06, 32, 14, turned(1, -0.015, {0.02, 0, 0.43}));     // cushion
  add({0.065, 0.22, 0.34}, 0.055, 32, 18, turned(1, -0.035, {-0.27, 0, 0.78}));  // back
  add({0.05, 0.14, 0.1}, 0.045, 24, 12, turned(1, -0.035, {-0.36, 0, 1.18}));    // headrest
  for (const double y : {-0.245, 0.245}) {
    add({0.2, 0.028, 0.022}, 0.02, 16, 8, Frame{{-0.03, y, 0.64}});  // armrests
    const Station post[] = {{{-0.17, y, 0.66}, 0.018}, {{-0.2, y, 0.45}, 0.018}, {{-0.2, y, 0.36}, 0.018}};
    append(mesh, tube(post, 8));
    const Station leg[] = {{{0.16, y * 0.8, 0.4}, 0.016}, {{0.1, y * 0.8, 0.2}, 0.016}, {{0.18, y * 0.8, 0}, 0.022}};
    append(mesh, tube(leg, 8));
  }
  append(mesh, placed(box({0.008, 0.18, 0.12}), turned(1, -0.035, {-0.352, 0, 0.78})));  // tray behind
  const Vec3 belt[] = {
      {-0.18, -0.22, 0.5}, {-0.05, -0.15, 0.53}, {0.06, 0.0, 0.535}, {0.0, 0.12, 0.53}, {-0.16, 0.22, 0.5}};
  std::vector<Station> strap;
  for (const Vec3& p : spline(belt, 6)) strap.push_back({p, 0.012});
  append(mesh, tube(strap, 6));
  append(mesh, placed(box({0.03, 0.025, 0.012}), Frame{{0.06, 0, 0.55}}));  // buckle
  return mesh;
}

/// A sloping console at the front of the cabin with screens, rows of knobs and levers, facing -x.
Mesh console(Random& random) {
  Mesh mesh;
  const Frame face = turned(1, -0.17, {cabin_length - 0.42, 0, 0.95});  // x up the slope, z out of the panel
  append(mesh, placed(rounded_box({0.38, 1.25, 0.05}, 0.03, 32, 8), face), "console");
  append(mesh, placed(rounded_box({0.3, 1.2, 0.3}, 0.04, 16, 6), Frame{{cabin_length - 0.32, 0, 0.42}}),
         "console base");
  const auto at = [&](double up, double across, double out) {
    Frame f = face;
    f.origin = face * Vec3{up, across, out};
    return f;
  };
  for (int i = 0; i < 5; ++i)
    append(mesh, placed(rounded_box({0.11, 0.15, 0.012}, 0.01, 16, 4), at(0.2, 0.42 * (i - 2), 0.055)));
  for (int row = 0; row < 6; ++row)
    for (int column = 0; column < 34; ++column) {
      const double size = random.between(0.009, 0.015), height = random.between(0.015, 0.03);
      append(mesh, placed(cylinder(size, height, 12), at(0.02 - 0.065 * row, 0.07 * (column - 16.5), 0.048)));
    }
  for (int i = 0; i < 12; ++i) {
    const double lean = random.between(-0.05, 0.05), y = 0.15 * (i - 5.5);
    const Frame f = at(-0.35, y, 0.04);
    const Station lever[] = {
        {f * Vec3{0, 0, 0}, 0.008}, {f * Vec3{lean, 0, 0.06}, 0.007}, {f * Vec3{2 * lean, 0, 0.12}, 0.007}};
    append(mesh, tube(lever, 8));
    append(mesh, placed(scaled(uv_sphere(12, 7), 0.018), Frame{f * Vec3{2 * lean, 0, 0.125}}));
  }
  return mesh;
}

/// Lines that wander along the cabin near the wall at a given place around it.
Mesh cable(double turn, double inward, double radius, double wander, Random& random) {
  std::vector<Vec3> points;
  constexpr std::size_t knots = 14;
  for (std::size_t i = 0; i <= knots; ++i) {
    const double t = turn + wander * random.between(-1, 1), depth = inward + wander * random.between(-1, 2);
    points.push_back(on_barrel(0.05 + (cabin_length - 0.1) * part(i, knots), t, depth));
  }
  std::vector<Station> stations;
  for (const Vec3& p : spline(points, 6)) stations.push_back({p, radius});
  return tube(stations, 8);
}

}  // namespace

Mesh hand() {
  Mesh mesh;
  const auto finger = [&](const char* name, Vec3 base, Vec3 along, double length, double radius, double curl) {
    // Five stations from the knuckle to the tip, bending towards the palm (-z).
    std::vector<Station> stations;
    const Vec3 forward = normalized(along);
    const double thickness[] = {1.0, 0.95, 0.9, 0.8, 0.4};
    const double reach[] = {0, 0.35, 0.62, 0.9, 1.0};
    for (std::size_t i = 0; i < 5; ++i)
      stations.push_back({base + forward * (length * reach[i]) - Vec3{0, 0, curl * length * reach[i] * reach[i]},
                          radius * thickness[i]});
    append(mesh, tube(stations, 6), name);
  };
  std::vector<Ring> rings;
  const Station palm[] = {
      {{0.005, 0, 0}, 0.028}, {{0.03, 0.002, 0}, 0.04}, {{0.07, 0, 0}, 0.045}, {{0.098, -0.002, 0}, 0.041}};
  for (const auto& [centre, half_width] : palm) {
    Ring ring;
    for (std::size_t j = 0; j < 10; ++j) {
      const auto [s, c] = sin_cos((static_cast<double>(j) + 0.5) / 10);
      ring.push_back(centre + Vec3{0, half_width * c, 0.015 * s});
    }
    rings.push_back(std::move(ring));
  }
  append(mesh, weave(rings), "palm");
  append(mesh, placed(cylinder(1, 0.05, 6), Frame{{-0.04, 0, 0}, {0, 0.028, 0}, {0, 0, 0.017}, {1, 0, 0}}), "wrist");
  finger("index finger", {0.092, 0.031, 0}, {1, 0.1, 0}, 0.074, 0.0105, 0.18);
  finger("middle finger", {0.095, 0.0105, 0}, {1, 0.02, 0}, 0.083, 0.0108, 0.15);
  finger("ring finger", {0.094, -0.0105, 0}, {1, -0.05, 0}, 0.077, 0.0104, 0.18);
  finger("little finger", {0.09, -0.031, 0}, {1, -0.14, 0}, 0.06, 0.0092, 0.22);
  finger("thumb", {0.025, 0.03, -0.002}, {0.75, 0.65, -0.1}, 0.072, 0.0115, 0.05);
  return mesh;
}

Mesh cabin(std::uint64_t seed) {
  Random random(seed);
  Mesh mesh;
  append(mesh, wall(), "wall");
  append(mesh, floor(), "floor");
  for (std::size_t i = 0; i < 10; ++i)
    append(mesh, rib(0.02 + 0.5 * static_cast<double>(i)), "rib " + std::to_string(i));
  const Mesh chair = seat();
  for (int row = 0; row < 4; ++row)
    for (const double y : {-1.3, -0.79, 0.79, 1.3})
      append(mesh, placed(chair, turned(2, random.between(-0.002, 0.002), {0.6 + 0.85 * row, y, 0})),
             "seat " + std::to_string(row) +
                 (y < 0   ? y < -1 ? "D" : "C"
                  : y > 1 ? "A"
                          : "B"));
  for (const double side : {-1.0, 1.0})
    for (int i = 0; i < 4; ++i) {
      const double x = 0.58 + 1.14 * i;
      append(mesh,
             placed(rounded_box({0.55, 0.32, 0.19}, 0.1, 32, 12), turned(0, side * 0.045, {x, side * 0.98, 1.84})),
             "bin");
      append(mesh, placed(torus(0.05, 0.012, 20, 8), frame_along({x, side * 0.655, 1.76}, {0, 1, 0})));
    }
  append(mesh, console(random));
  // Air ducts and pipes along the ceiling, cables along the walls and under the seats.
  for (int i = 0; i < 5; ++i)
    append(mesh, cable(0.25 + 0.022 * (i - 2), 0.12, 0.035, 0.003, random), "duct " + std::to_string(i));
  for (int i = 0; i < 30; ++i) {
    const double turn = i < 15 ? -0.04 + 0.011 * i : 0.54 - 0.011 * (i - 15);
    append(mesh, cable(turn, 0.05, random.between(0.006, 0.014), 0.006, random), "cable " + std::to_string(i));
  }
  // Rivets along the ribs use up the rest; the last has the number of sides that makes the total exact.
  constexpr std::size_t sides = 6, rivet = 2 * sides, smallest = 6, per_rib = 70;
  for (std::size_t n = 0; mesh.triangles.size() < cabin_triangles; ++n) {
    const std::size_t left = cabin_triangles - mesh.triangles.size();
    const double turn = wall_from + (wall_to - wall_from) * (part(n % per_rib, per_rib) + 0.5 / per_rib);
    const double x =
        0.02 + 0.5 * static_cast<double>(n / per_rib % 20 / 2) + (n / per_rib % 2 == 0 ? 0.045 : -0.045) + 0.09;
    const Frame place = frame_along(on_barrel(x, turn, 0), on_barrel(x, turn, 1) - on_barrel(x, turn, 0));
    append(mesh, placed(bipyramid(0.012, 0.008, left < rivet + smallest ? left / 2 : sides), place));
  }
  return mesh;
}

}  // namespace tumble::scenes
