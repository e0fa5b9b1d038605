// SPDX-License-Identifier: Apache-2.0
// Airplane: a jumbo jet lofted from sections, in metres, then brought to length 1.
#include "scenes/meshes.h"
#include "scenes/shapes.h"
#include "scenes/trigonometry.h"

#include <cmath>
#include <string>
#include <vector>

namespace tumble::scenes {
namespace {

constexpr std::size_t triangle_count = 14'646;
constexpr double overall_length = 70;

double mix(double a, double b, double u) { return a + (b - a) * u; }

/// Half the thickness at a fraction of the chord: the symmetric NACA four-digit section of 12 % thickness, closed at
/// the trailing edge.
double foil(double c) {
  return 0.6 * (0.2969 * std::sqrt(c) - c * (0.1260 + c * (0.3516 - c * (0.2843 - c * 0.1036))));
}

/// A section of a wing: its leading edge forward and sideways, its chord and relative thickness.
struct Section {
  double span, forward, aside, chord, thickness;
};

/// Lofted from the first section to the last: span along z, leading edge to +x; 2 * sides * sections triangles.
Mesh wing(const std::vector<Section>& corners, std::size_t sections, std::size_t sides) {
  std::vector<Ring> rings;
  for (std::size_t i = 0; i < sections; ++i) {
    const double at =
        static_cast<double>(i) / static_cast<double>(sections - 1) * static_cast<double>(corners.size() - 1);
    const std::size_t k = i + 1 == sections ? corners.size() - 2 : static_cast<std::size_t>(at);
    const double u = at - static_cast<double>(k);
    const Section &a = corners[k], &b = corners[k + 1];
    const double chord = mix(a.chord, b.chord, u), thickness = mix(a.thickness, b.thickness, u);
    Ring ring;
    for (std::size_t j = 0; j < sides; ++j) {
      const auto [s, c] = sin_cos((static_cast<double>(j) + 0.5) / static_cast<double>(sides));
      const double fraction = (1 - c) / 2, half = foil(fraction) * chord * thickness;
      ring.push_back({mix(a.forward, b.forward, u) - fraction * chord,
                      mix(a.aside, b.aside, u) + (s > 0 ? half : -half), mix(a.span, b.span, u)});
    }
    rings.push_back(std::move(ring));
  }
  return weave(rings);
}

/// Wing coordinates to the airplane's: span to the side, `aside` downward.
Frame spanwise(double side) { return {{0, 0, 0}, {1, 0, 0}, {0, 0, -1}, {0, side, 0}}; }

/// A nacelle along x, open in front with the fan face inside, and a cone behind: 2 * sides per profile point.
Mesh nacelle(std::size_t sides) {
  struct Point {
    double x, radius;
  };
  const Point profile[] = {{-3.9, 0.12}, {-3.0, 0.55}, {-2.6, 0.62}, {-2.6, 0.95}, {-1.4, 1.22}, {-0.2, 1.38},
                           {1.0, 1.40},  {1.8, 1.28},  {2.05, 1.18}, {1.95, 1.06}, {1.4, 1.05},  {0.9, 1.08}};
  std::vector<Ring> rings;
  for (const Point& p : profile) {
    Ring ring;
    for (std::size_t j = 0; j < sides; ++j) {
      const auto [s, c] = sin_cos(static_cast<double>(j) / static_cast<double>(sides));
      ring.push_back({p.x, p.radius * c, p.radius * s});
    }
    rings.push_back(std::move(ring));
  }
  return weave(rings, {-4.1, 0, 0}, {1.5, 0, 0});  // the spinner stands out of the fan face
}

/// From the tail to the nose, with exactly `triangles` triangles.
Mesh fuselage(std::size_t triangles) {
  constexpr std::size_t ring_count = 72;
  const std::vector<std::size_t> sizes = share_evenly(triangles / 2, ring_count);
  std::vector<Ring> rings;
  for (std::size_t i = 0; i < ring_count; ++i) {
    // Closer together towards both ends; `behind` is the distance from the nose.
    const double behind = overall_length *
                          (1 + cosine(0.5 * (static_cast<double>(i) + 0.6) / (static_cast<double>(ring_count) + 0.2))) /
                          2;
    const double ahead = behind < 13 ? 1 - behind / 13 : 0;
    const double nose = std::sqrt(1 - ahead * ahead);
    const double q = behind > 44 ? (behind - 44) / (overall_length - 44) : 0;  // along the tail cone
    const double half_width = 3.25 * nose * (1 - 0.93 * q * q);
    const double hump = smooth_step((behind - 1.5) / 7) * (1 - smooth_step((behind - 20) / 10));
    const double droop = -1.0 * ahead * ahead;  // the nose points a little down
    const double middle = droop + 2.2 * q * q, top = 3.25 * nose * (1 - 0.93 * q * q) + 1.75 * hump,
                 bottom = 3.25 * nose * (1 - 0.93 * q * q);
    Ring ring;
    for (std::size_t j = 0; j < sizes[i]; ++j) {
      const auto [s, c] = sin_cos((static_cast<double>(j) + 0.5) / static_cast<double>(sizes[i]));
      const double narrowing = s > 0 ? 1 - 0.2 * hump * s * s : 1;
      ring.push_back({overall_length / 2 - behind, half_width * c * narrowing, middle + (s > 0 ? top : bottom) * s});
    }
    rings.push_back(std::move(ring));
  }
  return weave(rings, {-overall_length / 2, 0, 2.2}, {overall_length / 2, 0, -1});
}

}  // namespace

Mesh airplane() {
  Mesh rest;  // everything but the fuselage, which takes the triangles that are left
  const std::vector<Section> main_wing{
      {1.5, 14.5, 2.0, 15.5, 1.05}, {11, 6.8, 0.9, 9.2, 0.95}, {30, -10, -1.6, 3.6, 0.8}};
  const std::vector<Section> stabiliser{{0.4, -24.5, -1.9, 8.0, 0.9}, {11, -32.5, -3.2, 2.6, 0.8}};
  for (const double side : {-1.0, 1.0}) {
    const char* name = side < 0 ? "right" : "left";
    append(rest, placed(wing(main_wing, 22, 36), spanwise(side)), std::string(name) + " wing");
    append(rest, placed(wing(stabiliser, 10, 24), spanwise(side)), std::string(name) + " stabiliser");
    int number = 0;
    for (const Vec3 at : {Vec3{9.2, side * 11.7, -3.3}, Vec3{1.0, side * 20.8, -2.0}}) {
      const std::string engine = std::string(name) + " engine " + std::to_string(++number);
      append(rest, placed(nacelle(28), Frame{at}), engine);
      // The pylon leans back and up to the wing.
      append(rest,
             placed(rounded_box({2.6, 0.18, 1.0}, 0.15, 8, 6),
                    Frame{at + Vec3{-2.6, 0, 1.7}, {1, 0, 0}, {0, 1, 0}, {-1.1, 0, 1}}),
             engine + " pylon");
    }
    for (const double span : {7.5, 14.5, 18.0, 24.0}) {  // flap track fairings under the trailing edge
      const double forward = span < 11 ? mix(0.8, -1.2, (span - 1.5) / 9.5) : mix(-1.2, -12.3, (span - 11) / 19);
      append(rest,
             placed(uv_sphere(12, 7),
                    Frame{{forward, side * span, mix(-1.8, 1.2, span / 30)}, {2.4, 0, 0}, {0, 0.28, 0}, {0, 0, 0.42}}));
    }
  }
  const std::vector<Section> fin{{2.8, -22.5, 0, 11.5, 0.9}, {13.2, -32, 0, 4.2, 0.8}};
  append(rest, wing(fin, 12, 28), "fin");

  Mesh mesh;
  append(mesh, fuselage(triangle_count - rest.triangles.size()), "fuselage");
  append(mesh, rest);
  return scaled(std::move(mesh), 1 / overall_length);
}

Mesh zachmann_car() { return quartered(airplane()); }

}  // namespace tumble::scenes
