// SPDX-License-Identifier: Apache-2.0
// The referee for rays and points: CGAL's AABB tree with its exact kernel, constructions included.
#pragma once

#include <tumble/mesh.h>
#include <tumble/point.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace tumble::testing {

class CgalSurface {
 public:
  /// Triangles without area are left out: CGAL does not answer for them.
  explicit CgalSurface(const Mesh& world);
  ~CgalSurface();

  bool has(std::uint32_t triangle) const;
  /// The triangles hit, in ascending order.
  std::vector<std::uint32_t> hits(const Ray& ray) const;
  std::vector<std::uint32_t> hits(const LineSegment& segment) const;
  /// The exact distance, rounded.
  double distance(const Vec3& point) const;
  /// The exact t of a triangle hit, rounded; NaN if the line is in the triangle's plane.
  double t(const Ray& ray, std::uint32_t triangle) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tumble::testing
