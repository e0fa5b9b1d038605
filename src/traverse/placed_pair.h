// SPDX-License-Identifier: Apache-2.0
// PlacedPair: two models at their poses, and the world coordinates of their triangles, on which every answer is
// decided.
#pragma once

#include "bounds/reach.h"
#include "geometry/eight_pairs.h"
#include "geometry/triangle.h"
#include "math/sum_norm.h"
#include "math/transform.h"
#include "traverse/leaf_pairs.h"
#include "tree/model_data.h"

#include <tumble/pose.h>

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

namespace tumble {

/// A pair of triangles by their numbers in the meshes.
struct TrianglePair {
  std::uint32_t a, b;
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
  /// At least |x| + |y| + |z| of every vertex and of the translation together.
  double reach() const {
    const Frame& frame = model.tree.frame;
    return sum_norm(frame.center) + std::ldexp(vertex_reach_sum, frame.exponent) + sum_norm(pose.translation());
  }
  Vec3 vertex(std::uint32_t v) const { return stands ? model.vertices[v] : to_world(pose, model.vertices[v]); }
};

/// Two bodies at rest for as long as a question about them takes, and which of them is a walk's target.
struct PlacedPair {
  Pose pose_a, pose_b;
  Body a, b;
  bool a_is_target;

  PlacedPair(const ModelData& model_a, const Pose& at_a, const ModelData& model_b, const Pose& at_b, bool target_is_a)
      : pose_a(at_a), pose_b(at_b), a{model_a, pose_a}, b{model_b, pose_b}, a_is_target(target_is_a) {}
  PlacedPair(const PlacedPair&) = delete;
  PlacedPair& operator=(const PlacedPair&) = delete;

  const Body& target() const { return a_is_target ? a : b; }
  const Body& source() const { return a_is_target ? b : a; }

  /// What the lowest bit of `pairs` names.
  TrianglePair first_of(const LeafPairs& leaves, std::uint32_t pairs) const {
    const auto bit = static_cast<std::uint32_t>(std::countr_zero(pairs));
    const std::uint32_t t = target().model.tree.triangle_ids[leaves.target_first + bit / Tree::group_size];
    const std::uint32_t s = source().model.tree.triangle_ids[leaves.source_first + bit % Tree::group_size];
    return a_is_target ? TrianglePair{t, s} : TrianglePair{s, t};
  }

  /// The corners of up to eight pairs, in their bodies' coordinates; what is missing is made up with the first.
  EightPairs side_by_side(std::span<const TrianglePair> pairs) const {
    EightPairs eight;
    eight.a_stands = a.stands;
    eight.b_stands = b.stands;
    const ModelData &of_a = a.model, &of_b = b.model;
    for (std::size_t lane = 0; lane < EightPairs::lanes; lane += 2) {
      const TrianglePair &one = pairs[lane < pairs.size() ? lane : 0],
                         &next = pairs[lane + 1 < pairs.size() ? lane + 1 : 0];
      const Triangle &a_one = of_a.triangles[one.a], &a_next = of_a.triangles[next.a];
      const Triangle &b_one = of_b.triangles[one.b], &b_next = of_b.triangles[next.b];
      for (std::size_t i = 0; i < 3; ++i) {
        EightPairs::set_two(eight.a + 3 * i, lane, of_a.vertices[a_one[i]], of_a.vertices[a_next[i]]);
        EightPairs::set_two(eight.b + 3 * i, lane, of_b.vertices[b_one[i]], of_b.vertices[b_next[i]]);
      }
    }
    return eight;
  }
};

}  // namespace tumble
