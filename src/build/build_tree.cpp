// SPDX-License-Identifier: Apache-2.0
// The steps from a mesh to a tree: frame, topology, wide nodes, bounds, packed leaves.
#include "build/build_tree.h"

#include "build/fit_bounds.h"
#include "build/orientation.h"
#include "build/topology.h"
#include "build/wide_tree.h"
#include "core/aligned_buffer.h"
#include "core/parallel.h"
#include "core/raw_array.h"
#include "mesh/growing_box.h"

#include <tumble/error.h>

namespace tumble {
namespace {

/// Owns what a built tree's pointers point into.
struct Storage {
  AlignedBuffer nodes;
  std::vector<std::uint32_t> leaf_first, triangle_ids;
  RawArray<float> corners;
};

/// box_of() on all cores.
Box whole_box(std::span<const Vec3> vertices, std::span<const Triangle> triangles) {
  return parallel_reduce(
      triangles.size(), parallel_threshold,
      [&](std::size_t begin, std::size_t end) { return box_of(vertices, triangles.subspan(begin, end - begin)); },
      [](GrowingBox a, const GrowingBox& b) {
        a.grow(b);
        return a;
      });
}

BinaryTree make_topology(const BuildInput& input) {
  if (input.options.build == Build::bottom_up) return build_bottom_up(input);
  switch (input.options.split) {
    case Split::binned: return split_binned(input);
    case Split::far_pair: return split_far_pair(input);
    default: return split_by_rule(input);
  }
}

/// Dividing by boxes may go wrong at the first step (bars that cross), and no later step repairs it. Merging neighbours
/// goes wrong elsewhere. On a small mesh both take little time, so the default tries both.
bool is_small(const BuildInput& input) {
  constexpr std::uint32_t small = 1000;
  return input.options.build == Build::top_down && input.options.split == Split::binned &&
         input.triangle_count() <= small;
}

/// Stores the corners of each leaf in groups of up to four: nine rows as wide as the group.
void pack_corners(const BuildInput& input, std::span<const std::uint32_t> leaf_first,
                  std::span<const std::uint32_t> order, RawArray<float>& corners) {
  std::fill_n(corners.data() + Tree::corner_floats * order.size(), Tree::corner_padding, 0.0f);
  parallel_for(leaf_first.size() - 1, 256, [&](std::size_t leaf) {
    for (std::uint32_t first = leaf_first[leaf]; first < leaf_first[leaf + 1]; first += Tree::group_size) {
      const std::uint32_t width = std::min(Tree::group_size, leaf_first[leaf + 1] - first);
      float* const group = corners.data() + Tree::corner_floats * first;
      for (std::uint32_t i = 0; i < width; ++i) {
        const auto triangle = input.corners(order[first + i]);
        for (std::size_t row = 0; row < Tree::corner_floats; ++row)
          group[row * width + i] = static_cast<float>(triangle[row / 3][static_cast<int>(row % 3)]);
      }
    }
  });
}

Tree build(std::span<const Vec3> vertices, std::span<const Triangle> triangles, TreeOptions options) {
  if (options.bound == Bound::automatic) options.bound = Bound::obb;
  BuildInput input{triangles, RawArray<Vec3>(vertices.size()), frame_of(whole_box(vertices, triangles)), options};
  if (options.paper.orient) input.frame.rotation = tight_orientation(vertices, triangles, input.frame, options.k);
  parallel_for(vertices.size(), 4096, [&](std::size_t v) { input.points[v] = input.frame.to_tree(vertices[v]); });

  BinaryTree binary = make_topology(input);
  WideTree wide = make_wide(input, binary);
  if (is_small(input)) {
    BinaryTree other = build_bottom_up(input);
    WideTree other_wide = make_wide(input, other);
    if (other_wide.surface < wide.surface) {
      binary = std::move(other);
      wide = std::move(other_wide);
    }
  }

  auto storage = std::make_shared<Storage>();
  storage->triangle_ids = std::move(binary.order);
  storage->leaf_first = std::move(wide.leaf_first);
  storage->leaf_first.shrink_to_fit();
  binary.nodes = {};

  Tree tree;
  tree.bound = options.bound;
  tree.k = options.bound == Bound::dop ? options.k : 0;
  tree.arity = options.arity;
  tree.frame = input.frame;
  tree.node_count = static_cast<std::uint32_t>(wide.nodes.size());
  storage->nodes = AlignedBuffer::uninitialized(wide.nodes.size() * tree.node_bytes());
  const std::size_t children_at = static_cast<std::size_t>(tree.rows()) * Tree::lanes * sizeof(float);
  parallel_for(wide.nodes.size(), 1024, [&](std::size_t n) {
    auto* const children = reinterpret_cast<Child*>(storage->nodes.data() + n * tree.node_bytes() + children_at);
    for (std::size_t lane = 0; lane < Tree::lanes; ++lane) children[lane] = wide.nodes[n].lanes[lane].child;
  });
  {
    const LeafVertices vertices_of(input, storage->leaf_first, storage->triangle_ids);
    const auto fit = options.bound == Bound::dop ? fit_dops : fit_obbs;
    fit({input, wide, storage->triangle_ids, vertices_of}, storage->nodes.data());
  }
  storage->corners = RawArray<float>(Tree::corner_floats * triangles.size() + Tree::corner_padding);
  pack_corners(input, storage->leaf_first, storage->triangle_ids, storage->corners);

  tree.nodes = storage->nodes.data();
  tree.leaf_first = storage->leaf_first;
  tree.triangle_ids = storage->triangle_ids;
  tree.corners = {storage->corners.data(), storage->corners.size()};
  tree.storage = std::move(storage);
  return tree;
}

}  // namespace

Tree build_tree(std::span<const Vec3> vertices, std::span<const Triangle> triangles, const TreeOptions& options) {
  check(options);
  if (triangles.empty()) throw Error(ErrorCode::invalid_mesh, "a model needs at least one triangle");
  return with_threads(options.threads, [&] { return build(vertices, triangles, options); });
}

}  // namespace tumble
