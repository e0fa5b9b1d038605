// SPDX-License-Identifier: Apache-2.0
// Flattens an assembly into one mesh in world coordinates.
#include "math/transform.h"

#include <tumble/error.h>
#include <tumble/mesh.h>

namespace tumble {
namespace {

std::uint32_t id(std::size_t value) { return static_cast<std::uint32_t>(value); }

/// Appends the mesh's parts as "instance/part"; triangles of no part get the instance's name alone.
void append_parts(Mesh& flat, const Mesh& mesh, const std::string& instance) {
  const std::size_t base = flat.triangles.size();
  std::size_t done = 0;
  const auto unnamed_until = [&](std::size_t end) {
    if (end > done) flat.parts.push_back({instance, id(base + done), id(end - done)});
  };
  for (const Part& part : mesh.parts) {
    unnamed_until(part.first_triangle);
    flat.parts.push_back({instance + "/" + part.name, id(base + part.first_triangle), part.triangle_count});
    done = std::size_t{part.first_triangle} + part.triangle_count;
  }
  unnamed_until(mesh.triangles.size());
}

}  // namespace

Mesh flatten(const Assembly& assembly) {
  const auto fail = [](const std::string& what) { throw Error(ErrorCode::invalid_mesh, what); };
  for (const Mesh& mesh : assembly.meshes) check(mesh);
  constexpr std::size_t most = std::size_t{1} << 31;
  std::size_t vertices = 0, triangles = 0;
  for (const Instance& instance : assembly.instances) {
    if (instance.mesh >= assembly.meshes.size())
      fail("instance '" + instance.name + "' uses mesh " + std::to_string(instance.mesh) + " of " +
           std::to_string(assembly.meshes.size()));
    vertices += assembly.meshes[instance.mesh].vertices.size();
    triangles += assembly.meshes[instance.mesh].triangles.size();
    if (vertices > most || triangles > most) fail("the assembly flattens to more than 2^31 vertices or triangles");
  }
  Mesh flat;
  flat.vertices.reserve(vertices);
  flat.triangles.reserve(triangles);
  for (const Instance& instance : assembly.instances) {
    const Mesh& mesh = assembly.meshes[instance.mesh];
    append_parts(flat, mesh, instance.name);
    const std::uint32_t base = id(flat.vertices.size());
    const bool identity = instance.pose.is_identity();
    for (const Vec3& v : mesh.vertices) {
      const Vec3 world = identity ? v : to_world(instance.pose, v);
      for (int axis = 0; axis < 3; ++axis)
        if (!(std::abs(world[axis]) <= max_coordinate))
          fail("instance '" + instance.name + "' reaches beyond 1e100 in world coordinates");
      flat.vertices.push_back(world);
    }
    for (const Triangle& t : mesh.triangles) flat.triangles.push_back({base + t[0], base + t[1], base + t[2]});
  }
  return flat;
}

}  // namespace tumble
