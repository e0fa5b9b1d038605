// SPDX-License-Identifier: Apache-2.0
// Four ways to cut a sphere into triangles.
#include "scenes/spheres.h"

#include "scenes/random.h"
#include "scenes/shapes.h"
#include "scenes/trigonometry.h"

#include <tumble/error.h>

#include <array>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace tumble::scenes {
namespace {

std::uint32_t id(std::size_t n) { return static_cast<std::uint32_t>(n); }

[[noreturn]] void refuse(std::size_t triangles, Tessellation tessellation, const std::string& needs) {
  throw Error(ErrorCode::invalid_argument, "no " + std::string(name(tessellation)) + " sphere has " +
                                               std::to_string(triangles) + " triangles: it needs " + needs);
}

Mesh rings_of_latitude(std::span<const std::size_t> sizes) {
  std::vector<Ring> rings;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const auto [up, out] = sin_cos(static_cast<double>(i + 1) / static_cast<double>(sizes.size() + 1) * 0.5 - 0.25);
    Ring ring;
    for (std::size_t j = 0; j < sizes[i]; ++j) {
      const auto [s, c] = sin_cos(static_cast<double>(j) / static_cast<double>(sizes[i]));
      ring.push_back({out * c, out * s, up});
    }
    rings.push_back(std::move(ring));
  }
  return weave(rings, {0, 0, -1}, {0, 0, 1});
}

Mesh even_sphere(std::size_t triangles) {
  if (triangles < 6 || triangles % 2 != 0) refuse(triangles, Tessellation::even, "an even number from 6");
  // Equilateral triangles of side a: the rings are a·√3/2 apart and there are n = 4π / (√3/4·a²) triangles, so the
  // half circle holds π / (a·√3/2) − 1 rings.
  const double side = std::sqrt(2 * full_circle / (std::sqrt(3.0) / 4 * static_cast<double>(triangles)));
  const double fitting = full_circle / 2 / (side * std::sqrt(3.0) / 2) - 0.5;
  std::size_t rings = fitting < 1 ? 1 : static_cast<std::size_t>(fitting);
  while (3 * rings > triangles / 2) --rings;
  std::vector<double> lengths;
  for (std::size_t i = 0; i < rings; ++i)
    lengths.push_back(sine(static_cast<double>(i + 1) / static_cast<double>(rings + 1) * 0.5));
  return rings_of_latitude(share(triangles / 2, lengths, 3));
}

Mesh best_uv_sphere(std::size_t triangles) {
  if (triangles < 6 || triangles % 2 != 0) refuse(triangles, Tessellation::uv, "an even number from 6");
  const std::size_t half = triangles / 2;
  std::size_t best_rings = 1;
  double best = -1;
  for (std::size_t rings = 1; rings * 3 <= half; ++rings) {
    if (half % rings != 0) continue;
    const double ratio = static_cast<double>(half / rings) / static_cast<double>(2 * rings);
    const double closeness = ratio < 1 ? ratio : 1 / ratio;
    if (closeness > best) best = closeness, best_rings = rings;
  }
  return uv_sphere(half / best_rings, best_rings);
}

Mesh platonic(std::size_t faces) {
  if (faces == 4)
    return {{{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}}, {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {0, 2, 3}}, {}};
  if (faces == 8)
    return {{{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}},
            {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}},
            {}};
  const double f = (1 + std::sqrt(5.0)) / 2;
  return {{{-1, f, 0},
           {1, f, 0},
           {-1, -f, 0},
           {1, -f, 0},
           {0, -1, f},
           {0, 1, f},
           {0, -1, -f},
           {0, 1, -f},
           {f, 0, -1},
           {f, 0, 1},
           {-f, 0, -1},
           {-f, 0, 1}},
          {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
           {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
           {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}},
          {}};
}

