// SPDX-License-Identifier: Apache-2.0
// Every triangle by itself, in an AABB tree, with exact numbers.
#include "oracle/cgal_rays.h"

#include <CGAL/AABB_traits.h>
#include <CGAL/AABB_tree.h>
#include <CGAL/AABB_triangle_primitive.h>
#include <CGAL/Exact_predicates_exact_constructions_kernel.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace tumble::testing {

using Kernel = CGAL::Exact_predicates_exact_constructions_kernel;
using Triangles = std::vector<Kernel::Triangle_3>;
using Primitive = CGAL::AABB_triangle_primitive<Kernel, Triangles::const_iterator>;
using Tree = CGAL::AABB_tree<CGAL::AABB_traits<Kernel, Primitive>>;

struct CgalSurface::State {
  Triangles triangles;
  std::vector<std::uint32_t> ids;   // of these triangles in the mesh
  std::vector<std::size_t> places;  // of the mesh's triangles among these; none: the number of them
  Tree tree;

  template <class Query>
  std::vector<std::uint32_t> hits(const Query& query) const {
    std::vector<Tree::Primitive_id> met;
    tree.all_intersected_primitives(query, std::back_inserter(met));
    std::vector<std::uint32_t> hit;
    for (const auto& at : met) hit.push_back(ids[static_cast<std::size_t>(at - triangles.begin())]);
    std::sort(hit.begin(), hit.end());
    return hit;
  }
};

namespace {

Kernel::Point_3 point(const Vec3& p) { return {p.x, p.y, p.z}; }
Kernel::Vector_3 vector(const Vec3& p) { return {p.x, p.y, p.z}; }

}  // namespace

CgalSurface::CgalSurface(const Mesh& world) : state_(std::make_unique<State>()) {
  for (std::uint32_t t = 0; t < world.triangles.size(); ++t) {
    const Triangle& corners = world.triangles[t];
    const Kernel::Triangle_3 triangle(point(world.vertices[corners[0]]), point(world.vertices[corners[1]]),
                                      point(world.vertices[corners[2]]));
    state_->places.push_back(std::numeric_limits<std::size_t>::max());
    if (triangle.is_degenerate()) continue;
    state_->places.back() = state_->triangles.size();
    state_->triangles.push_back(triangle);
    state_->ids.push_back(t);
  }
  state_->tree.insert(state_->triangles.cbegin(), state_->triangles.cend());
  state_->tree.build();
  state_->tree.accelerate_distance_queries();
}
CgalSurface::~CgalSurface() = default;

bool CgalSurface::has(std::uint32_t triangle) const { return state_->places[triangle] < state_->triangles.size(); }

std::vector<std::uint32_t> CgalSurface::hits(const Ray& ray) const {
  return state_->hits(Kernel::Ray_3(point(ray.origin), vector(ray.direction)));
}
std::vector<std::uint32_t> CgalSurface::hits(const LineSegment& segment) const {
  return state_->hits(Kernel::Segment_3(point(segment.from), point(segment.to)));
}

double CgalSurface::distance(const Vec3& p) const {
  return std::sqrt(CGAL::to_double(CGAL::exact(state_->tree.squared_distance(point(p)))));
}

double CgalSurface::t(const Ray& ray, std::uint32_t triangle) const {
  const Kernel::Triangle_3& corners = state_->triangles[state_->places[triangle]];
  const Kernel::Vector_3 normal = CGAL::cross_product(corners[1] - corners[0], corners[2] - corners[0]);
  const Kernel::FT slope = normal * vector(ray.direction);
  if (slope == 0) return std::numeric_limits<double>::quiet_NaN();
  return CGAL::to_double(CGAL::exact((normal * (corners[0] - point(ray.origin))) / slope));
}

}  // namespace tumble::testing
