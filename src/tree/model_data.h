// SPDX-License-Identifier: Apache-2.0
// ModelData: what a Model is a handle to: a mesh and its tree, in memory of their own or mapped from a file.
#pragma once

#include "core/lazy.h"
#include "mesh/solid_facts.h"
#include "tree/tree.h"

#include <tumble/mesh.h>
#include <tumble/model.h>

#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace tumble {

struct ModelData {
  std::span<const Vec3> vertices;
  std::span<const Triangle> triangles;
  std::vector<Part> parts;
  Tree tree;
  std::shared_ptr<const void> mesh_storage;  // what vertices and triangles point into
  Lazy<SolidFacts> solid;                    // for those who ask for solids only

  const SolidFacts& solid_facts() const {
    return solid.get([this] { return tumble::solid_facts(vertices, triangles); });
  }
};

/// The library's own way from a Model to its data and back.
struct ModelAccess {
  static const std::shared_ptr<const ModelData>& data(const Model& model) { return model.data_; }
  static Model model(std::shared_ptr<const ModelData> data) {
    Model made;
    made.data_ = std::move(data);
    return made;
  }
};

inline const ModelData& data_of(const Model& model) { return *ModelAccess::data(model); }

}  // namespace tumble
