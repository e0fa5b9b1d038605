// SPDX-License-Identifier: Apache-2.0
// k-DOPs of a tree: fitted to the triangles of leaves, merged upward.
#include "bounds/dop.h"
#include "bounds/lanes.h"
#include "build/fit_bounds.h"
#include "build/topology.h"
#include "core/parallel.h"

namespace tumble {
namespace {

template <int K>
Dop<K> fit_vertices(const BuildInput& input, std::span<const std::uint32_t> vertices) {
  DopFit<K> gathered;
  for (const std::uint32_t v : vertices) gathered.add(input.points[v]);
  Dop<K> dop = gathered.finish();
  if (input.frame.is_turned())
    for (std::size_t i = 0; i < K / 2; ++i) {
      // Each of three coordinates may be off by rotation_error; |n|₁ ≤ √3·|n|.
      const double error = 2 * normal_lengths<K>[i] * Frame::rotation_error;
      dop.lower[i] = float_below(double{dop.lower[i]} - error);
      dop.upper[i] = float_above(double{dop.upper[i]} + error);
    }
  return dop;
}

template <int K>
Dop<K> merge_lanes(const float* rows, int used) {
  Dop<K> dop = Dop<K>::empty();
  for (std::size_t i = 0; i < K / 2; ++i)
    for (int lane = 0; lane < used; ++lane) {
      dop.lower[i] = std::min(dop.lower[i], rows[DopRows::lower(i) + static_cast<std::size_t>(lane)]);
      dop.upper[i] = std::max(dop.upper[i], rows[DopRows::upper(i) + static_cast<std::size_t>(lane)]);
    }
  return dop;
}

template <int K>
class DopFitter {
 public:
  DopFitter(const FitInput& what, std::byte* nodes) : what_(what), nodes_(nodes) {}

  /// Fits the lanes of a node and of all nodes below, large ones in parallel, and returns the DOP of them all.
  Dop<K> fit(std::uint32_t index) const {
    const WideNode& node = what_.wide.nodes[index];
    float* const rows = reinterpret_cast<float*>(nodes_ + index * Tree::node_bytes_of(Bound::dop, K));
    parallel_for(static_cast<std::size_t>(node.used), node.count() >= parallel_threshold ? 1 : Tree::lanes,
                 [&](std::size_t lane) {
                   const Child child = node.lanes[lane].child;
                   const Dop<K> dop = child.is_leaf() ? fit_vertices<K>(what_.input, what_.vertices.of(child.index()))
                                                      : fit(child.index());
                   write_lane(rows, lane, dop.lower, dop.upper);
                 });
    for (auto lane = static_cast<std::size_t>(node.used); lane < Tree::lanes; ++lane) write_empty_dop(rows, lane, K);
    return merge_lanes<K>(rows, node.used);
  }

 private:
  const FitInput& what_;
  std::byte* nodes_;
};

}  // namespace

void fit_dops(const FitInput& what, std::byte* nodes) {
  with_k(what.input.options.k, [&](auto k) { DopFitter<k()>(what, nodes).fit(0); });
}

}  // namespace tumble