/// Each face of the solid cut into frequency² triangles; points shared by faces are made once.
Mesh subdivided(const Mesh& solid, std::size_t frequency) {
  Mesh mesh;
  using Key = std::array<std::array<std::size_t, 2>, 3>;  // corners with their weights, ordered, zero weights dropped
  std::map<Key, std::uint32_t> known;
  const auto point = [&](const Triangle& face, std::size_t b, std::size_t c) {
    const std::array<std::size_t, 3> weights{frequency - b - c, b, c};
    Key key{};
    std::size_t used = 0;
    Vec3 sum{};
    std::array<std::size_t, 3> order{0, 1, 2};  // by id, so that both faces of an edge round alike
    if (face[order[0]] > face[order[1]]) std::swap(order[0], order[1]);
    if (face[order[1]] > face[order[2]]) std::swap(order[1], order[2]);
    if (face[order[0]] > face[order[1]]) std::swap(order[0], order[1]);
    for (const std::size_t k : order)
      if (weights[k] > 0) {
        key[used++] = {face[k] + 1, weights[k]};
        sum += solid.vertices[face[k]] * static_cast<double>(weights[k]);
      }
    const auto [place, fresh] = known.try_emplace(key, id(mesh.vertices.size()));
    if (fresh) mesh.vertices.push_back(normalized(sum));
    return place->second;
  };
  for (const Triangle& face : solid.triangles)
    for (std::size_t b = 0; b < frequency; ++b)
      for (std::size_t c = 0; b + c < frequency; ++c) {
        mesh.triangles.push_back({point(face, b, c), point(face, b + 1, c), point(face, b, c + 1)});
        if (b + c + 1 < frequency)
          mesh.triangles.push_back({point(face, b + 1, c), point(face, b + 1, c + 1), point(face, b, c + 1)});
      }
  return mesh;
}

Mesh geodesic_sphere(std::size_t triangles) {
  for (const std::size_t faces : {std::size_t{20}, std::size_t{8}, std::size_t{4}})
    for (std::size_t frequency = 1; faces * frequency * frequency <= triangles; ++frequency)
      if (faces * frequency * frequency == triangles) return subdivided(platonic(faces), frequency);
  refuse(triangles, Tessellation::geodesic, "20, 8 or 4 times a square");
}

/// The hull of points on the unit sphere, grown point by point. Every point is on the hull, so a walk over the edges
/// that separate a new point finds the facet under it, as on a map.
class HullOnSphere {
 public:
  explicit HullOnSphere(std::vector<Vec3> points) : points_(std::move(points)) {
    // The first four points are the corners of a tetrahedron around the centre.
    facets_ = {{{0, 1, 2}, {1, 2, 3}}, {{0, 3, 1}, {3, 2, 0}}, {{1, 3, 2}, {1, 3, 0}}, {{0, 2, 3}, {0, 2, 1}}};
    link_all();
    for (std::size_t p = 4; p < points_.size(); ++p) insert(id(p));
  }

  Mesh mesh() const {
    Mesh mesh;
    mesh.vertices = points_;
    for (const Facet& facet : facets_)
      if (facet.alive) mesh.triangles.push_back(facet.corners);
    return mesh;
  }

 private:
  struct Facet {
    Triangle corners;
    std::array<std::uint32_t, 3> across;  // the facet beyond the edge from corner i to corner i + 1
    bool alive = true;
  };

  void link_all() {
    std::map<std::array<std::uint32_t, 2>, std::uint32_t> by_edge;
    for (std::size_t f = 0; f < facets_.size(); ++f)
      for (std::size_t i = 0; i < 3; ++i) by_edge[{facets_[f].corners[i], facets_[f].corners[(i + 1) % 3]}] = id(f);
    for (Facet& facet : facets_)
      for (std::size_t i = 0; i < 3; ++i) facet.across[i] = by_edge[{facet.corners[(i + 1) % 3], facet.corners[i]}];
  }

  bool sees(std::uint32_t p, const Facet& facet) const {
    const Vec3 a = points_[facet.corners[0]];
    return dot(cross(points_[facet.corners[1]] - a, points_[facet.corners[2]] - a), points_[p] - a) > 0;
  }

