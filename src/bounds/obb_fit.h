// SPDX-License-Identifier: Apache-2.0
// Chooses the frame of an oriented box: the smallest found by search, or that of hull covariance.
#pragma once

#include "bounds/obb.h"
#include "simd/four.h"

#include <tumble/tree_options.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace tumble {

/// Area-weighted moments of triangles, from which a frame is guessed. They are sums, so a parent merges its children's.
struct ObbMoments {
  double area = 0;
  Vec3 first;                      // Σ A m with m the centroid
  std::array<double, 6> second{};  // Σ (A/12)(9mmᵀ + ppᵀ + qqᵀ + rrᵀ): xx, yy, zz, xy, yz, zx (Gottschalk 1996)
  std::array<double, 6> normal{};  // Σ A n nᵀ of unit normals, in the same order

  void add(Vec3 p, Vec3 q, Vec3 r);
  void merge(const ObbMoments& other);
};

/// The farthest points along each of the 26 directions of the 26-DOP, by number. They represent a large set; a parent's
/// are among its children's. Compared in single precision: near ties may go either way.
class ExtremePoints {
 public:
  static constexpr std::size_t count = 26;

  ExtremePoints();
  void add(Vec3 p, std::uint32_t number);
  void merge(const ExtremePoints& other);

  /// Each number once, ascending, in `storage`. Meaningless before the first add().
  std::span<const std::uint32_t> numbers(std::array<std::uint32_t, count>& storage) const;

 private:
  static constexpr std::size_t groups = (count + 3) / 4;

  std::array<Four, groups> reach_;
  std::array<FourIntegers, groups> numbers_;
};

using CornersOfTriangle = std::array<Vec3, 3>;

/// The frame of smallest surface area found among those of covariance, the world and the dominant normal, each also
/// turned in its plane. `representatives`: some points of the set that span it, at most 128; more are ignored.
Mat3 smallest_frame(const ObbMoments& moments, std::span<const Vec3> representatives);

/// The same for a few triangles, exact in that it tries the faces and edges themselves; at most 8, more are ignored.
Mat3 smallest_frame(std::span<const CornersOfTriangle> triangles);

/// The default fit: smallest_frame of the moments and representatives, around all `points`.
Obb fit_smallest(const ObbMoments& moments, std::span<const Vec3> representatives, std::span<const Vec3> points);
/// The default fit of triangles, many or few.
Obb fit_smallest(std::span<const CornersOfTriangle> triangles);

/// The fits of OBBTrees: the principal axes of a covariance, and the box along them. `corners`: three of each triangle;
/// only surface_covariance asks which belong together. The covariances are
/// - vertex_covariance: of the corners as they come (Lin 1996, 4.2.1). A crowd of corners inside turns the box;
/// - hull_vertex_covariance: of the convex hull's vertices, each once (the same, improved). A crowd on the hull does;
/// - hull_covariance: of the convex hull's surface, by area (Gottschalk 1996, the reference of Lin 1996). A flat hull
///   counts on both sides. A segment has no area, so its ends are used;
/// - surface_covariance: of the triangles' own surface, as the published program computes it. Without area: of the
///   corners.
Mat3 covariance_frame(std::span<const Vec3> corners, ObbFit fit = ObbFit::hull_covariance);
Obb fit_covariance(std::span<const Vec3> corners, ObbFit fit = ObbFit::hull_covariance);

}  // namespace tumble
