// SPDX-License-Identifier: Apache-2.0
// Makes a binary tree wide.
#include "build/wide_tree.h"

#include "build/flat_box.h"
#include "build/topology.h"
#include "core/parallel.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace tumble {
namespace {

/// Chooses the binary nodes that become children of each wide node. A walk opens a node in proportion to its surface,
/// so this minimises the sum of the wide nodes' surfaces, by dynamic programming over "this subtree in at most i lanes"
/// (Ylitie 2017, section 3).
class Collapse {
 public:
  Collapse(const BuildInput& input, const BinaryTree& binary)
      : input_(input),
        binary_(binary),
        arity_(static_cast<std::size_t>(input.options.arity)),
        left_lanes_(binary.nodes.size()) {
    const Measured whole = measure(0);
    surface_ = double{whole.cost[1]} + double{whole.leaves};
  }

  /// The sum over all wide nodes and all leaves.
  double surface() const { return surface_; }

  /// Calls use(binary node) for each lane of the wide node made of an inner binary one.
  template <class Use>
  void for_each_lane(std::uint32_t node, const Use& use) const {
    open(node, arity_, use);
  }

 private:
  using PerLanes = std::array<float, Tree::lanes + 1>;

  struct Measured {
    FlatBox box = FlatBox::empty();
    PerLanes cost{};   // [i]: the least sum of surfaces in at most i lanes; 0 for leaves
    float leaves = 0;  // the sum of the leaves' surfaces
  };

  Measured measure(std::uint32_t index) {
    const BinaryNode& node = binary_.nodes[index];
    Measured here;
    if (node.is_leaf()) {
      for (std::uint32_t i = node.first; i < node.first + node.count; ++i)
        here.box.grow(flat_box(input_.corners(binary_.order[i])));
      here.leaves = here.box.half_area();
      return here;
    }
    Measured left, right;
    parallel_invoke(
        node.count >= parallel_threshold, [&] { left = measure(node.left); }, [&] { right = measure(node.right()); });
    here.box = left.box;
    here.box.grow(right.box);
    here.leaves = left.leaves + right.leaves;
    combine(index, here, left, right);
    return here;
  }

  void combine(std::uint32_t index, Measured& here, const Measured& left, const Measured& right) {
    std::array<std::uint8_t, Tree::lanes + 1>& left_lanes = left_lanes_[index];
    if (left.cost[1] == 0 && right.cost[1] == 0) {  // two leaves, or two that cost no more
      left_lanes.fill(1);
      here.cost[1] = here.box.half_area();
      return;
    }
    for (std::size_t lanes = 2; lanes <= arity_; ++lanes) {
      float least = std::numeric_limits<float>::infinity();
      for (std::size_t k = 1; k < lanes; ++k) {
        const float cost = left.cost[k] + right.cost[lanes - k];
        if (cost < least) least = cost, left_lanes[lanes] = static_cast<std::uint8_t>(k);
      }
      here.cost[lanes] = least;
    }
    // In one lane the subtree is a wide node of its own. If that is no worse than dividing it over more lanes, 0 marks
    // it. The full number of lanes is left out: there the wide node itself is opened. (More lanes never cost more.)
    here.cost[1] = here.box.half_area() + here.cost[arity_];
    for (std::size_t lanes = 2; lanes < arity_; ++lanes)
      if (here.cost[1] <= here.cost[lanes]) here.cost[lanes] = here.cost[1], left_lanes[lanes] = 0;
  }

  template <class Use>
  void open(std::uint32_t index, std::size_t lanes, const Use& use) const {
    const BinaryNode& node = binary_.nodes[index];
    const std::size_t left = left_lanes_[index][lanes];
    const auto place = [&](std::uint32_t child, std::size_t child_lanes) {
      if (child_lanes == 1 || binary_.nodes[child].is_leaf() || left_lanes_[child][child_lanes] == 0) {
        use(child);
      } else {
        open(child, child_lanes, use);
      }
    };
    place(node.left, left);
    place(node.right(), lanes - left);
  }

  const BuildInput& input_;
  const BinaryTree& binary_;
  std::size_t arity_;
  double surface_ = 0;
  RawArray<std::array<std::uint8_t, Tree::lanes + 1>> left_lanes_;  // of inner nodes
};

/// Numbers the leaves from left to right. Returns the numbers by binary node; `leaf_first` says where triangles begin.
RawArray<std::uint32_t> number_leaves(const BinaryTree& binary, std::vector<std::uint32_t>& leaf_first) {
  RawArray<std::uint32_t> numbers(binary.nodes.size());
  std::vector<std::uint32_t> pending{0};
  while (!pending.empty()) {
    const std::uint32_t index = pending.back();
    pending.pop_back();
    const BinaryNode& node = binary.nodes[index];
    if (node.is_leaf()) {
      numbers[index] = static_cast<std::uint32_t>(leaf_first.size());
      leaf_first.push_back(node.first);
    } else {
      pending.push_back(node.right());
      pending.push_back(node.left);
    }
  }
  leaf_first.push_back(static_cast<std::uint32_t>(binary.order.size()));
  return numbers;
}

}  // namespace

WideTree make_wide(const BuildInput& input, const BinaryTree& binary) {
  WideTree wide;
  std::optional<Collapse> collapse;
  RawArray<std::uint32_t> leaf_number;
  parallel_invoke(
      true, [&] { collapse.emplace(input, binary); }, [&] { leaf_number = number_leaves(binary, wide.leaf_first); });
  wide.surface = collapse->surface();

  struct Pending {
    std::uint32_t binary, wide;
  };
  std::vector<Pending> pending;
  wide.nodes.reserve(wide.leaf_first.size() / 4);
  wide.nodes.emplace_back();
  const auto add_lane = [&](std::uint32_t parent, std::uint32_t index) {
    const BinaryNode& node = binary.nodes[index];
    Child child = Child::leaf(leaf_number[index]);
    if (!node.is_leaf()) {
      child = Child::node(static_cast<std::uint32_t>(wide.nodes.size()));
      wide.nodes.emplace_back();
      pending.push_back({index, child.index()});
    }
    WideNode& into = wide.nodes[parent];
    into.lanes[static_cast<std::size_t>(into.used++)] = {node.first, node.count, child};
  };

  add_lane(0, 0);
  while (!pending.empty()) {
    const Pending top = pending.back();
    pending.pop_back();
    const std::size_t first_pending = pending.size();
    collapse->for_each_lane(top.binary, [&](std::uint32_t child) { add_lane(top.wide, child); });
    std::reverse(pending.begin() + static_cast<std::ptrdiff_t>(first_pending), pending.end());
  }
  return wide;
}

}  // namespace tumble
