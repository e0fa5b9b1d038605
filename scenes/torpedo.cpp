// SPDX-License-Identifier: Apache-2.0
// A torpedo and the rollers it lies on, in the place of the models of Lin 1996, Fig. 6, which are not public.
#include "scenes/meshes.h"
#include "scenes/shapes.h"
#include "scenes/trigonometry.h"

#include <tumble/error.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace tumble::scenes {
namespace {

constexpr double length_of_torpedo = 5.8, radius = 0.27;  // metres
constexpr std::size_t fins = 4, box_triangles = 12;

constexpr std::size_t roller_pairs = 10;
constexpr double roller_radius = 0.09, roller_length = 0.3;

}  // namespace

Mesh torpedo(std::size_t triangles) {
  if (triangles < 600 || triangles % 2 != 0)
    throw Error(ErrorCode::invalid_argument,
                "the torpedo needs an even number of triangles from 600, not " + std::to_string(triangles));
  // A round nose, a long body, a tapering tail.
  std::vector<Station> stations;
  constexpr std::size_t nose = 8, body = 12, tail = 8;
  const double half = length_of_torpedo / 2, nose_length = 0.4, tail_length = 1.0;
  for (std::size_t i = 1; i <= nose; ++i) {
    const double back = static_cast<double>(i) / nose;  // of the nose, from its tip
    stations.push_back({{half - nose_length * back, 0, 0}, radius * std::sqrt(back * (2 - back))});
  }
  for (std::size_t i = 1; i <= body; ++i) {
    const double back = static_cast<double>(i) / body;
    stations.push_back({{half - nose_length - (length_of_torpedo - nose_length - tail_length) * back, 0, 0}, radius});
  }
  for (std::size_t i = 1; i <= tail; ++i) {
    const double back = static_cast<double>(i) / tail;
    stations.push_back({{-half + tail_length * (1 - back), 0, 0}, radius * (1 - 0.75 * back * back)});
  }
  Mesh mesh = tube_of(stations, triangles - fins * box_triangles);
  for (std::size_t i = 0; i < fins; ++i) {
    const Frame turn = turned(0, 0.125 + static_cast<double>(i) / fins);
    append(mesh,
           placed(placed(box({0.15, 0.01, 0.06}), {{-half + 0.25, 0, 0.17}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}), turn),
           "fin " + std::to_string(i));
  }
  return mesh;
}

Mesh pivot(std::size_t triangles) {
  constexpr std::size_t rows = 10;
  const std::size_t per_roller = triangles * 9 / 10 / (2 * roller_pairs);
  const std::size_t sides = per_roller / (2 * rows);
  if (sides < 8)
    throw Error(ErrorCode::invalid_argument,
                "the pivot needs at least 4,000 triangles, not " + std::to_string(triangles));
  Mesh mesh;
  // Rollers stand in pairs, each across the torpedo's surface and 45 degrees below its axis, the lower ends together.
  const double slant = std::sqrt(0.5);
  for (std::size_t i = 0; i < roller_pairs; ++i)
    for (const double side : {-1.0, 1.0}) {
      const double x = 4.4 * (static_cast<double>(i) / (roller_pairs - 1) - 0.5) - 0.1;
      const Vec3 down{0, side * slant, -slant};  // from the torpedo's axis to the roller
      const Vec3 along{0, side * slant, slant};
      const Vec3 middle = Vec3{x, 0, 0} + down * (radius + roller_radius);
      append(mesh,
             placed(cylinder(roller_radius, roller_length, sides, rows),
                    frame_along(middle - along * (roller_length / 2), along)),
             "roller " + std::to_string(2 * i + (side > 0)));
      // Its bracket, clear of the torpedo.
      append(mesh, placed(box({0.05, 0.05, 0.25}), {Vec3{x, side * 0.45, -0.62}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}));
    }
  // The deck below, an open surface with as many triangles as are left.
  const std::size_t left = triangles - mesh.triangles.size();
  const auto strips = static_cast<std::size_t>(std::sqrt(static_cast<double>(left / 2)) + 0.5);
  std::vector<std::size_t> segments{strips};
  for (const std::size_t n : share_evenly((left - 2 * strips - left % 2) / 2, strips - 1)) segments.push_back(n);
  segments.push_back(strips + left % 2);
  std::vector<Ring> lines;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    Ring line;
    for (std::size_t j = 0; j <= segments[i]; ++j)
      line.push_back({7 * (static_cast<double>(j) / static_cast<double>(segments[i]) - 0.5),
                      2 * (static_cast<double>(i) / static_cast<double>(segments.size() - 1) - 0.5), -0.9});
    lines.push_back(std::move(line));
  }
  append(mesh, weave_open(lines), "deck");
  return mesh;
}

}  // namespace tumble::scenes
