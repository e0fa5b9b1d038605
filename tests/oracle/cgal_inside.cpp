// SPDX-License-Identifier: Apache-2.0
// Side_of_triangle_mesh on a Surface_mesh, with exact predicates.
#include "oracle/cgal_inside.h"

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Polygon_mesh_processing/polygon_soup_to_polygon_mesh.h>
#include <CGAL/Polygon_mesh_processing/self_intersections.h>
#include <CGAL/Side_of_triangle_mesh.h>
#include <CGAL/Surface_mesh.h>

#include <array>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

namespace tumble::testing {

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Surface = CGAL::Surface_mesh<Kernel::Point_3>;

struct CgalSolid::State {
  Surface surface;
  std::optional<CGAL::Side_of_triangle_mesh<Surface, Kernel>> side;
};

CgalSolid::CgalSolid(std::unique_ptr<State> state) : state_(std::move(state)) {}
CgalSolid::~CgalSolid() = default;

std::unique_ptr<CgalSolid> CgalSolid::of(const Mesh& mesh) {
  namespace processing = CGAL::Polygon_mesh_processing;
  std::map<std::tuple<double, double, double>, std::size_t> numbers;  // −0 equals 0
  std::vector<Kernel::Point_3> points;
  std::vector<std::array<std::size_t, 3>> faces;
  for (const Triangle& t : mesh.triangles) {
    std::array<std::size_t, 3> face;
    for (std::size_t i = 0; i < 3; ++i) {
      const Vec3& p = mesh.vertices[t[i]];
      const auto [at, is_new] = numbers.try_emplace({p.x, p.y, p.z}, points.size());
      if (is_new) points.emplace_back(p.x, p.y, p.z);
      face[i] = at->second;
    }
    if (CGAL::collinear(points[face[0]], points[face[1]], points[face[2]])) return nullptr;
    faces.push_back(face);
  }
  if (!processing::is_polygon_soup_a_polygon_mesh(faces)) return nullptr;
  auto state = std::make_unique<State>();
  processing::polygon_soup_to_polygon_mesh(points, faces, state->surface);
  if (!CGAL::is_closed(state->surface) || processing::does_self_intersect(state->surface)) return nullptr;
  state->side.emplace(state->surface);
  return std::unique_ptr<CgalSolid>(new CgalSolid(std::move(state)));
}

Side CgalSolid::at(const Vec3& p) const {
  switch ((*state_->side)(Kernel::Point_3(p.x, p.y, p.z))) {
    case CGAL::ON_BOUNDED_SIDE: return Side::inside;
    case CGAL::ON_BOUNDARY: return Side::on_surface;
    default: return Side::outside;
  }
}

}  // namespace tumble::testing
