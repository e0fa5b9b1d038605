// SPDX-License-Identifier: Apache-2.0
// FCL as Debian packages it, in double precision. Contacts are not generated: `any` asks for one contact without its
// geometry, `all` for as many as there are.
#include "lab/rivals/rival.h"

#include <fcl/fcl.h>

#include <limits>

namespace tumble::lab {
namespace {

template <class Volume>
class Fcl : public Rival {
 public:
  explicit Fcl(std::string volume) : name_("FCL " + std::move(volume) + " (double, Debian)") {}

  std::string name() const override { return name_; }
  void build(const Mesh& environment, const Mesh& object) override {
    environment_ = model_of(environment);
    object_ = model_of(object);
  }
  bool any(const Pose& pose) override {
    const fcl::CollisionRequest<double> request(1, false);
    fcl::CollisionResult<double> result;
    return fcl::collide(environment_.get(), fcl::Transform3d::Identity(), object_.get(), transform(pose), request,
                        result) > 0;
  }
  void all(const Pose& pose, std::vector<PairOfTriangles>& into) override {
    const fcl::CollisionRequest<double> request(std::numeric_limits<std::size_t>::max(), false);
    fcl::CollisionResult<double> result;
    fcl::collide(environment_.get(), fcl::Transform3d::Identity(), object_.get(), transform(pose), request, result);
    into.clear();
    for (std::size_t i = 0; i < result.numContacts(); ++i) {
      const auto& c = result.getContact(i);
      into.emplace_back(static_cast<std::uint32_t>(c.b1), static_cast<std::uint32_t>(c.b2));
    }
  }

 private:
  using BvhModel = fcl::BVHModel<Volume>;

  static std::unique_ptr<BvhModel> model_of(const Mesh& mesh) {
    std::vector<fcl::Vector3d> vertices;
    std::vector<fcl::Triangle> triangles;
    for (const Vec3& v : mesh.vertices) vertices.emplace_back(v.x, v.y, v.z);
    for (const Triangle& t : mesh.triangles) triangles.emplace_back(t[0], t[1], t[2]);
    auto model = std::make_unique<BvhModel>();
    model->beginModel(static_cast<int>(triangles.size()), static_cast<int>(vertices.size()));
    model->addSubModel(vertices, triangles);
    model->endModel();
    return model;
  }
  static fcl::Transform3d transform(const Pose& pose) {
    fcl::Transform3d t = fcl::Transform3d::Identity();
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) t.linear()(i, j) = pose.row(i)[j];
      t.translation()(i) = pose.translation()[i];
    }
    return t;
  }

  std::string name_;
  std::unique_ptr<BvhModel> environment_, object_;
};

}  // namespace

std::vector<std::unique_ptr<Rival>> fcl_rivals() {
  std::vector<std::unique_ptr<Rival>> all;
  all.push_back(std::make_unique<Fcl<fcl::OBB<double>>>("OBB"));
  all.push_back(std::make_unique<Fcl<fcl::OBBRSS<double>>>("OBBRSS"));
  return all;
}

}  // namespace tumble::lab