  std::uint32_t facet_under(std::uint32_t p) const {
    std::uint32_t f = last_;
    for (std::size_t guard = 0; guard <= facets_.size(); ++guard) {
      const Facet& facet = facets_[f];
      std::uint32_t next = f;
      for (std::size_t i = 0; i < 3 && next == f; ++i)
        if (dot(cross(points_[facet.corners[i]], points_[facet.corners[(i + 1) % 3]]), points_[p]) < 0)
          next = facet.across[i];
      if (next == f) return f;
      f = next;
    }
    return f;
  }

  void insert(std::uint32_t p) {
    // Removes every facet the point sees and joins the rim around them to the point.
    std::vector<std::uint32_t> seen{facet_under(p)};
    facets_[seen[0]].alive = false;
    struct RimEdge {
      std::uint32_t from, to, beyond;
    };
    std::vector<RimEdge> rim;
    for (std::size_t k = 0; k < seen.size(); ++k)
      for (std::size_t i = 0; i < 3; ++i) {
        const std::uint32_t other = facets_[seen[k]].across[i];
        if (!facets_[other].alive) continue;
        if (sees(p, facets_[other])) {
          facets_[other].alive = false;
          seen.push_back(other);
        }
      }
    for (const std::uint32_t f : seen)
      for (std::size_t i = 0; i < 3; ++i)
        if (const std::uint32_t other = facets_[f].across[i]; facets_[other].alive)
          rim.push_back({facets_[f].corners[i], facets_[f].corners[(i + 1) % 3], other});
    std::map<std::uint32_t, std::uint32_t> starting_at, ending_at;  // rim vertex to new facet
    const std::size_t first = facets_.size();
    for (std::size_t k = 0; k < rim.size(); ++k) {
      const std::uint32_t f = id(first + k);
      facets_.push_back({{rim[k].from, rim[k].to, p}, {rim[k].beyond, 0, 0}});
      starting_at[rim[k].from] = f;
      ending_at[rim[k].to] = f;
      Facet& beyond = facets_[rim[k].beyond];
      for (std::size_t i = 0; i < 3; ++i)
        if (beyond.corners[i] == rim[k].to && beyond.corners[(i + 1) % 3] == rim[k].from) beyond.across[i] = f;
    }
    for (std::size_t k = 0; k < rim.size(); ++k) {
      facets_[first + k].across[1] = starting_at[rim[k].to];
      facets_[first + k].across[2] = ending_at[rim[k].from];
    }
    last_ = id(first);
  }

  std::vector<Vec3> points_;
  std::vector<Facet> facets_;
  std::uint32_t last_ = 0;
};

Mesh hull_sphere(std::size_t triangles, std::uint64_t seed) {
  if (triangles < 4 || triangles % 2 != 0) refuse(triangles, Tessellation::hull, "an even number from 4");
  std::vector<Vec3> points;
  for (const Vec3& corner : platonic(4).vertices) points.push_back(normalized(corner));
  Random random(seed);
  while (points.size() < triangles / 2 + 2) points.push_back(random.direction());
  return HullOnSphere(std::move(points)).mesh();
}

}  // namespace

const char* name(Tessellation tessellation) {
  switch (tessellation) {
    case Tessellation::even: return "even";
    case Tessellation::uv: return "uv";
    case Tessellation::geodesic: return "geodesic";
    case Tessellation::hull: return "hull";
  }
  return "unknown";
}

Mesh sphere(std::size_t triangles, Tessellation tessellation, std::uint64_t seed) {
  switch (tessellation) {
    case Tessellation::even: return even_sphere(triangles);
    case Tessellation::uv: return best_uv_sphere(triangles);
    case Tessellation::geodesic: return geodesic_sphere(triangles);
    case Tessellation::hull: return hull_sphere(triangles, seed);
  }
  throw Error(ErrorCode::invalid_argument, "unknown tessellation");
}

Mesh uv_sphere(std::size_t slices, std::size_t rings) {
  return rings_of_latitude(std::vector<std::size_t>(rings, slices));
}

Mesh perturbed(Mesh mesh, double reach, std::uint64_t seed) {
  Random random(seed);
  for (Vec3& v : mesh.vertices) v += random.in_box({-reach, -reach, -reach}, {reach, reach, reach});
  return mesh;
}

}  // namespace tumble::scenes
