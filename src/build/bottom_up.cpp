// SPDX-License-Identifier: Apache-2.0
// Bottom-up building: parallel locally-ordered clustering (Meister and Bittner 2018). Clusters lie along a Morton
// curve. Each searches a few places to both sides for the partner with the smallest common box; mutual choices merge.
#include "build/flat_box.h"
#include "build/topology.h"

#include <algorithm>
#include <utility>

namespace tumble {
namespace {

constexpr std::size_t search_radius = 14;  // the paper's choice for quality; more gains nothing

std::uint64_t spread_bits(std::uint32_t x) {
  std::uint64_t v = x & 0x1fffff;
  v = (v | v << 32) & 0x1f00000000ffffu;
  v = (v | v << 16) & 0x1f0000ff0000ffu;
  v = (v | v << 8) & 0x100f00f00f00f00fu;
  v = (v | v << 4) & 0x10c30c30c30c30c3u;
  v = (v | v << 2) & 0x1249249249249249u;
  return v;
}

std::uint64_t morton_code(const FlatBox& box) {
  std::uint64_t code = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    // Twice the centre lies in about [-4, 4] even in a turned frame. 21 bits cover that range.
    const float unit = std::clamp(box.twice_center()[axis] * 0.125f + 0.5f, 0.0f, 0.999999f);
    code |= spread_bits(static_cast<std::uint32_t>(unit * 0x1p21f)) << axis;
  }
  return code;
}

struct Cluster {
  FlatBox box;
  std::uint32_t node;  // below the number of triangles: a triangle; from there on: a merge
};

using Merges = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

Merges cluster(const BuildInput& input) {
  const std::uint32_t count = input.triangle_count();
  std::vector<Cluster> clusters(count);
  {
    RawArray<FlatBox> boxes(count);
    std::vector<std::pair<std::uint64_t, std::uint32_t>> keys(count);
    parallel_for(count, parallel_threshold, [&](std::size_t t) {
      boxes[t] = flat_box(input.corners(static_cast<std::uint32_t>(t)));
      keys[t] = {morton_code(boxes[t]), static_cast<std::uint32_t>(t)};
    });
    std::ranges::sort(keys);
    for (std::size_t i = 0; i < count; ++i) clusters[i] = {boxes[keys[i].second], keys[i].second};
  }

  Merges merges;
  merges.reserve(count);
  std::vector<std::size_t> partner(count);
  std::vector<Cluster> next;
  next.reserve(count);
  while (clusters.size() > 1) {
    const std::size_t size = clusters.size();
    parallel_for(size, 1024, [&](std::size_t i) {
      const std::size_t begin = i > search_radius ? i - search_radius : 0, end = std::min(size, i + search_radius + 1);
      float least = std::numeric_limits<float>::infinity();
      std::size_t best = i == begin ? i + 1 : begin;
      for (std::size_t j = begin; j < end; ++j) {
        if (j == i) continue;
        FlatBox both = clusters[i].box;
        both.grow(clusters[j].box);
        // Of equal areas the neighbour i^1 wins, so that runs of identical boxes merge in pairs, not one by one.
        const float area = both.half_area();
        if (area < least || (area == least && j == (i ^ 1))) least = area, best = j;
      }
      partner[i] = best;
    });
    next.clear();
    for (std::size_t i = 0; i < size; ++i) {
      const std::size_t j = partner[i];
      if (partner[j] != i) {
        next.push_back(clusters[i]);
      } else if (i < j) {
        Cluster merged = clusters[i];
        merged.box.grow(clusters[j].box);
        merged.node = count + static_cast<std::uint32_t>(merges.size());
        merges.emplace_back(clusters[i].node, clusters[j].node);
        next.push_back(merged);
      }
    }
    std::swap(clusters, next);
  }
  return merges;
}

/// Lays the merges out from the root down to the sets the rule closes. Sets at depth `halve_below` are halved instead.
class Layout {
 public:
  Layout(const Merges& merges, std::uint32_t count, const LeafRule& rule)
      : merges_(merges), count_(count), rule_(rule), sizes_(merges.size()) {
    for (std::size_t m = 0; m < merges.size(); ++m) sizes_[m] = size(merges[m].first) + size(merges[m].second);
    tree_.nodes = RawArray<BinaryNode>(most_nodes(count));
    tree_.order.reserve(count);
    if (count > 0) lay(0, count + static_cast<std::uint32_t>(merges.size()) - 1, 0);
  }
  BinaryTree take() { return std::move(tree_); }

 private:
  static constexpr int halve_below = 60;

  std::uint32_t size(std::uint32_t cluster) const { return cluster < count_ ? 1 : sizes_[cluster - count_]; }

  void lay(std::uint32_t place, std::uint32_t cluster, int depth) {
    const auto first = static_cast<std::uint32_t>(tree_.order.size());
    tree_.nodes[place] = {first, size(cluster), 0};
    const bool is_small = size(cluster) <= rule_.largest();
    if (is_small || depth == halve_below) gather(cluster);
    if (is_small && closes(tree_.nodes[place])) return;
    if (depth == halve_below) {
      halve(place);
    } else {
      tree_.order.resize(first);
      const auto [left, right] = merges_[cluster - count_];
      const std::uint32_t children = add_children(place);
      lay(children, left, depth + 1);
      lay(children + 1, right, depth + 1);
    }
  }

  void halve(std::uint32_t place) {
    const BinaryNode node = tree_.nodes[place];
    if (closes(node)) return;
    const std::uint32_t children = add_children(place), left = node.count / 2;
    tree_.nodes[children] = {node.first, left, 0};
    tree_.nodes[children + 1] = {node.first + left, node.count - left, 0};
    halve(children);
    halve(children + 1);
  }

  bool closes(const BinaryNode& node) const {
    return rule_.closes(node.count, [&](std::uint32_t i) { return tree_.order[node.first + i]; });
  }

  std::uint32_t add_children(std::uint32_t place) {
    tree_.nodes[place].left = used_;
    used_ += 2;
    return used_ - 2;
  }

  /// Appends all triangles below a node. It does not recurse: a chain of merges may be as long as the mesh.
  void gather(std::uint32_t cluster) {
    std::vector<std::uint32_t> pending{cluster};
    while (!pending.empty()) {
      const std::uint32_t top = pending.back();
      pending.pop_back();
      if (top < count_) {
        tree_.order.push_back(top);
      } else {
        pending.push_back(merges_[top - count_].second);
        pending.push_back(merges_[top - count_].first);
      }
    }
  }

  const Merges& merges_;
  std::uint32_t count_;
  const LeafRule& rule_;
  std::vector<std::uint32_t> sizes_;
  BinaryTree tree_;
  std::uint32_t used_ = 1;
};

}  // namespace

BinaryTree build_bottom_up(const BuildInput& input) {
  return Layout(cluster(input), input.triangle_count(), LeafRule(input)).take();
}

}  // namespace tumble
