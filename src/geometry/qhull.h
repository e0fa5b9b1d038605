// SPDX-License-Identifier: Apache-2.0
// The only use of Qhull (Barber, Dobkin, Huhdanpaa 1996), through its reentrant C interface: facets of a solid hull.
#pragma once

#include <tumble/vec.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace tumble {

/// The facets of a hull, each a convex polygon. Qhull merges neighbours that rounding makes uncertain.
struct HullFacets {
  struct Plane {
    Vec3 normal;        // unit, outward
    double offset = 0;  // normal·x <= offset, up to `thickness`
  };
  std::vector<Plane> planes;
  std::vector<std::uint32_t> begin;    // of each facet's corners in `corners`, and the end
  std::vector<std::uint32_t> corners;  // input numbers, counter-clockwise seen from outside
  double thickness = 0;                // how far points may lie off their planes, or were moved

  std::span<const std::uint32_t> ring(std::size_t facet) const {
    return std::span(corners).subspan(begin[facet], begin[facet + 1] - begin[facet]);
  }
};

/// Needs at least four finite points that are neither flat nor straight, best with coordinates of about one. `joggled`
/// moves them by some 1e-11 so that all facets are triangles. Returns nothing if Qhull fails or its facets do not form
/// a closed sphere. Safe to call from several threads at once.
std::optional<HullFacets> hull_facets(std::span<const Vec3> points, bool joggled);

}  // namespace tumble
