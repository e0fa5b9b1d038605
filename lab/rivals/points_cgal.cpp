// SPDX-License-Identifier: Apache-2.0
// CGAL's AABB tree asked about points and rays.
#include "lab/rivals/point_rival.h"

#include <CGAL/AABB_face_graph_triangle_primitive.h>
#include <CGAL/AABB_traits.h>
#include <CGAL/AABB_tree.h>
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Surface_mesh.h>
#include <CGAL/version.h>

#include <cmath>

namespace tumble::lab {
namespace {

class CgalPoints : public PointRival {
 public:
  std::string id() const override { return "cgal"; }
  std::string name() const override { return "CGAL AABB tree"; }
  std::string settings() const override {
    return "CGAL " CGAL_VERSION_STR
           " of Debian, AABB_tree with accelerated distances, Exact_predicates_inexact_constructions_kernel";
  }
  void build(const Mesh& mesh) override {
    tree_.reset();
    surface_ = std::make_unique<Surface>();
    // Every triangle with corners of its own: not every mesh is a manifold.
    for (const Triangle& t : mesh.triangles)
      surface_->add_face(surface_->add_vertex(point(mesh.vertices[t[0]])),
                         surface_->add_vertex(point(mesh.vertices[t[1]])),
                         surface_->add_vertex(point(mesh.vertices[t[2]])));
    tree_ = std::make_unique<Tree>(faces(*surface_).first, faces(*surface_).second, *surface_);
    tree_->build();
    tree_->accelerate_distance_queries();
  }
  double distance(const Vec3& p) override { return std::sqrt(tree_->squared_distance(point(p))); }
  double first_hit(const Ray& ray) override {
    const Kernel::Point_3 origin = point(ray.origin);
    const auto hit = tree_->first_intersection(
        Kernel::Ray_3(origin, Kernel::Direction_3(ray.direction.x, ray.direction.y, ray.direction.z)));
    if (!hit) return 0;
    const auto* const at = boost::get<Kernel::Point_3>(&hit->first);
    return at ? std::sqrt(CGAL::squared_distance(*at, origin)) : 0;
  }

 private:
  using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
  using Surface = CGAL::Surface_mesh<Kernel::Point_3>;
  using Tree = CGAL::AABB_tree<CGAL::AABB_traits<Kernel, CGAL::AABB_face_graph_triangle_primitive<Surface>>>;

  static Kernel::Point_3 point(const Vec3& p) { return {p.x, p.y, p.z}; }

  std::unique_ptr<Surface> surface_;
  std::unique_ptr<Tree> tree_;
};

}  // namespace
}  // namespace tumble::lab

TUMBLE_POINT_RIVALS(tumble::lab::PointRivals& into) { into.push_back(std::make_unique<tumble::lab::CgalPoints>()); }
