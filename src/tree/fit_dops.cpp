// SPDX-License-Identifier: Apache-2.0
// k-DOPs of a tree: fitted to the triangles of leaves, merged upward.
#include "bounds/dop.h"
#include "core/parallel.h"
#include "tree/fit_bounds.h"

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
Dop<K> fit_triangles(const BuildInput& input, std::span<const std::uint32_t> triangles) {
  DopFit<K> gathered;
  for (const std::uint32_t t : triangles)
    for (const Vec3& corner : input.corners(t)) gathered.add(corner);
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
void fit_all(const BuildInput& input, const WideTree& wide, std::span<const std::uint32_t> order, std::byte* nodes) {
  const std::size_t node_bytes = Tree::node_bytes_of(Bound::dop, K);
  const auto rows_of = [&](std::size_t node) { return reinterpret_cast<float*>(nodes + node * node_bytes); };
  Dop<K> outside;
  outside.lower.fill(far_away);
  outside.upper.fill(-far_away);

  parallel_for(wide.nodes.size(), 64, [&](std::size_t index) {
    const WideNode& node = wide.nodes[index];
    for (std::size_t lane = 0; lane < Tree::lanes; ++lane) {
      const WideLane& l = node.lanes[lane];
      if (l.child.is_empty()) {
        write_lane<K>(rows_of(index), lane, outside);
      } else if (l.child.is_leaf()) {
        write_lane<K>(rows_of(index), lane, fit_triangles<K>(input, order.subspan(l.first, l.count)));
      }
    }
  });
  for (std::size_t index = wide.nodes.size(); index-- > 0;) {
    const WideNode& node = wide.nodes[index];
    for (std::size_t lane = 0; lane < Tree::lanes; ++lane) {
      const Child child = node.lanes[lane].child;
      if (child.is_empty() || child.is_leaf()) continue;
      write_lane<K>(rows_of(index), lane, merge_lanes<K>(rows_of(child.index()), wide.nodes[child.index()].used));
    }
  }
}

}  // namespace

void fit_dops(const BuildInput& input, const WideTree& wide, std::span<const std::uint32_t> order, std::byte* nodes) {
  with_k(input.options.k, [&](auto k) { fit_all<k()>(input, wide, order, nodes); });
}

}  // namespace tumble
