// SPDX-License-Identifier: Apache-2.0
// Running the kernels alone, over operands small enough to stay in the cache.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "lab/kernels.cpp"
#include "simd/foreach_target.h"

#include "bounds/directions.h"
#include "lab/kernels.h"
#include "traverse/leaf_filter-inl.h"
#include "traverse/overlap-inl.h"
#include "tree/model_data.h"

#include <span>

#ifndef TUMBLE_LAB_KERNELS_ONCE
#define TUMBLE_LAB_KERNELS_ONCE
namespace tumble::lab {

/// One volume and the node it is tested against.
struct OverlapOperands {
  const float* one;
  std::uint32_t lane;
  const float* eight;
};
struct MeetingOperands {
  LeafView target, source;
};

}  // namespace tumble::lab
#endif

HWY_BEFORE_NAMESPACE();
namespace tumble::lab {
namespace HWY_NAMESPACE {

namespace kernels = tumble::HWY_NAMESPACE;

/// The results added up, so that none is optimised away.
std::uint32_t overlap_all(const Tree& tree, std::span<const OverlapOperands> all) {
  std::uint32_t sum = 0;
  if (tree.bound == Bound::dop) {
    const kernels::DopKernel kernel{tree.k / 2, inverse_direction_lengths(tree.k).data()};
    for (const OverlapOperands& o : all) sum += kernel.overlaps<false>(o.one, o.lane, o.eight, nullptr).overlapping;
  } else {
    const kernels::ObbKernel kernel;
    for (const OverlapOperands& o : all) sum += kernel.overlaps<false>(o.one, o.lane, o.eight, nullptr).overlapping;
  }
  return sum;
}

std::uint32_t meet_all(const Tree& tree, const RelativePose& pose, std::span<const MeetingOperands> all) {
  const kernels::LeafFilter filter(pose);
  std::uint32_t sum = 0;
  const auto group = [&](LeafView leaf) {
    return kernels::Group{tree.corners.data() + Tree::corner_floats * leaf.first,
                          std::min(Tree::group_size, leaf.last - leaf.first)};
  };
  for (const MeetingOperands& m : all) {
    const PairBits pairs = filter(group(m.target), group(m.source));
    sum += pairs.open + pairs.crossing;
  }
  return sum;
}

}  // namespace HWY_NAMESPACE
}  // namespace tumble::lab
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "geometry/eight_pairs.h"
#include "geometry/triangle_pair.h"
#include "realign/realigner.h"
#include "traverse/relate.h"

#include <algorithm>

