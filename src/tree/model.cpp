// SPDX-License-Identifier: Apache-2.0
// The accessors of Model. build/model.cpp makes a Model from a mesh, stored.cpp from a file.
#include "tree/model_data.h"

namespace tumble {

std::span<const Vec3> Model::vertices() const { return data_->vertices; }
std::span<const Triangle> Model::triangles() const { return data_->triangles; }
std::span<const Part> Model::parts() const { return data_->parts; }

std::size_t Model::bytes() const {
  std::size_t bytes = sizeof(ModelData) + data_->vertices.size_bytes() + data_->triangles.size_bytes();
  for (const Part& part : data_->parts) bytes += sizeof(Part) + part.name.capacity();
  if (const KeptHull* hull = data_->hull.if_there()) bytes += hull->bytes;
  return bytes + data_->tree.bytes();
}

}  // namespace tumble
