// SPDX-License-Identifier: Apache-2.0
// Meshes faces one by one, as OpenCASCADE does, and puts them together by the topology of the shape: nodes on an edge
// or a corner are one vertex for all faces around it, so that a closed shell becomes a closed mesh without any
// tolerance.
#include "step/tessellate.h"

#include <opencascade/BRepBndLib.hxx>
#include <opencascade/BRepMesh_IncrementalMesh.hxx>
#include <opencascade/BRep_Tool.hxx>
#include <opencascade/Bnd_Box.hxx>
#include <opencascade/Poly_PolygonOnTriangulation.hxx>
#include <opencascade/Poly_Triangulation.hxx>
#include <opencascade/TopExp.hxx>
#include <opencascade/TopExp_Explorer.hxx>
#include <opencascade/TopTools_IndexedMapOfShape.hxx>
#include <opencascade/TopoDS.hxx>
#include <opencascade/TopoDS_Edge.hxx>
#include <opencascade/TopoDS_Face.hxx>
#include <opencascade/TopoDS_Vertex.hxx>

#include <map>
#include <utility>
#include <vector>

namespace tumble::step {
namespace {

class Sewing {
 public:
  Tessellation take() { return std::move(result_); }

  void add(const TopoDS_Face& face) {
    TopLoc_Location place;
    const Handle(Poly_Triangulation) triangles = BRep_Tool::Triangulation(face, place);
    if (triangles.IsNull() || triangles->NbTriangles() == 0) {
      ++result_.missing_faces;
      return;
    }
    constexpr std::uint32_t open = ~0u;
    std::vector<std::uint32_t> ids(std::size_t(triangles->NbNodes()) + 1, open);
    const gp_Trsf to_part = place.Transformation();
    const auto point_of = [&](int node) {
      const gp_Pnt p = triangles->Node(node).Transformed(to_part);
      return Vec3{p.X(), p.Y(), p.Z()};
    };
    for (TopExp_Explorer edges(face, TopAbs_EDGE); edges.More(); edges.Next()) {
      // As it lies in this face: a seam is met twice, once in each direction, with nodes of its own each time.
      const TopoDS_Edge edge = TopoDS::Edge(edges.Current());
      const Handle(Poly_PolygonOnTriangulation) line = BRep_Tool::PolygonOnTriangulation(edge, triangles, place);
      if (line.IsNull()) continue;
      const int last = line->NbNodes();
      for (int i = 1; i <= last; ++i) {
        const int node = line->Node(i);
        ids[std::size_t(node)] = shared_vertex(edge, i, last, point_of(node));
      }
    }
    for (int node = 1; node <= triangles->NbNodes(); ++node)
      if (ids[std::size_t(node)] == open) ids[std::size_t(node)] = new_vertex(point_of(node));
    for (int i = 1; i <= triangles->NbTriangles(); ++i) {
      int n[3];
      triangles->Triangle(i).Get(n[0], n[1], n[2]);
      if (face.Orientation() == TopAbs_REVERSED) std::swap(n[1], n[2]);
      const Triangle corners{ids[std::size_t(n[0])], ids[std::size_t(n[1])], ids[std::size_t(n[2])]};
      if (corners[0] != corners[1] && corners[1] != corners[2] && corners[2] != corners[0])
        result_.mesh.triangles.push_back(corners);
    }
  }

 private:
  std::uint32_t new_vertex(const Vec3& p) {
    result_.mesh.vertices.push_back(p);
    return std::uint32_t(result_.mesh.vertices.size() - 1);
  }

  /// The vertex for node i of an edge, counted along the edge's curve whichever way the edge runs.
  std::uint32_t shared_vertex(const TopoDS_Edge& edge, int i, int last, const Vec3& p) {
    const TopoDS_Edge forward = TopoDS::Edge(edge.Oriented(TopAbs_FORWARD));
    TopoDS_Vertex begin, end;
    TopExp::Vertices(forward, begin, end);
    const bool whole_edge_is_a_point = BRep_Tool::Degenerated(forward);
    const TopoDS_Vertex corner = i == 1 || whole_edge_is_a_point ? begin : i == last ? end : TopoDS_Vertex();
    const std::pair key = corner.IsNull() ? std::pair(shapes_.Add(forward), i) : std::pair(shapes_.Add(corner), 0);
    const auto [at, is_new] = vertices_.try_emplace(key, 0);
    if (is_new) at->second = new_vertex(p);
    return at->second;
  }

  Tessellation result_;
  TopTools_IndexedMapOfShape shapes_;  // edges and corners, the same whichever way they run
  std::map<std::pair<int, int>, std::uint32_t> vertices_;
};

}  // namespace

bool has_faces(const TopoDS_Shape& shape) { return TopExp_Explorer(shape, TopAbs_FACE).More(); }

double size_of(const TopoDS_Shape& shape) {
  Bnd_Box box;
  BRepBndLib::Add(shape, box, false);
  return box.IsVoid() ? 0 : std::sqrt(box.SquareExtent());
}

Tessellation tessellate(const TopoDS_Shape& shape, double deflection, double angle) {
  const BRepMesh_IncrementalMesh mesher(shape, deflection, false, angle, false);
  Sewing sewing;
  for (TopExp_Explorer faces(shape, TopAbs_FACE); faces.More(); faces.Next()) sewing.add(TopoDS::Face(faces.Current()));
  return sewing.take();
}

}  // namespace tumble::step