namespace tumble::lab {
namespace {

HWY_EXPORT(overlap_all);
HWY_EXPORT(meet_all);

volatile std::uint32_t used;  // what kernels return goes here

template <class Work>
double nanoseconds(int passes, std::size_t operations, const Work& work) {
  double least = 1e300;
  for (int pass = 0; pass < passes; ++pass) {
    constexpr int repeats = 20;
    const double start = thread_seconds();
    for (int i = 0; i < repeats; ++i) used = work();
    least = std::min(least, (thread_seconds() - start) * 1e9 / (repeats * static_cast<double>(operations)));
  }
  return least;
}

constexpr std::size_t few_nodes = 24;  // with their rows they fit into the cache

/// Nodes side by side low in the tree, as walks spend their time there: the children of one node, and on.
std::vector<std::uint32_t> neighbours(const Tree& tree) {
  for (std::uint32_t n = tree.node_count / 2; n < tree.node_count; ++n) {
    std::vector<std::uint32_t> found;
    const NodeView node = tree.node(n);
    for (int lane = 0; lane < node.used_lanes(); ++lane)
      if (!node.children[lane].is_leaf()) found.push_back(node.children[lane].index());
    if (found.size() >= 4) return found;
  }
  std::vector<std::uint32_t> all;
  for (std::uint32_t n = 0; n < std::min<std::uint32_t>(tree.node_count, few_nodes); ++n) all.push_back(n);
  return all;
}

std::vector<OverlapOperands> overlap_operands(const Tree& tree, const std::vector<std::uint32_t>& nodes) {
  std::vector<OverlapOperands> all;
  for (const std::uint32_t a : nodes)
    for (const std::uint32_t b : nodes)
      for (int lane = 0; a != b && lane < tree.node(a).used_lanes(); ++lane)
        all.push_back({tree.node(a).rows, static_cast<std::uint32_t>(lane), tree.node(b).rows});
  return all;
}

std::vector<MeetingOperands> meeting_operands(const Tree& tree, const std::vector<std::uint32_t>& nodes) {
  std::vector<LeafView> leaves;
  for (const std::uint32_t n : nodes) {
    const NodeView node = tree.node(n);
    for (int lane = 0; lane < node.used_lanes() && leaves.size() < few_nodes; ++lane)
      if (node.children[lane].is_leaf()) leaves.push_back(tree.leaf(node.children[lane].index()));
  }
  std::vector<MeetingOperands> all;
  for (const LeafView a : leaves)
    for (const LeafView b : leaves) all.push_back({a, b});
  return all;
}

Pose some_pose() { return Pose::from_rows(std::array<double, 12>{1, 0, 0, 0.1, 0, 0.8, -0.6, 0.2, 0, 0.6, 0.8, 0.3}); }

/// The body against itself, moved a little: neighbours meet, some cross and some are apart.
RelativePose slight_motion() {
  RelativePose pose;
  pose.linear.rows = {Vec3{0.99995, -0.01, 0}, Vec3{0.01, 0.99995, 0}, Vec3{0, 0, 1}};
  pose.translation = {1e-3, -2e-3, 1e-3};
  pose.margin = 1e-12;
  return pose;
}

}  // namespace

KernelCosts kernel_costs(const scenes::Scene& scene, Bound bound, int passes) {
  const Model model(scene.env, {.bound = bound, .threads = 1});
  const Tree& tree = data_of(model).tree;
  const std::vector<std::uint32_t> nodes = neighbours(tree);
  const RelativePose pose = slight_motion();
  KernelCosts costs;

  const std::vector<OverlapOperands> overlaps = overlap_operands(tree, nodes);
  costs.overlap =
      nanoseconds(passes, overlaps.size(), [&] { return HWY_DYNAMIC_DISPATCH(overlap_all)(tree, overlaps); });
  const std::vector<MeetingOperands> meetings = meeting_operands(tree, nodes);
  costs.meeting =
      nanoseconds(passes, meetings.size(), [&] { return HWY_DYNAMIC_DISPATCH(meet_all)(tree, pose, meetings); });

  const BoundKind kind{tree.bound, tree.k};
  const auto realigner = make_realigner({}, kind, kind, {.node_count = tree.node_count, .points = {}, .depth = {}});
  const Relation relation(tree.frame, tree.frame);
  const Pose place = some_pose();
  constexpr int poses = 200;
  costs.set_up = nanoseconds(passes, poses, [&] {
    for (int i = 0; i < poses; ++i) realigner->set_pose(relation.at({}, place));
    return 0u;
  });
  std::vector<float> rows(static_cast<std::size_t>(tree.rows()) * Tree::lanes);
  costs.realign = nanoseconds(passes, nodes.size(), [&] {
    for (const std::uint32_t n : nodes) realigner->realign(n, tree.node(n).rows, rows.data());
    return static_cast<std::uint32_t>(rows[0]);
  });
  return costs;
}

PairCosts pair_costs(const scenes::Scene& scene, int passes) {
  // Triangles that follow each other in a mesh are close; one of them is moved a little into the other.
  std::vector<std::array<Corners, 2>> pairs;
  for (std::size_t i = 0; i + 2 < scene.env.triangles.size() && pairs.size() < 256; i += 2) {
    const auto corners = [&](std::size_t t) {
      Corners c;
      for (std::size_t k = 0; k < 3; ++k) c[k] = scene.env.vertices[scene.env.triangles[t][k]];
      return c;
    };
    std::array<Corners, 2> pair{corners(i), corners(i + 1)};
    const Vec3 shift = (pair[0][1] - pair[0][0]) * 0.3 + (pair[0][2] - pair[0][0]) * 0.2;
    std::rotate(pair[1].begin(), pair[1].begin() + 1, pair[1].end());
    pair[1][0] += cross(shift, pair[0][1] - pair[0][0]) * 10;
    for (Vec3& corner : pair[1]) corner += shift;
    pairs.push_back(pair);
  }
  pairs.resize(pairs.size() / 8 * 8);
  PairCosts costs;
  costs.one = nanoseconds(passes, pairs.size(), [&] {
    std::uint32_t met = 0;
    for (const auto& [a, b] : pairs) met += classify(a, b).has_value();
    return met;
  });
  const Pose moved = some_pose();
  costs.of_eight = nanoseconds(passes, pairs.size(), [&] {
    std::uint32_t met = 0;
    for (std::size_t first = 0; first < pairs.size(); first += 8) {
      EightPairs eight;
      for (std::size_t lane = 0; lane < 8; ++lane) {
        const auto& [a, b] = pairs[first + lane];
        eight.set(lane, a[0], a[1], a[2], b[0], b[1], b[2]);
      }
      met += first_look(eight, {}, moved).cross;
    }
    return met;
  });
  return costs;
}

}  // namespace tumble::lab
#endif
