// SPDX-License-Identifier: Apache-2.0
// k-DOPs of a tree: fitted to the triangles of leaves, merged upward.
#include "bounds/dop.h"
#include "build/fit_bounds.h"
#include "build/topology.h"
#include "core/parallel.h"

namespace tumble {
namespace {

constexpr float far_away = 1e30f;  // finite, so that realigning an empty lane never makes NaN

template <int K>
void write_lane(float* rows, std::size_t lane, const Dop<K>& dop) {
  for (std::size_t i = 0; i < K / 2; ++i) {
    rows[8 * (2 * i) + lane] = dop.lower[i];
    rows[8 * (2 * i + 1) + lane] = dop.upper[i];
  }
}

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
      dop.lower[i] = std::min(dop.lower[i], rows[8 * (2 * i) + static_cast<std::size_t>(lane)]);
      dop.upper[i] = std::max(dop.upper[i], rows[8 * (2 * i + 1) + static_cast<std::size_t>(lane)]);
    }
  return dop;
}

template <int K>
class DopFitter {
 public:
  DopFitter(const FitInput& what, std::byte* nodes) : what_(what), nodes_(nodes) {
    outside_.lower.fill(far_away);
    outside_.upper.fill(-far_away);
  }

  /// Fits the lanes of a node and of all below it, in parallel where they are large, and returns what they hold.
  Dop<K> fit(std::uint32_t index) const {
    const WideNode& node = what_.wide.nodes[index];
    float* const rows = reinterpret_cast<float*>(nodes_ + index * Tree::node_bytes_of(Bound::dop, K));
    parallel_for(static_cast<std::size_t>(node.used), node.count() >= parallel_threshold ? 1 : Tree::lanes,
                 [&](std::size_t lane) {
                   const Child child = node.lanes[lane].child;
                   write_lane<K>(rows, lane,
                                 child.is_leaf() ? fit_vertices<K>(what_.input, what_.vertices.of(child.index()))
                                                 : fit(child.index()));
                 });
    for (auto lane = static_cast<std::size_t>(node.used); lane < Tree::lanes; ++lane)
      write_lane<K>(rows, lane, outside_);
    return merge_lanes<K>(rows, node.used);
  }

 private:
  const FitInput& what_;
  std::byte* nodes_;
  Dop<K> outside_;
};

}  // namespace

void fit_dops(const FitInput& what, std::byte* nodes) {
  with_k(what.input.options.k, [&](auto k) { DopFitter<k()>(what, nodes).fit(0); });
}

}  // namespace tumble
