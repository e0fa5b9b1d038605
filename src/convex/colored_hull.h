// SPDX-License-Identifier: Apache-2.0
// ColoredHull: the convex hull of a model, and which of its features are the model's own (Lin 1996, section 4.1). Those
// are red; what only bridges a hollow is green.
#pragma once

#include "convex/convex_data.h"
#include "convex/voronoi_walk.h"
#include "tree/model_data.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace tumble {

struct ColoredHull {
  ColoredHull(ConvexHull hull, const ModelData& model);

  ConvexData data;
  std::size_t red_faces = 0;  // of data.hull.triangles

  /// The model's triangles with a corner at a vertex of the hull. There is at least one: vertices are red.
  std::span<const std::uint32_t> triangles_at(std::uint32_t vertex) const {
    return std::span(triangles_).subspan(first_[vertex], first_[vertex + 1] - first_[vertex]);
  }
  /// Calls each(triangle) for the model's triangles that have the feature: as a corner, as an edge, or as they are. If
  /// there is none, the feature is green.
  template <class Each>
  void each_triangle(const ModelData& model, const Feature& feature, const Each& each) const {
    const ConvexFeature of = describe(data, feature);
    for (const std::uint32_t t : triangles_at(of.vertices[0]))
      if (has(model, t, of.vertices[1]) && has(model, t, of.vertices[2])) each(t);
  }
  std::size_t bytes() const;

 private:
  bool has(const ModelData& model, std::uint32_t triangle, std::uint32_t vertex) const;

  std::vector<std::uint32_t> first_;      // of each vertex in `triangles_`, and the end
  std::vector<std::uint32_t> triangles_;  // of the model
};

/// The hull of a model, made by the first call. None if its triangles have no area all together, if it is too small for
/// certificates, or if Qhull fails.
const ColoredHull* hull_of(const ModelData& model);

}  // namespace tumble
