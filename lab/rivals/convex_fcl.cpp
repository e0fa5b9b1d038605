// SPDX-License-Identifier: Apache-2.0
// FCL's two GJK solvers, its own and libccd, on two fcl::Convex in double.
#include "lab/rivals/convex_rival.h"
#include "lab/rivals/fcl_types.h"

#include <fcl/config.h>
#include <fcl/geometry/shape/convex.h>
#include <fcl/narrowphase/detail/gjk_solver_indep.h>
#include <fcl/narrowphase/detail/gjk_solver_libccd.h>

namespace tumble::lab {
namespace {

template <class Solver>
class Fcl : public ConvexRival {
 public:
  Fcl(std::string id, std::string name, bool cached) : id_(std::move(id)), name_(std::move(name)), cached_(cached) {}

  std::string id() const override { return id_; }
  std::string name() const override { return name_; }
  std::string settings() const override {
    return std::string("FCL ") + FCL_VERSION +
           " of Debian in double, the solver called directly on fcl::Convex with its " +
           "default tolerance, which climbs to farthest vertices along edges; distances with points" +
           (cached_ ? "; warm: with the cached guess" : "; it remembers nothing");
  }
  void start(const Mesh& a, const Mesh& b) override {
    a_ = shape(a);
    b_ = shape(b);
    forget();
  }
  bool remembers() const override { return cached_; }
  void forget() override {
    solver_.enableCachedGuess(cached_);
    solver_.setCachedGuess(fcl::Vector3d::UnitX());
  }
  bool collide(const Pose& pose) override {
    return solver_.shapeIntersect(*a_, fcl::Transform3d::Identity(), *b_, fcl_transform<double>(pose));
  }
  double distance(const Pose& pose) override {
    double far = 0;
    fcl::Vector3d p, q;
    const bool apart =
        solver_.shapeDistance(*a_, fcl::Transform3d::Identity(), *b_, fcl_transform<double>(pose), &far, &p, &q);
    return apart ? far : 0;
  }

 private:
  static std::unique_ptr<fcl::Convexd> shape(const Mesh& mesh) {
    auto vertices = std::make_shared<std::vector<fcl::Vector3d>>();
    auto faces = std::make_shared<std::vector<int>>();
    for (const Vec3& v : mesh.vertices) vertices->emplace_back(v.x, v.y, v.z);
    for (const Triangle& t : mesh.triangles)
      faces->insert(faces->end(), {3, static_cast<int>(t[0]), static_cast<int>(t[1]), static_cast<int>(t[2])});
    return std::make_unique<fcl::Convexd>(vertices, static_cast<int>(mesh.triangles.size()), faces);
  }

  std::string id_, name_;
  bool cached_;
  Solver solver_;
  std::unique_ptr<fcl::Convexd> a_, b_;
};

}  // namespace
}  // namespace tumble::lab

TUMBLE_CONVEX_RIVALS(tumble::lab::ConvexRivals& into) {
  using namespace tumble::lab;
  using Own = fcl::detail::GJKSolver_indep<double>;
  using Ccd = fcl::detail::GJKSolver_libccd<double>;
  into.push_back(std::make_unique<Fcl<Own>>("fcl-indep", "FCL GJK (double)", true));
  into.push_back(std::make_unique<Fcl<Ccd>>("fcl-libccd", "FCL GJK by libccd (double)", false));
}
