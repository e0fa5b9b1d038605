// SPDX-License-Identifier: Apache-2.0
// DepthInSolid: how deep a point is in one solid, that is how far from the solid's boundary, which is less than its
// surface: walls with the solid on both sides are no part of it.
#pragma once

#include "traverse/placed_tree.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace tumble {

/// The depth of a point: its distance from the boundary, negative outside. Not rounded outward.
struct PointDepth {
  double lower = 0, upper = 0;  // the depth lies between these; `lower` is 0 at best for a point on the surface
  double clear = 0;             // the distance from all that is not certainly a wall, negative outside
  std::uint32_t triangle = 0;   // the nearest of these
  Vec3 nearest;                 // on it
  bool at_boundary = false;     // that triangle has an outer_end()
};

/// A triangle whose inner points meet no other triangle has the same winding numbers all along either side, so it is
/// boundary or wall as a whole: an exact test at one point tells. Others may be boundary in part. They bound depths
/// from below; from above they do so only where a place beside them is certainly outside. Where corners lie on sides of
/// other triangles, a pose moves them across by a rounding, and the triangles meet. Then a copy of the triangle, a hair
/// beside it and a hair smaller, meets nothing; so all of the copy is outside if one point of it is.
class DepthInSolid {
 public:
  explicit DepthInSolid(const Body& body)
      : tree_(body), left_out_(body.model.triangles.size()), kinds_(left_out_.size()) {}

  const PlacedTree& tree() const { return tree_; }

  /// `hint`: a triangle that may be near. None after having come across many walls: ask again, it goes on from there.
  std::optional<PointDepth> at(const Vec3& point, std::uint32_t hint);
  bool is_wall(std::uint32_t triangle) const { return left_out_[triangle]; }
  /// Of a triangle `at_boundary`: itself, or a copy a hair from it. None of it is in the interior of the solid.
  Corners outer_end(std::uint32_t triangle) const;
  bool is_outside(const Vec3& point) { return ++searches_, tree_.locate(point).is_outside(); }
  /// Points located, nearest triangles found and triangles examined.
  std::uint64_t searches() const { return searches_; }

 private:
  enum class Kind : std::uint8_t { unknown, wall, boundary, outside_before, outside_behind, partly };

  Kind kind(std::uint32_t triangle);
  Kind examined(std::uint32_t triangle);
  Corners copy(std::uint32_t triangle, Kind side) const;
  bool is_all_outside(const Corners& t);
  std::optional<Vec3> outside_beside(const SurfacePoint& at);
  /// Far beyond all roundings, and as small as that allows.
  double step() const { return 4 * tree_.rounding(); }
  /// Nearer to its edges a triangle's normal tells little.
  double seam() const { return 64 * step(); }

  PlacedTree tree_;
  std::vector<bool> left_out_;  // walls, and for the length of a call others
  std::vector<Kind> kinds_;
  std::uint64_t searches_ = 0;
};

}  // namespace tumble
