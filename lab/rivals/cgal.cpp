// SPDX-License-Identifier: Apache-2.0
// CGAL's AABB trees with exact predicates: two trees for `any`, one tree and each triangle of the object for `all`.
#include "lab/rivals/rival.h"

#include <CGAL/AABB_face_graph_triangle_primitive.h>
#include <CGAL/AABB_traits.h>
#include <CGAL/AABB_tree.h>
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Rigid_triangle_mesh_collision_detection.h>
#include <CGAL/Surface_mesh.h>
#include <CGAL/version.h>

namespace tumble::lab {
namespace {

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Surface = CGAL::Surface_mesh<Kernel::Point_3>;
using Detection = CGAL::Rigid_triangle_mesh_collision_detection<Surface>;

class Cgal : public Rival {
 public:
  std::string id() const override { return "cgal"; }
  std::string name() const override { return "CGAL AABB tree (exact)"; }
  std::string settings() const override {
    return "CGAL " CGAL_VERSION_STR
           " of Debian, exact predicates on doubles; any: Rigid_triangle_mesh_collision_detection, or do_intersect for "
           "each moved triangle if the object has fewer than 100 (faster there); all: all_intersected_primitives for "
           "each moved triangle, since CGAL lists no pairs";
  }
  bool exact() const override { return true; }
  void build(const Mesh& environment, const Mesh& object) override {
    clear();
    state_ = std::make_unique<State>();
    to_surface(environment, state_->environment);
    to_surface(object, state_->object);
    state_->tree = Tree(faces(state_->environment).first, faces(state_->environment).second, state_->environment);
    state_->tree.build();
    const auto one_component = CGAL::parameters::apply_per_connected_component(false);  // only inclusion needs them
    state_->environment_id = state_->detection.add_mesh(state_->tree, state_->environment, one_component);
    state_->object_id = state_->detection.add_mesh(state_->object, one_component);
    state_->vertices = object.vertices;
    state_->triangles = object.triangles;
  }
  void clear() override { state_.reset(); }
  bool any(const Pose& pose) override {
    if (state_->triangles.size() < few) {
      move(pose);
      for (std::uint32_t i = 0; i < state_->triangles.size(); ++i)
        if (state_->tree.do_intersect(moved_triangle(i))) return true;
      return false;
    }
    const Vec3 &r0 = pose.row(0), &r1 = pose.row(1), &r2 = pose.row(2), &t = pose.translation();
    state_->detection.set_transformation(state_->object_id,
                                         {r0.x, r0.y, r0.z, t.x, r1.x, r1.y, r1.z, t.y, r2.x, r2.y, r2.z, t.z});
    return !state_->detection.get_all_intersections(state_->object_id).empty();
  }
  void all(const Pose& pose, std::vector<PairOfTriangles>& into) override {
    into.clear();
    move(pose);
    for (std::uint32_t i = 0; i < state_->triangles.size(); ++i) {
      found_.clear();
      state_->tree.all_intersected_primitives(moved_triangle(i), std::back_inserter(found_));
      for (const Surface::Face_index face : found_) into.emplace_back(static_cast<std::uint32_t>(face), i);
    }
  }

 private:
  using Tree = Detection::AABB_tree;
  static constexpr std::size_t few = 100;  // triangles, up to which one by one is quicker than two trees

  struct State {
    Surface environment, object;
    Tree tree;
    Detection detection;  // refers to the tree: destroyed before it
    std::size_t environment_id = 0, object_id = 0;
    std::vector<Vec3> vertices;  // of the object at rest
    std::vector<Triangle> triangles;
    std::vector<Kernel::Point_3> moved;
  };

  /// Every triangle with corners of its own: a surface mesh has no room for edges of three triangles.
  static void to_surface(const Mesh& mesh, Surface& surface) {
    surface.reserve(3 * mesh.triangles.size(), 3 * mesh.triangles.size(), mesh.triangles.size());
    for (const Triangle& t : mesh.triangles) {
      std::array<Surface::Vertex_index, 3> corners;
      for (std::size_t i = 0; i < 3; ++i) {
        const Vec3& p = mesh.vertices[t[i]];
        corners[i] = surface.add_vertex({p.x, p.y, p.z});
      }
      surface.add_face(corners[0], corners[1], corners[2]);
    }
  }

  void move(const Pose& pose) {
    state_->moved.clear();
    for (const Vec3& v : state_->vertices) {
      const Vec3 p = pose * v;
      state_->moved.emplace_back(p.x, p.y, p.z);
    }
  }
  Kernel::Triangle_3 moved_triangle(std::uint32_t i) const {
    const Triangle& t = state_->triangles[i];
    return {state_->moved[t[0]], state_->moved[t[1]], state_->moved[t[2]]};
  }

  std::unique_ptr<State> state_;
  std::vector<Surface::Face_index> found_;
};

}  // namespace
}  // namespace tumble::lab

TUMBLE_RIVALS(tumble::lab::Rivals& into) { into.push_back(std::make_unique<tumble::lab::Cgal>()); }
