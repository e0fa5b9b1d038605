// SPDX-License-Identifier: Apache-2.0
// Intersections of half-spaces through the dual hull, or face by face if that would lose too many digits.
#include "geometry/halfspaces.h"

#include "geometry/qhull.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace tumble {
namespace {

/// All lengths below are in units of `reach`, from `middle`, and normals have unit length.
constexpr double solid_enough = 1e-3;  // the least slack around the dual's centre; below it the dual loses digits
constexpr double clip_error = 1e-12;   // corners this near a plane count as on it, and are kept
constexpr double weld_distance = 1e-11;
/// Corners satisfy their planes up to rounding. If the planes' normals are not nearly dependent, that moves the set by
/// no more than this. Those of all k-DOPs are not: a unit vector is at most 30 times a sum of neighbouring normals.
constexpr double corner_error = 1e-12;

double slack(std::span<const HalfSpace> spaces, Vec3 p, std::size_t& tightest) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < spaces.size(); ++i)
    if (const double room = spaces[i].offset - dot(spaces[i].normal, p); room < least) least = room, tightest = i;
  return least;
}

/// A point with more than `solid_enough` room to all planes, if steps away from the nearest plane find one.
std::optional<Vec3> inner_point(std::span<const HalfSpace> spaces) {
  Vec3 here, best;
  double most = -1;
  for (int step = 0; step < 60; ++step) {
    std::size_t tightest = 0;
    const double room = slack(spaces, here, tightest);
    if (room > most) most = room, best = here;
    if (room > 0.25 || (step >= 20 && most > 0.02)) break;
    here -= spaces[tightest].normal * (0.3 / (1 + 0.3 * step));
  }
  return most > solid_enough ? std::optional(best) : std::nullopt;
}

/// Sorts a face's corners counter-clockwise about the outward normal.
void sort_ring(std::vector<std::uint32_t>& ring, std::span<const Vec3> vertices, Vec3 normal) {
  Vec3 centre;
  for (const std::uint32_t v : ring) centre += vertices[v];
  centre = centre / static_cast<double>(ring.size());
  const Vec3 first = vertices[ring[0]] - centre, second = cross(normal, first);
  const auto angle = [&](std::uint32_t v) {
    const Vec3 spoke = vertices[v] - centre;
    return std::atan2(dot(spoke, second), dot(spoke, first));
  };
  std::sort(ring.begin(), ring.end(), [&](std::uint32_t a, std::uint32_t b) { return angle(a) < angle(b); });
}

void add_face(Polytope& polytope, std::size_t plane, std::span<const std::uint32_t> ring) {
  polytope.face_plane.push_back(static_cast<std::uint32_t>(plane));
  polytope.rings.insert(polytope.rings.end(), ring.begin(), ring.end());
  polytope.face_begin.push_back(static_cast<std::uint32_t>(polytope.rings.size()));
}

/// Relative to q, the plane n·x = d has the dual point n/(d − n·q), and a facet y·w = 1 of the hull of these points has
/// the dual corner q + w.
std::optional<Polytope> by_dual_hull(std::span<const HalfSpace> spaces) {
  const std::optional<Vec3> inner = inner_point(spaces);
  if (!inner) return std::nullopt;
  std::vector<Vec3> duals;
  double largest = 0;
  for (const HalfSpace& space : spaces) {
    duals.push_back(space.normal / (space.offset - dot(space.normal, *inner)));
    largest = std::max(largest, length(duals.back()));
  }
  for (Vec3& y : duals) y = y / largest;
  const std::optional<HullFacets> facets = hull_facets(duals, false);
  if (!facets) return std::nullopt;
  Polytope polytope;
  std::vector<std::vector<std::uint32_t>> faces(spaces.size());
  for (std::size_t f = 0; f < facets->planes.size(); ++f) {
    const auto& [normal, offset] = facets->planes[f];
    if (!(offset > 0.1 / largest)) return std::nullopt;  // farther than `reach`: not bounded by these planes
    const Vec3 corner = *inner + normal / (offset * largest);
    for (const std::uint32_t plane : facets->ring(f)) {
      if (std::abs(dot(spaces[plane].normal, corner) - spaces[plane].offset) > 0.02 * corner_error) return std::nullopt;
      faces[plane].push_back(static_cast<std::uint32_t>(polytope.vertices.size()));
    }
    polytope.vertices.push_back(corner);
  }
  for (std::size_t plane = 0; plane < faces.size(); ++plane) {
    if (faces[plane].size() < 3) continue;
    sort_ring(faces[plane], polytope.vertices, spaces[plane].normal);
    add_face(polytope, plane, faces[plane]);
  }
  polytope.margin = corner_error;
  return polytope;
}

