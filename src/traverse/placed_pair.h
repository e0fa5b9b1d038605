// SPDX-License-Identifier: Apache-2.0
// PlacedPair: two models at their poses, and the world coordinates of their triangles, on which every answer is
// decided.
#pragma once

#include "geometry/eight_pairs.h"
#include "geometry/triangle.h"
#include "math/transform.h"
#include "tree/model_data.h"

#include <tumble/pose.h>

#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>

namespace tumble {

/// A pair of triangles by their numbers in the meshes.
struct TrianglePair {
  std::uint32_t environment, object;
  friend auto operator<=>(const TrianglePair&, const TrianglePair&) = default;
};

/// One body: each vertex goes to the world by its own pose (docs/semantics.md, promise 2).
struct Body {
  const ModelData& model;
  const Pose& pose;
  bool stands = pose.is_identity();  // the identity leaves coordinates untouched

  Corners corners(std::uint32_t triangle) const {
    const Triangle& t = model.triangles[triangle];
    const Vec3 &a = model.vertices[t[0]], &b = model.vertices[t[1]], &c = model.vertices[t[2]];
    if (stands) return {a, b, c};
    return {to_world(pose, a), to_world(pose, b), to_world(pose, c)};
  }
  Vec3 vertex(std::uint32_t v) const { return stands ? model.vertices[v] : to_world(pose, model.vertices[v]); }
};

/// The environment and the object of a query, and which of them stands still for the walk.
struct PlacedPair {
  Body environment, object;
  bool environment_is_target;

  const Body& target() const { return environment_is_target ? environment : object; }
  const Body& source() const { return environment_is_target ? object : environment; }

  /// The lowest of the pairs a walk hands to a Sink.
  TrianglePair pair(std::uint32_t target_first, std::uint32_t source_first, std::uint32_t pairs) const {
    const auto bit = static_cast<std::uint32_t>(std::countr_zero(pairs));
    const std::uint32_t t = target().model.tree.triangle_ids[target_first + bit / 4];
    const std::uint32_t s = source().model.tree.triangle_ids[source_first + bit % 4];
    return environment_is_target ? TrianglePair{t, s} : TrianglePair{s, t};
  }

  /// The corners of up to eight pairs, in their bodies' coordinates; what is missing is made up with the first.
  EightPairs side_by_side(std::span<const TrianglePair> pairs) const {
    EightPairs eight;
    const ModelData &e = environment.model, &o = object.model;
    for (std::size_t lane = 0; lane < EightPairs::lanes; ++lane) {
      const TrianglePair& pair = pairs[lane < pairs.size() ? lane : 0];
      const Triangle &te = e.triangles[pair.environment], &to = o.triangles[pair.object];
      eight.set(lane, e.vertices[te[0]], e.vertices[te[1]], e.vertices[te[2]], o.vertices[to[0]], o.vertices[to[1]],
                o.vertices[to[2]]);
    }
    return eight;
  }
};

}  // namespace tumble
