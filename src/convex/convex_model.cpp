// SPDX-License-Identifier: Apache-2.0
// Makes a ConvexModel from a mesh: its hull, and the check that the mesh is its hull.
#include "convex/convex_data.h"
#include "core/plain_arithmetic.h"
#include "geometry/unit_normal.h"

#include <tumble/convex.h>
#include <tumble/error.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace tumble {
namespace {

/// How far a vertex of a convex mesh may be above the plane of a face, in sizes of the mesh.
constexpr double convexity = 1e-9;

std::shared_ptr<const ConvexData> hull_data(const Mesh& mesh) {
  check(mesh);
  std::vector<Vec3> points;
  std::vector<std::uint8_t> used(mesh.vertices.size());
  for (const Triangle& t : mesh.triangles)
    for (const std::uint32_t v : t)
      if (!std::exchange(used[v], 1)) points.push_back(mesh.vertices[v]);
  if (points.empty()) throw Error(ErrorCode::invalid_mesh, "a convex model needs triangles; this mesh has none");
  ConvexHull hull = convex_hull(points);
  if (hull.is_box) throw Error(ErrorCode::invalid_mesh, "Qhull cannot compute the convex hull of this mesh");
  if (hull.triangles.empty())
    throw Error(ErrorCode::invalid_mesh, "the convex hull of this mesh is a point or a line; it needs area");
  return std::make_shared<ConvexData>(std::move(hull));
}

/// In units of 2^exponent: those of the mesh's size, in which squares and cubes of small lengths are not 0.
Vec3 in_units(const Vec3& v, int exponent) {
  return {std::ldexp(v.x, -exponent), std::ldexp(v.y, -exponent), std::ldexp(v.z, -exponent)};
}

double volume(const Mesh& mesh, int exponent) {
  const Vec3 origin = mesh.vertices[mesh.triangles[0][0]];
  const auto from_origin = [&](std::uint32_t vertex) { return in_units(mesh.vertices[vertex] - origin, exponent); };
  double six_times = 0;
  for (const auto& [i, j, k] : mesh.triangles) six_times += dot(from_origin(i), cross(from_origin(j), from_origin(k)));
  return six_times;
}

}  // namespace

/// Every face must have the whole hull below its plane. Then all of its corners are on the hull, and a closed surface
/// of such faces is the hull's.
std::optional<Error> convexity_fault(const Mesh& mesh, const ConvexData& data) {
  const MeshSummary summary = summarize(mesh);
  if (!summary.closed)
    return Error(ErrorCode::not_closed, "a convex mesh must be closed; this one has " +
                                            std::to_string(summary.open_edges) +
                                            " open edges (take hull_of() if its hull will do)");
  const int exponent = std::ilogb(data.size);
  const bool inside_out = volume(mesh, exponent) < 0;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const auto& [i, j, k] = mesh.triangles[t];
    Corners corners{mesh.vertices[i], mesh.vertices[j], mesh.vertices[k]};
    if (inside_out) std::swap(corners[1], corners[2]);
    const Vec3 n = unit_normal(corners).direction;
    if (!(length_sq(n) > 0.5)) continue;  // no area, no plane
    const std::uint32_t highest = data.farthest(n);
    const double above = dot(n, data.hull.vertices[highest] - corners[0]);
    // The plane of a sliver is as uncertain as roundings of its corners make it.
    const Vec3 u = in_units(corners[1] - corners[0], exponent), v = in_units(corners[2] - corners[0], exponent);
    const double longest = std::max({length(u), length(v), length(in_units(corners[2] - corners[1], exponent))});
    const double height = std::ldexp(length(cross(u, v)) / longest, exponent);
    const double tolerance = data.size * (convexity + 0x1p-50 * data.reach / height) + data.hull.margin;
    if (above <= tolerance) continue;
    const auto vertex = std::find(mesh.vertices.begin(), mesh.vertices.end(), data.hull.vertices[highest]);
    return Error(
        ErrorCode::invalid_mesh,
        "the mesh is not convex: the vertex is above the triangle's plane by more than 1e-9 of the mesh's size "
        "(take hull_of() if its hull will do)",
        {.file = {}, .triangle = static_cast<std::int64_t>(t), .vertex = vertex - mesh.vertices.begin()});
  }
  return std::nullopt;
}

ConvexModel::ConvexModel(const Mesh& mesh) {
  const PlainArithmetic plain;
  data_ = hull_data(mesh);
  if (const auto fault = convexity_fault(mesh, *data_)) throw *fault;
}

ConvexModel ConvexModel::hull_of(const Mesh& mesh) {
  const PlainArithmetic plain;
  return ConvexAccess::model(hull_data(mesh));
}

std::span<const Vec3> ConvexModel::vertices() const { return data_->hull.vertices; }
std::span<const Triangle> ConvexModel::triangles() const { return data_->hull.triangles; }
const Model& ConvexModel::model() const {
  // On this thread alone: a question may be waiting for it, one of many on other threads.
  return data_->model.get([this] {
    return Model(Mesh{data_->hull.vertices, data_->hull.triangles, {}}, TreeOptions{.threads = 1});
  });
}
std::size_t ConvexModel::bytes() const { return data_->bytes(); }

}  // namespace tumble