/// Keeps the part of a convex polygon below a plane (Sutherland and Hodgman 1974).
void clip(std::vector<Vec3>& polygon, const HalfSpace& space, std::vector<Vec3>& kept) {
  kept.clear();
  const auto height = [&](Vec3 p) { return dot(space.normal, p) - space.offset; };
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Vec3 &p = polygon[i], &q = polygon[(i + 1) % polygon.size()];
    const double at_p = height(p), at_q = height(q);
    if (at_p <= clip_error) kept.push_back(p);
    if (std::min(at_p, at_q) < -clip_error && std::max(at_p, at_q) > clip_error)
      kept.push_back(p + (q - p) * (at_p / (at_p - at_q)));
  }
  polygon.swap(kept);
}

Polytope by_clipping(std::span<const HalfSpace> spaces) {
  Polytope polytope;
  std::vector<Vec3> polygon, kept;
  std::vector<std::uint32_t> ring;
  for (std::size_t i = 0; i < spaces.size(); ++i) {
    const Vec3 n = spaces[i].normal;
    if (std::abs(spaces[i].offset) > 2) continue;  // the plane is out of reach
    const bool repeated =
        std::any_of(spaces.begin(), spaces.begin() + static_cast<std::ptrdiff_t>(i), [&](const HalfSpace& s) {
          return length(s.normal - n) < 1e-14 && std::abs(s.offset - spaces[i].offset) < clip_error;
        });
    if (repeated) continue;
    const Vec3 rough = std::abs(n.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
    Vec3 u = cross(n, rough);
    u = u / length(u);
    const Vec3 v = cross(n, u), foot = n * spaces[i].offset;
    polygon = {foot - u * 2 - v * 2, foot + u * 2 - v * 2, foot + u * 2 + v * 2, foot - u * 2 + v * 2};
    for (std::size_t j = 0; j < spaces.size() && !polygon.empty(); ++j)
      if (j != i) clip(polygon, spaces[j], kept);
    ring.clear();
    for (const Vec3& p : polygon) {
      const auto known = std::find_if(polytope.vertices.begin(), polytope.vertices.end(),
                                      [&](Vec3 q) { return length(p - q) <= weld_distance; });
      const auto vertex = static_cast<std::uint32_t>(known - polytope.vertices.begin());
      if (known == polytope.vertices.end()) polytope.vertices.push_back(p);
      if (std::find(ring.begin(), ring.end(), vertex) == ring.end()) ring.push_back(vertex);
    }
    if (ring.size() >= 3) add_face(polytope, i, ring);
  }
  polytope.margin = 64 * weld_distance;
  return polytope;
}

}  // namespace

Polytope intersection(std::span<const HalfSpace> spaces, Vec3 middle, double reach, IntersectBy way) {
  std::vector<HalfSpace> scaled;
  const double unit = reach > 0 ? reach : std::numeric_limits<float>::min();  // of a point any length is large
  for (const HalfSpace& space : spaces) {
    const double size = length(space.normal);
    const Vec3 normal = space.normal / size;
    scaled.push_back({normal, (space.offset - dot(space.normal, middle)) / size / unit});
  }
  std::optional<Polytope> solid = way == IntersectBy::dual_hull ? by_dual_hull(scaled) : std::nullopt;
  Polytope polytope = solid ? std::move(*solid) : by_clipping(scaled);
  for (Vec3& p : polytope.vertices) p = middle + p * unit;
  polytope.margin = polytope.margin * unit + 1e-14 * (length(middle) + unit);
  return polytope;
}

std::vector<std::array<std::uint32_t, 3>> triangulate(const Polytope& polytope) {
  std::vector<std::array<std::uint32_t, 3>> triangles;
  for (std::size_t face = 0; face < polytope.face_count(); ++face) {
    const auto ring = polytope.ring(face);
    for (std::size_t i = 2; i < ring.size(); ++i) triangles.push_back({ring[0], ring[i - 1], ring[i]});
  }
  return triangles;
}

}  // namespace tumble
