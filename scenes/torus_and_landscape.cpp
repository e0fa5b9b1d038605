// SPDX-License-Identifier: Apache-2.0
// The wrinkled torus and the toothed, dimpled ground it flies over (after Lin 1996, Fig. 8), and Zachmann's solids.
#include "scenes/meshes.h"
#include "scenes/random.h"
#include "scenes/shapes.h"
#include "scenes/trigonometry.h"

#include <tumble/error.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace tumble::scenes {
namespace {

void need(bool good, std::size_t triangles, const char* what) {
  if (!good) throw Error(ErrorCode::invalid_argument, std::string(what) + ", not " + std::to_string(triangles));
}

/// The whole number nearest to the square root.
std::size_t rounded_root(std::size_t n) { return static_cast<std::size_t>(std::sqrt(static_cast<double>(n)) + 0.5); }

/// A torus given by a function of the two angles, about `slenderness` times as many rings as vertices on each.
template <class Point>
Mesh torus_surface(std::size_t triangles, double slenderness, Point point) {
  const std::size_t half = triangles / 2;
  const auto rings = static_cast<std::size_t>(std::sqrt(static_cast<double>(half) * slenderness) + 0.5);
  std::vector<Ring> woven;
  const std::vector<std::size_t> sizes = share_evenly(half, rings);
  for (std::size_t i = 0; i < rings; ++i) {
    Ring ring;
    for (std::size_t j = 0; j < sizes[i]; ++j)
      ring.push_back(point(static_cast<double>(i) / static_cast<double>(rings),
                           static_cast<double>(j) / static_cast<double>(sizes[i])));
    woven.push_back(std::move(ring));
  }
  return weave_around(woven);
}

struct Stalagmite {
  double x, y, radius, height;
};

constexpr double half_width = 6, dimple_spacing = 0.8;
constexpr std::size_t dimples_along = 15, stalagmite_count = 26;

/// The height of the ground.
class Ground {
 public:
  explicit Ground(std::uint64_t seed) {
    Random random(seed);
    for (std::array<double, 3>& d : dimples_)
      d = {random.between(-0.15, 0.15), random.between(-0.15, 0.15), random.between(0.1, 0.2)};
    while (stalagmites_.size() < stalagmite_count) {
      const Stalagmite s{random.between(-5.3, 5.3), random.between(-5.3, 5.3), random.between(0.32, 0.5),
                         random.between(1.4, 3.8)};
      bool clear = true;
      for (const Stalagmite& other : stalagmites_) {
        const double dx = s.x - other.x, dy = s.y - other.y;
        if (dx * dx + dy * dy < 1.2 * 1.2) clear = false;
      }
      if (clear) stalagmites_.push_back(s);
    }
  }

  double operator()(double x, double y) const {
    double height = 0.12 * sine(x / 7) * cosine(y / 5) + 0.08 * sine((x + y) / 3.1);
    // A dimple lies within its cell's neighbours.
    const auto cell = [](double v) { return static_cast<int>(std::floor((v + half_width) / dimple_spacing)); };
    for (int i = cell(x) - 1; i <= cell(x) + 1; ++i)
      for (int j = cell(y) - 1; j <= cell(y) + 1; ++j) {
        if (i < 0 || j < 0 || i >= int{dimples_along} || j >= int{dimples_along}) continue;
        const auto& [dx, dy, depth] =
            dimples_[static_cast<std::size_t>(j) * dimples_along + static_cast<std::size_t>(i)];
        const double ox = x + half_width - (i + 0.5) * dimple_spacing - dx;
        const double oy = y + half_width - (j + 0.5) * dimple_spacing - dy;
        const double q = 1 - (ox * ox + oy * oy) / (0.36 * 0.36);
        if (q > 0) height -= depth * q * q;
      }
    for (const Stalagmite& s : stalagmites_) {
      const double ox = x - s.x, oy = y - s.y;
      const double q = 1 - std::sqrt(ox * ox + oy * oy) / s.radius;
      if (q > 0) height += s.height * q * q * (1 + 0.08 * sine(5 * q));
    }
    return height;
  }

 private:
  std::array<std::array<double, 3>, dimples_along * dimples_along> dimples_{};
  std::vector<Stalagmite> stalagmites_;
};

}  // namespace

