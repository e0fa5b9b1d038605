// SPDX-License-Identifier: Apache-2.0
// Realigner: bounds a moving tree's nodes by volumes of the standing tree's kind, eight children at a time.
#pragma once

#include "math/relative_pose.h"

#include <tumble/pair_options.h>
#include <tumble/tree_options.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace tumble {

/// One per pair of bodies, owned by the caller's workspace. It keeps its own data per node.
class Realigner {
 public:
  virtual ~Realigner() = default;

  /// Called once per query, before any node.
  virtual void set_pose(const RelativePose& pose) = 0;

  /// Writes the bounds of a node's eight lanes in the target's coordinates. Both row pointers have the layout of
  /// bounds/rows.h. Every written bound certainly contains the moved set that the source lane bounds, widened by the
  /// pose's margin, for tests in single precision. Lanes empty in the source may come out as anything; the walk
  /// overwrites them.
  virtual void realign(std::uint32_t node, const float* source_rows, float* target_rows) = 0;

  /// The memory it has, with what it keeps of nodes. Takes constant time.
  virtual std::size_t bytes() const = 0;
};

/// A test of boxes in single precision must add this to every |a_i·a'_j| of a realigned box before it uses them as
/// extents along cross products of edges, which may be tiny. The box's own widening covers all other roundings.
inline constexpr float obb_edge_slack = 0x1p-16f;

/// A tree's kind of bounding volume.
struct BoundKind {
  Bound bound;  // never automatic
  int k;        // 0 for OBBs
};

/// What strategies may ask of the source tree besides bounds. `points`: the corners of the triangles below one lane, in
/// tree coordinates. `depth` of a node: 0 for the node whose one lane is the whole object.
struct SourceSets {
  std::uint32_t node_count = 0;
  std::function<std::vector<Vec3>(std::uint32_t node, int lane)> points;
  std::function<int(std::uint32_t node)> depth;
};

/// The realigner for a pair of trees: boxes to boxes, boxes to DOPs, and DOPs to DOPs of any two k by the strategy in
/// the options. A DOP is never realigned to a box; the query lets the other body move instead.
std::unique_ptr<Realigner> make_realigner(const PairOptions& options, BoundKind source, BoundKind target,
                                          SourceSets sets);

}  // namespace tumble
