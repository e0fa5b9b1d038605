// SPDX-License-Identifier: Apache-2.0
// Our meshes and poses as FCL's, in either precision.
#pragma once

#include <tumble/mesh.h>
#include <tumble/pose.h>

#include <fcl/geometry/bvh/BVH_model.h>

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

}  // namespace tumble::lab
