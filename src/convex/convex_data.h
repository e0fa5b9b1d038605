// SPDX-License-Identifier: Apache-2.0
// ConvexData: the data behind a ConvexModel: a hull as a graph of half-edges, and where to begin to climb in it.
#pragma once

#include "core/lazy.h"
#include "geometry/convex_hull.h"
#include "geometry/triangle.h"

#include <tumble/convex.h>
#include <tumble/error.h>
#include <tumble/mesh.h>
#include <tumble/model.h>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace tumble {

/// Half-edge 3·t + i leads from corner i of triangle t to the next.
using HalfEdge = std::uint32_t;

struct ConvexData {
  /// The hull must have triangles.
  explicit ConvexData(ConvexHull of);

  ConvexHull hull;
  std::vector<HalfEdge> twin;      // of each half-edge: the same edge in the triangle beyond
  std::vector<HalfEdge> outgoing;  // beside hull.neighbors: the half-edge that leads there
  Vec3 middle;                     // of the box
  double size = 0;                 // largest side of the box
  double reach = 0;                // largest |x| + |y| + |z| of a vertex
  Lazy<Model> model;

  std::size_t bytes() const;

  std::uint32_t from(HalfEdge h) const { return hull.triangles[h / 3][h % 3]; }
  std::uint32_t to(HalfEdge h) const { return hull.triangles[h / 3][next_corner(h % 3)]; }
  /// Some triangle with this corner.
  std::uint32_t triangle_at(std::uint32_t vertex) const { return outgoing[hull.neighbor_begin[vertex]] / 3; }

  /// A vertex near the farthest along the direction: the start of a short climb.
  std::uint32_t start(Vec3 direction) const;
  std::uint32_t farthest(Vec3 direction) const { return hull.farthest(direction, start(direction)); }

 private:
  std::size_t cell(Vec3 direction) const;

  // The farthest vertex for each cell of a grid on the faces of a cube of directions.
  std::uint32_t side_ = 1;
  std::vector<std::uint32_t> starts_;
};

/// What keeps a mesh from being its own hull, to the tolerance of ConvexModel; none if it is convex. `data` is of its
/// hull.
std::optional<Error> convexity_fault(const Mesh& mesh, const ConvexData& data);

/// Converts between a ConvexModel and its data, inside the library only.
struct ConvexAccess {
  static const ConvexData& data(const ConvexModel& model) { return *model.data_; }
  static ConvexModel model(std::shared_ptr<const ConvexData> data) {
    ConvexModel made;
    made.data_ = std::move(data);
    return made;
  }
};

}  // namespace tumble
