// SPDX-License-Identifier: Apache-2.0
// ModelData: the data behind a Model: a mesh and its tree, in their own memory or mapped from a file.
#pragma once

#include "core/lazy.h"
#include "mesh/solid_facts.h"
#include "tree/fine_box.h"
#include "tree/tree.h"
#include "tree/turned_box.h"

#include <tumble/mesh.h>
#include <tumble/model.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace tumble {

struct ColoredHull;

/// A model's hull, made and used by convex/; it is none where a model has none.
struct KeptHull {
  std::shared_ptr<const ColoredHull> hull{};
  std::size_t bytes = 0;
};

struct ModelData {
  std::span<const Vec3> vertices;
  std::span<const Triangle> triangles;
  std::vector<Part> parts;
  Tree tree;
  std::shared_ptr<const void> mesh_storage;  // what vertices and triangles point into
  Lazy<SolidFacts> solid;                    // computed by the first question about solids
  Lazy<FineBoxes> fine_boxes;                // for the first question that needs a fine look
  Lazy<std::optional<WholeBox>> whole;       // for the first question asked without a Pair
  Lazy<KeptHull> hull;                       // for the first question that looks at hulls

  const SolidFacts& solid_facts() const {
    return solid.get([this] { return tumble::solid_facts(vertices, triangles); });
  }
  const FineBoxes& all_fine_boxes() const {
    return fine_boxes.get([this] { return FineBoxes(tree); });
  }
  /// Around everything; none where there is none.
  const WholeBox* whole_box() const {
    const std::optional<WholeBox>& box = whole.get([this]() -> std::optional<WholeBox> {
      const FineBox root = volume_box(tree, VolumeId::root());
      if (root.reach == 0) return std::nullopt;
      return WholeBox(root);
    });
    return box ? &*box : nullptr;
  }
  FineBox fine_box(VolumeId volume) const { return tumble::fine_box(tree, volume, vertices, triangles); }
};

/// Converts between a Model and its data, inside the library only.
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
