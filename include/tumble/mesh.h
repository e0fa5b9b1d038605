// SPDX-License-Identifier: Apache-2.0
// Mesh: a triangle soup with optional named parts; its checks and summary; assemblies of placed meshes.
#pragma once

#include <tumble/pose.h>
#include <tumble/vec.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tumble {

/// Three indices into the vertices, counter-clockwise seen from the front.
using Triangle = std::array<std::uint32_t, 3>;

/// A named, contiguous range of a mesh's triangles.
struct Part {
  std::string name;
  std::uint32_t first_triangle = 0;
  std::uint32_t triangle_count = 0;

  friend bool operator==(const Part&, const Part&) = default;
};

struct Mesh {
  std::vector<Vec3> vertices;
  std::vector<Triangle> triangles;
  std::vector<Part> parts;  // in order, without overlap; may be empty or leave triangles unnamed

  friend bool operator==(const Mesh&, const Mesh&) = default;
};

/// Throws Error(invalid_mesh), naming the vertex, triangle or part, unless every coordinate is finite and at
/// most max_coordinate, every index is in range and the parts are in order.
void check(const Mesh& mesh);

struct Box {
  Vec3 lower, upper;  // lower > upper when empty
};
/// The box of the vertices that triangles use.
Box bounding_box(const Mesh& mesh);

/// Facts about a mesh's faces and edges. Vertices with bit-equal positions count as one (−0 equals 0). Faces with fewer
/// than three distinct corners are counted, then ignored; a face without area whose corners are distinct has edges like
/// any other.
struct MeshSummary {
  std::size_t degenerate_faces = 0;                   // exactly zero area
  std::size_t points = 0;                             // distinct positions of the remaining faces' vertices
  std::size_t edges = 0;                              // of the remaining faces, after welding
  std::size_t open_edges = 0;                         // not used as often in one direction as in the other
  std::size_t non_manifold_edges = 0;                 // used by more than two faces
  std::size_t shells = 0;                             // sets of faces connected through vertices
  bool closed = false;                                // no open edge, and at least one face with area
  std::vector<std::array<Vec3, 2>> first_open_edges;  // a few of them, for messages
};
MeshSummary summarize(const Mesh& mesh);

/// One placed use of a mesh.
struct Instance {
  std::string name;
  std::uint32_t mesh = 0;  // index into Assembly::meshes
  Pose pose;
};

/// Meshes and their placements; several instances may share a mesh.
struct Assembly {
  std::vector<Mesh> meshes;
  std::vector<Instance> instances;
};

/// One mesh in world coordinates with one part per instance (its parts named "instance/part" when it has any).
Mesh flatten(const Assembly& assembly);

}  // namespace tumble
