// SPDX-License-Identifier: Apache-2.0
// Makes a Model from a mesh.
#include <tumble/model.h>

#include "build/build_tree.h"
#include "core/plain_arithmetic.h"
#include "mesh/weld.h"
#include "tree/model_data.h"

namespace tumble {
namespace {

/// Merges equal vertices if most are repeats. In a soup that repeats every corner (STL), vertices would take three
/// quarters of a model's memory. Positions do not change, so neither does any answer.
void join_repeated_vertices(Mesh& mesh) {
  if (mesh.vertices.size() < 2 * mesh.triangles.size()) return;
  const Weld welded = weld(mesh.vertices);
  std::vector<Vec3> points;
  points.reserve(welded.vertex_of_point.size());
  for (const std::uint32_t v : welded.vertex_of_point) points.push_back(mesh.vertices[v]);
  for (Triangle& triangle : mesh.triangles)
    for (std::uint32_t& v : triangle) v = welded.point_of_vertex[v];
  mesh.vertices = std::move(points);
}

}  // namespace

Model::Model(Mesh mesh, const TreeOptions& options) {
  const PlainArithmetic plain;
  check(mesh);
  join_repeated_vertices(mesh);
  auto owned = std::make_shared<Mesh>(std::move(mesh));
  owned->vertices.shrink_to_fit();
  owned->triangles.shrink_to_fit();
  auto data = std::make_shared<ModelData>();
  data->vertices = owned->vertices;
  data->triangles = owned->triangles;
  data->parts = std::move(owned->parts);
  data->mesh_storage = owned;
  data->tree = build_tree(data->vertices, data->triangles, options);
  data_ = std::move(data);
}

}  // namespace tumble
