// SPDX-License-Identifier: Apache-2.0
// Which body is the target, and when bounds are of no use.
#include "query/pair_setup.h"

#include "bounds/reach.h"
#include "realign/cones.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace tumble {
namespace {

/// Margins of boxes are 2^-18 of the target's unit, or more. Those of a body that is larger by a factor of more than 2
/// to this would hide the shape of the other.
constexpr int smaller_serves_from = 7;
/// Beyond 2 to these the roundings with which the larger body's volumes are stored hide it in the smaller one's units,
/// too: in the end every triangle would be tested with every other.
constexpr int smaller_serves_boxes_to = 20, smaller_serves_dops_to = 15;
/// For a box and a DOP, where the box has to move: up to this scale single precision neither overflows in the leaves
/// (LeafFilter) nor reaches the empty lanes of nodes.
constexpr double largest_mixed_scale = 0x1p36;

BoundKind kind_of(const Tree& tree) { return {tree.bound, tree.k}; }

/// The corners of the triangles below a lane.
std::vector<Vec3> points_below(const ModelData& model, std::uint32_t node, int lane) {
  const Tree& tree = model.tree;
  std::vector<Vec3> points;
  std::vector<Child> pending{tree.node(node).children[lane]};
  while (!pending.empty()) {
    const Child child = pending.back();
    pending.pop_back();
    if (child.is_leaf()) {
      const LeafView leaf = tree.leaf(child.index());
      for (std::uint32_t slot = leaf.first; slot < leaf.last; ++slot)
        for (const std::uint32_t v : model.triangles[tree.triangle_ids[slot]])
          points.push_back(tree.frame.to_tree(model.vertices[v]));
    } else {
      const NodeView below = tree.node(child.index());
      for (int l = 0; l < below.used_lanes(); ++l) pending.push_back(below.children[l]);
    }
  }
  return points;
}

/// The depth of each node.
std::vector<std::uint8_t> depths_of(const Tree& tree) {
  std::vector<std::uint8_t> depths(tree.node_count);
  for (std::uint32_t n = 0; n < tree.node_count; ++n) {
    const NodeView node = tree.node(n);
    for (int lane = 0; lane < node.used_lanes(); ++lane)
      if (!node.children[lane].is_leaf())
        depths[node.children[lane].index()] = static_cast<std::uint8_t>(depths[n] + 1);
  }
  return depths;
}

/// The points and depths are for the strategies that ask for them; most pairs are made without.
SourceSets sets_of(const std::shared_ptr<const ModelData>& model, const PairOptions& options) {
  SourceSets sets;
  sets.node_count = model->tree.node_count;
  if (options.realign != Realign::hill_climbing && options.realign != Realign::occupancy) return sets;
  sets.points = [model](std::uint32_t node, int lane) { return points_below(*model, node, lane); };
  std::vector<std::uint8_t> depths;
  if (options.realign == Realign::hill_climbing) depths = depths_of(model->tree);
  sets.depth = [depths = std::move(depths)](std::uint32_t node) { return int{depths[node]}; };
  return sets;
}

/// a is the target unless it has boxes and b has DOPs, which are never realigned to boxes, or a is so much the smaller
/// that its units would not do, or, of two with boxes, b is so much the smaller that only its units would.
bool is_target(const Tree& a, const Tree& b) {
  if (a.bound != b.bound) return a.bound == Bound::dop;
  const int larger = a.frame.exponent - b.frame.exponent;
  if (a.bound == Bound::dop) return larger >= -smaller_serves_dops_to;
  return larger > smaller_serves_from ? larger > smaller_serves_boxes_to : larger >= -smaller_serves_boxes_to;
}

PairOptions checked(const PairOptions& options) {
  check(options);
  return options;
}

}  // namespace

PairSetup::PairSetup(Model model_a, Model model_b, const PairOptions& how)
    : a(std::move(model_a)),
      b(std::move(model_b)),
      options(checked(how)),
      a_is_target(is_target(data_of(a).tree, data_of(b).tree)),
      relation(target().tree.frame, source().tree.frame),
      realigner(make_realigner(options, kind_of(source().tree), kind_of(target().tree),
                               sets_of(ModelAccess::data(a_is_target ? b : a), options))),
      radii{radius_of(target().tree), radius_of(source().tree)} {
  const Tree& tree = target().tree;
  if (tree.bound == Bound::dop) Cones::of(tree.k);  // now, as questions must not allocate
}

bool bounds_serve(const RelativePose& pose) {
  return pose.scale <= largest_mixed_scale && pose.margin <= largest_margin;
}

}  // namespace tumble
