// SPDX-License-Identifier: Apache-2.0
// ModelData: what a Model is a handle to: a mesh and its tree, in memory of their own or mapped from a file.
#pragma once

#include "core/lazy.h"
#include "mesh/solid_facts.h"
#include "tree/tree.h"

#include <tumble/mesh.h>

#include <memory>
#include <span>
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

}  // namespace tumble