Mesh wrinkled_torus(std::size_t triangles, std::uint64_t seed) {
  need(triangles >= 200 && triangles % 2 == 0, triangles, "the torus needs an even number of triangles from 200");
  Random random(seed);
  const double a = random.unit(), b = random.unit(), c = random.unit(), d = random.unit();
  return torus_surface(triangles, 4, [=](double along, double across) {
    const double lobes = 0.16 * cosine(5 * across + 4 * along + a);  // twisted: the lobes wind around the ring
    const double wrinkles = 0.045 * sine(24 * along - 3 * across + b) + 0.03 * sine(17 * along + 8 * across + c);
    const double radius = 0.3 * (1 + lobes + wrinkles);
    const auto [up, out] = sin_cos(across);
    const double from_axis = 1 + 0.09 * cosine(3 * along + d) + radius * out;
    const double height = 0.12 * sine(2 * along) - radius * up;
    const auto [s, co] = sin_cos(along);
    return Vec3{from_axis * co, from_axis * s, height};
  });
}

Mesh landscape(std::size_t triangles, std::uint64_t seed) {
  need(triangles >= 200, triangles, "the landscape needs at least 200 triangles");
  const Ground ground(seed);
  // The first and last row's segments count once, the others twice.
  const std::size_t strips = rounded_root(triangles / 2);
  const std::size_t first = strips, last = strips + (triangles % 2);
  std::vector<std::size_t> segments{first};
  for (const std::size_t n : share_evenly((triangles - first - last) / 2, strips - 1)) segments.push_back(n);
  segments.push_back(last);
  std::vector<Ring> rows;
  for (std::size_t i = 0; i <= strips; ++i) {
    const double y = 2 * half_width * static_cast<double>(i) / static_cast<double>(strips) - half_width;
    Ring row;
    for (std::size_t j = 0; j <= segments[i]; ++j) {
      const double x = 2 * half_width * static_cast<double>(j) / static_cast<double>(segments[i]) - half_width;
      row.push_back({x, y, ground(x, y)});
    }
    rows.push_back(std::move(row));
  }
  return weave_open(rows);
}

Mesh zachmann_door(std::size_t triangles) { return landscape(triangles); }

Mesh zachmann_torus(std::size_t triangles) {
  need(triangles >= 100 && triangles % 2 == 0, triangles, "this torus needs an even number of triangles from 100");
  return fitted_to_cube(torus_surface(triangles, 2,
                                      [](double along, double across) {
                                        const auto [s, c] = sin_cos(along);
                                        const auto [up, out] = sin_cos(across);
                                        return Vec3{(1 + 0.4 * out) * c, (1 + 0.4 * out) * s, -0.4 * up};
                                      }),
                        2);
}

Mesh zachmann_sphere(std::size_t triangles) {
  need(triangles >= 100 && triangles % 2 == 0, triangles, "this sphere needs an even number of triangles from 100");
  const std::size_t k = rounded_root(triangles) + 1;
  if (k * (k - 1) != triangles) return fitted_to_cube(sphere(triangles, Tessellation::even), 2);
  return fitted_to_cube(k % 2 == 0 ? uv_sphere(k - 1, k / 2) : uv_sphere(k, (k - 1) / 2), 2);
}

Mesh zachmann_cylinder(std::size_t triangles) {
  need(triangles >= 100 && triangles % 2 == 0, triangles, "this cylinder needs an even number of triangles from 100");
  const std::size_t rings = rounded_root(triangles / 6);  // as high as wide: about three times as many sides as rings
  const std::vector<std::size_t> sizes = share_evenly(triangles / 2, rings);
  std::vector<Ring> woven;
  for (std::size_t i = 0; i < rings; ++i) {
    Ring ring;
    for (std::size_t j = 0; j < sizes[i]; ++j) {
      const auto [s, c] = sin_cos(static_cast<double>(j) / static_cast<double>(sizes[i]));
      ring.push_back({c, s, 2 * static_cast<double>(i) / static_cast<double>(rings - 1) - 1});
    }
    woven.push_back(std::move(ring));
  }
  return fitted_to_cube(weave(woven), 2);
}

}  // namespace tumble::scenes
