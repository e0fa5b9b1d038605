// SPDX-License-Identifier: Apache-2.0
// The bounding volumes at one depth of a tree as a mesh, for display (Klosowski 1998, Fig. 4).
#include "bounds/dop_brep.h"
#include "bounds/lanes.h"
#include "tree/model_data.h"

#include <tumble/error.h>
#include <tumble/model.h>

namespace tumble {
namespace {

/// Vertices and triangles in tree coordinates.
struct Shape {
  std::vector<Vec3> vertices;
  std::vector<std::array<std::uint32_t, 3>> triangles;
};

Shape shape_of(const Obb& box) {
  Shape shape;
  for (int corner = 0; corner < 8; ++corner) {
    Vec3 p{box.center[0], box.center[1], box.center[2]};
    for (std::size_t i = 0; i < 3; ++i) {
      const double side = (corner >> i & 1) != 0 ? box.half[i] : -box.half[i];
      p += Vec3{box.axes[i][0], box.axes[i][1], box.axes[i][2]} * side;
    }
    shape.vertices.push_back(p);
  }
  shape.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                     {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  return shape;
}

Shape shape_of(const LaneSlabs& slabs, int k) {
  const Polytope polytope = boundary(slabs.lowers(), slabs.uppers(), k);
  return {polytope.vertices, triangulate(polytope)};
}

}  // namespace

Mesh bounds_at_depth(const Model& model, int depth) {
  const Tree& tree = data_of(model).tree;
  const Mat3 turn_back = transpose(tree.frame.rotation);
  const double unit = std::ldexp(1.0, tree.frame.exponent);
  Mesh mesh;
  std::vector<int> depth_of(tree.node_count, 0);
  for (std::uint32_t n = 0; n < tree.node_count; ++n) {
    const NodeView node = tree.node(n);
    for (int lane = 0; lane < node.used_lanes(); ++lane) {
      const Child child = node.children[lane];
      if (!child.is_leaf()) depth_of[child.index()] = depth_of[n] + 1;
      if (depth_of[n] != depth) continue;
      const auto l = static_cast<std::size_t>(lane);
      const Shape shape = tree.bound == Bound::obb ? shape_of(lane_obb(node.rows, l))
                                                   : shape_of(lane_slabs(node.rows, tree.k, l), tree.k);
      const auto first_vertex = static_cast<std::uint32_t>(mesh.vertices.size());
      const auto first_triangle = static_cast<std::uint32_t>(mesh.triangles.size());
      for (const Vec3& v : shape.vertices) mesh.vertices.push_back(turn_back * v * unit + tree.frame.center);
      for (const auto& t : shape.triangles)
        mesh.triangles.push_back({first_vertex + t[0], first_vertex + t[1], first_vertex + t[2]});
      mesh.parts.push_back({std::string(child.is_leaf() ? "leaf " : "node ") + std::to_string(child.index()),
                            first_triangle, static_cast<std::uint32_t>(shape.triangles.size())});
    }
  }
  if (mesh.parts.empty())
    throw Error(ErrorCode::invalid_argument, "the tree has no volumes at depth " + std::to_string(depth) +
                                                 "; its depths are 0 to " +
                                                 std::to_string(statistics(model).leaves_at_depth.size() - 1));
  return mesh;
}

}  // namespace tumble
