// SPDX-License-Identifier: Apache-2.0
// What FCL's adapters share in either precision: our meshes and poses as FCL's, and reading its answers.
#pragma once

#include "lab/rivals/rival.h"

#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/narrowphase/collision_request.h>
#include <fcl/narrowphase/collision_result.h>

#include <limits>
#include <memory>
#include <vector>

namespace tumble::lab {

template <class Volume>
std::unique_ptr<fcl::BVHModel<Volume>> fcl_model(const Mesh& mesh) {
  using Number = typename Volume::S;
  std::vector<fcl::Vector3<Number>> vertices;
  std::vector<fcl::Triangle> triangles;
  vertices.reserve(mesh.vertices.size());
  triangles.reserve(mesh.triangles.size());
  for (const Vec3& v : mesh.vertices)
    vertices.emplace_back(static_cast<Number>(v.x), static_cast<Number>(v.y), static_cast<Number>(v.z));
  for (const Triangle& t : mesh.triangles) triangles.emplace_back(t[0], t[1], t[2]);
  auto model = std::make_unique<fcl::BVHModel<Volume>>();
  model->beginModel(static_cast<int>(triangles.size()), static_cast<int>(vertices.size()));
  model->addSubModel(vertices, triangles);
  model->endModel();
  return model;
}

template <class Number>
fcl::Transform3<Number> fcl_transform(const Pose& pose) {
  fcl::Transform3<Number> t = fcl::Transform3<Number>::Identity();
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) t.linear()(i, j) = static_cast<Number>(pose.row(i)[j]);
    t.translation()(i) = static_cast<Number>(pose.translation()[i]);
  }
  return t;
}

template <class Volume>
class FclRival : public Rival {
 public:
  void build(const Mesh& environment, const Mesh& object) override {
    clear();
    environment_ = fcl_model<Volume>(environment);
    object_ = fcl_model<Volume>(object);
  }
  void clear() override {
    environment_.reset();
    object_.reset();
  }
  bool any(const Pose& pose) override {
    Result result;
    collide(pose, Request(1, false), result);
    return result.isCollision();
  }
  void all(const Pose& pose, std::vector<PairOfTriangles>& into) override {
    Result result;
    collide(pose, Request(std::numeric_limits<std::size_t>::max(), false), result);
    into.clear();
    for (std::size_t i = 0; i < result.numContacts(); ++i) {
      const auto& c = result.getContact(i);
      into.emplace_back(static_cast<std::uint32_t>(c.b1), static_cast<std::uint32_t>(c.b2));
    }
  }

 protected:
  using Request = fcl::CollisionRequest<typename Volume::S>;
  using Result = fcl::CollisionResult<typename Volume::S>;

  virtual void collide(const Pose& pose, const Request& request, Result& result) const = 0;

  std::unique_ptr<fcl::BVHModel<Volume>> environment_, object_;
};

}  // namespace tumble::lab
